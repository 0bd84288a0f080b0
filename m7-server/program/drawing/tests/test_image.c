/* An image holds what was drawn, and its file holds the same. */
#include "image.h"
#include "test_files.h"

#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const struct colour red = {255, 0, 0}, black = {0, 0, 0};

static struct image new_image(int width, int height)
{
    struct image m;
    struct error e;
    assert_int_equal(image_init(&m, width, height, &e), 0);
    return m;
}

/* 'w' white, 'r' red, 'k' black, '?' another, at (x, y). */
static char pixel(const struct image *m, int x, int y)
{
    struct colour c = m->pixels[y * m->width + x];
    unsigned rgb = (unsigned)c.red << 16 | c.green << 8 | c.blue;
    return rgb == 0xffffff   ? 'w'
           : rgb == 0xff0000 ? 'r'
           : rgb == 0        ? 'k'
                             : '?';
}

/* A row of the image, spelled like that. */
static void assert_row(const struct image *m, int y, const char *expected)
{
    char row[100] = "";
    for (int x = 0; x < m->width; x++)
        row[x] = pixel(m, x, y);
    assert_string_equal(row, expected);
}

static void rectangles_are_cut_at_the_edges(void **state)
{
    (void)state;
    struct image m = new_image(4, 3);
    image_fill(&m, (struct rectangle){-5, 1, 7, 9}, red);
    assert_row(&m, 0, "wwww");
    assert_row(&m, 1, "rrww");
    assert_row(&m, 2, "rrww");
    image_free(&m);
}

static void a_frame_is_around_its_rectangle(void **state)
{
    (void)state;
    struct image m = new_image(5, 4);
    image_frame(&m, (struct rectangle){2, 1, 2, 2}, red);
    assert_row(&m, 0, "wrrrr");
    assert_row(&m, 1, "wrwwr");
    assert_row(&m, 2, "wrwwr");
    assert_row(&m, 3, "wrrrr");
    image_free(&m);
}

/* The letter as the font has it, twice as large, its corners cut. */
static void text_is_drawn_smoothly(void **state)
{
    (void)state;
    struct image m = new_image(10, 18);
    image_text(&m, 0, 0, "L", black);
    assert_row(&m, 0, "kkwwwwwwww");
    assert_row(&m, 10, "kkwwwwwwww");
    assert_row(&m, 11, "kkkwwwwwww");
    assert_row(&m, 12, "kkkkkkkkkk");
    assert_row(&m, 13, "wkkkkkkkkk");
    assert_row(&m, 14, "wwwwwwwwww");
    image_free(&m);
}

static void text_upwards_is_turned_to_the_left(void **state)
{
    (void)state;
    struct image flat = new_image(22, 18), up = new_image(18, 22);
    image_text(&flat, 0, 0, "Ag", black);
    image_text_up(&up, 0, 21, "Ag", black);
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 22; x++)
            assert_int_equal(pixel(&flat, x, y), pixel(&up, y, 21 - x));
    image_free(&flat);
    image_free(&up);
}

static void width_counts_characters_not_bytes(void **state)
{
    (void)state;
    assert_int_equal(image_text_width(""), 0);
    assert_int_equal(image_text_width("a"), 10);
    assert_int_equal(image_text_width("ab"), 22);
    assert_int_equal(image_text_width("\u00d7\u2026"), 22);
    assert_int_equal(image_text_width("\U0001F642"), 10);
}

/* A cut-off or stray byte is one unknown character, and nothing behind the
 * end is read. */
static void broken_text_is_drawn_as_boxes(void **state)
{
    (void)state;
    assert_int_equal(image_text_width("\xe2\x80"), 22);
    assert_int_equal(image_text_width("\xf0"), 10);
    assert_int_equal(image_text_width("\x80"), 10);
    struct image a = new_image(10, 18), b = new_image(10, 18);
    image_text(&a, 0, 0, "\xf0", black);
    image_text(&b, 0, 0, "\U0001F642", black);
    assert_memory_equal(a.pixels, b.pixels, 10 * 18 * 3);
    assert_row(&a, 0, "wkkkkkkkkw");
    image_free(&a);
    image_free(&b);
}

static void a_png_file_holds_the_pixels(void **state)
{
    (void)state;
    struct image m = new_image(3, 2);
    struct error e;
    image_fill(&m, (struct rectangle){1, 0, 1, 1}, red);
    assert_int_equal(image_write_png(&m, "a.png", &e), 0);

    png_image file = {.version = PNG_IMAGE_VERSION};
    unsigned char pixels[18];
    assert_true(png_image_begin_read_from_file(&file, "a.png"));
    assert_int_equal(file.width, 3);
    assert_int_equal(file.height, 2);
    file.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&file, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, m.pixels, sizeof pixels);
    image_free(&m);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    struct image m = new_image(3, 2);
    struct error e;
    assert_int_equal(image_write_png(&m, "no/a.png", &e), -1);
    assert_string_equal(e.message, "no/a.png: No such file or directory");
    assert_int_equal(e.code, ERROR_SYSTEM);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(image_write_png(&m, "/dev/full", &e), -1);
        assert_string_equal(e.message, "/dev/full: No space left on device");
    }
    image_free(&m);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_cut_at_the_edges),
        cmocka_unit_test(a_frame_is_around_its_rectangle),
        cmocka_unit_test(text_is_drawn_smoothly),
        cmocka_unit_test(text_upwards_is_turned_to_the_left),
        cmocka_unit_test(width_counts_characters_not_bytes),
        cmocka_unit_test(broken_text_is_drawn_as_boxes),
        SCRATCH(a_png_file_holds_the_pixels),
        SCRATCH(a_file_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
