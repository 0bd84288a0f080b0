/* A heat map shows each value where it belongs, in the colour of its size. */
#include "picture.h"

#include "test_files.h"
#include "test_png.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Draw a heat map and read it back. */
static struct image drawn(const struct heatmap *h)
{
    struct error e = {ERROR_NONE, ""};
    picture_heatmap(h, "a.png", &e);
    assert_string_equal(e.message, "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    return m;
}

static struct heatmap map_of(const struct picture_matrix *m, size_t rows)
{
    return (struct heatmap){.title = "a matrix",
                            .row_axis = "row",
                            .column_axis = "column",
                            .legend = "value",
                            .rows = rows,
                            .columns = m->columns,
                            .row = picture_matrix_row,
                            .source = m};
}

/* The cell to the left and above of a given one has this colour, all of it. */
static void assert_neighbour(const struct image *m, struct rectangle cell,
                             int left, int up, struct colour c)
{
    for (int y = 0; y < cell.height; y++)
        for (int x = 0; x < cell.width; x++)
            assert_true(is_colour(m, cell.x - left * cell.width + x,
                                  cell.y - up * cell.height + y, c));
}

static void cells_are_in_place_and_in_colour(void **state)
{
    (void)state;
    const float values[] = {1, -1, 0.25f, 0.5f, 0, NAN};
    const struct picture_matrix matrix = {values, 3};
    struct heatmap h = map_of(&matrix, 2);
    struct image m = drawn(&h);
    struct rectangle bad = find_colour(&m, colour_not_finite());
    assert_int_equal(bad.width, 40);
    assert_int_equal(bad.height, 48);
    assert_neighbour(&m, bad, 2, 1, colour_signed(1));
    assert_neighbour(&m, bad, 1, 1, colour_signed(-1));
    assert_neighbour(&m, bad, 0, 1, colour_signed(0.25f));
    assert_neighbour(&m, bad, 2, 0, colour_signed(0.5f));
    assert_neighbour(&m, bad, 1, 0, colour_signed(0));
    image_free(&m);
}

static void without_negative_values_colours_begin_at_zero(void **state)
{
    (void)state;
    const float values[] = {1, 0.5f, 0, NAN};
    const struct picture_matrix matrix = {values, 2};
    struct heatmap h = map_of(&matrix, 2);
    struct image m = drawn(&h);
    struct rectangle bad = find_colour(&m, colour_not_finite());
    assert_neighbour(&m, bad, 1, 1, colour_magnitude(1));
    assert_neighbour(&m, bad, 0, 1, colour_magnitude(0.5f));
    assert_neighbour(&m, bad, 1, 0, colour_magnitude(0));
    image_free(&m);
}

/* The legend has both ends of its scale: so has the picture, away from the
 * cells, here all of one colour in the middle. */
static void the_legend_shows_the_whole_scale(void **state)
{
    (void)state;
    const float values[] = {-0.5f, 0.5f};
    const struct picture_matrix matrix = {values, 2};
    struct heatmap h = map_of(&matrix, 1);
    h.limit = 1;
    struct image m = drawn(&h);
    struct rectangle top = find_colour(&m, colour_signed(1));
    struct rectangle bottom = find_colour(&m, colour_signed(-1));
    assert_int_equal(top.width, 22);
    assert_int_equal(bottom.width, 22);
    assert_int_equal(top.x, bottom.x);
    assert_int_equal(bottom.y + bottom.height - top.y, 120);
    image_free(&m);
}

static void large_matrices_fit_on_a_screen(void **state)
{
    (void)state;
    static float values[5000 * 3];
    const struct picture_matrix tall = {values, 3}, wide = {values, 5000};
    struct heatmap h = map_of(&tall, 5000);
    struct image m = drawn(&h);
    assert_in_range(m.width, 200, 1200);
    assert_in_range(m.height, 714, 1000);
    image_free(&m);
    h = map_of(&wide, 3);
    m = drawn(&h);
    assert_in_range(m.width, 714, 1200);
    assert_in_range(m.height, 200, 1000);
    image_free(&m);
}

static void a_long_title_is_cut(void **state)
{
    (void)state;
    static char title[100001];
    memset(title, 'x', sizeof title - 1);
    const float values[] = {1};
    const struct picture_matrix matrix = {values, 1};
    struct heatmap h = map_of(&matrix, 1);
    h.title = title;
    struct image m = drawn(&h);
    assert_in_range(m.width, 80 * 12, 80 * 12 + 40);
    image_free(&m);
}

static int height_of(const struct heatmap *h)
{
    struct image m = drawn(h);
    int height = m.height;
    image_free(&m);
    return height;
}

/* Each thing that a reader has to know is a line more; 800 rows are shown as
 * 400. */
static void what_cannot_be_seen_is_written(void **state)
{
    (void)state;
    static float values[800 * 16];
    for (int i = 0; i < 800 * 16; i++)
        values[i] = 1;
    const struct picture_matrix one = {values, 16};
    struct heatmap small = map_of(&one, 768), large = map_of(&one, 800);
    int plain = height_of(&small);
    assert_int_equal(height_of(&large), plain - 768 + 400 + 26);
    values[7] = 100;
    assert_int_equal(height_of(&small), plain + 26);
    values[8] = NAN;
    assert_int_equal(height_of(&small), plain + 2 * 26);
}

static void long_names_of_columns_stand_upright(void **state)
{
    (void)state;
    static const char *const brief[] = {"a", "b"};
    static const char *const names[] = {"\u2423capital", "\u2423France"};
    const float values[] = {1, 2, 3, 4};
    const struct picture_matrix matrix = {values, 2};
    struct heatmap h = map_of(&matrix, 2);
    h.row_names = h.column_names = brief;
    int flat = height_of(&h);
    h.row_names = h.column_names = names;
    assert_int_equal(height_of(&h), flat - 18 + (8 * 6 - 1) * 2);
}

static void a_picture_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    const float values[] = {1};
    const struct picture_matrix matrix = {values, 1};
    struct heatmap h = map_of(&matrix, 1);
    struct error e;
    assert_int_equal(picture_heatmap(&h, "no/a.png", &e), -1);
    assert_string_equal(e.message, "no/a.png: No such file or directory");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(cells_are_in_place_and_in_colour),
        SCRATCH(without_negative_values_colours_begin_at_zero),
        SCRATCH(the_legend_shows_the_whole_scale),
        SCRATCH(large_matrices_fit_on_a_screen),
        SCRATCH(a_long_title_is_cut),
        SCRATCH(what_cannot_be_seen_is_written),
        SCRATCH(long_names_of_columns_stand_upright),
        SCRATCH(a_picture_that_cannot_be_written_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
