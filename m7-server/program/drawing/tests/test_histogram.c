/* Bars and the area behind them stand where their numbers say. */
#include "histogram.h"

#include "colour.h"
#include "test_files.h"
#include "test_png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const struct colour area = {244, 190, 140};

enum histogram_places {
    LEFT = 90, /* of the bars, and how wide and high they are */
    WIDE = 771,
    HIGH = 320,
    TOP = 132
};

static struct image drawn(const struct histogram *h)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(picture_histogram(h, "a.png", &e), 0);
    return read_png("a.png");
}

/* How many pixels of a colour a column of the plot has. */
static int count_column(const struct image *m, int x, struct colour c)
{
    int n = 0;
    for (int y = TOP; y < TOP + HIGH; y++)
        n += is_colour(m, LEFT + x, y, c);
    return n;
}

static struct histogram histogram_of(const double *bars, size_t n_bars,
                                     const double *behind, size_t n_behind)
{
    return (struct histogram){.title = "title",
                              .note = "",
                              .x_axis = "x",
                              .bars_name = "bars",
                              .behind_name = "behind",
                              .least = -0.5,
                              .most = (double)n_bars - 0.5,
                              .bars = bars,
                              .n_bars = n_bars,
                              .behind = behind,
                              .n_behind = n_behind};
}

/* Three bars of 257 pixels, of which the middle half is drawn. */
static void bars_are_as_high_as_their_numbers(void **state)
{
    (void)state;
    const double bars[] = {10, 5, 0}, behind[] = {0};
    const struct histogram h = histogram_of(bars, 3, behind, 1);
    struct image m = drawn(&h);
    struct colour blue = colour_magnitude(0.7f);
    assert_int_equal(count_column(&m, 128, blue), HIGH);
    assert_int_equal(count_column(&m, 257 + 128, blue), HIGH / 2);
    assert_int_equal(count_column(&m, 2 * 257 + 128, blue), 0);
    assert_int_equal(count_column(&m, 20, blue), 0);
    assert_int_equal(count_column(&m, 240, blue), 0);
    image_free(&m);
}

static void the_area_is_seen_beside_the_bars(void **state)
{
    (void)state;
    const double bars[] = {10, 5}, behind[] = {2.5, 5, 7.5, 10};
    const struct histogram h = histogram_of(bars, 2, behind, 4);
    struct image m = drawn(&h);
    assert_int_equal(count_column(&m, 10, area), HIGH / 4);
    assert_int_equal(count_column(&m, 375, area), HIGH / 2);
    assert_int_equal(count_column(&m, 395, area), 3 * HIGH / 4);
    assert_int_equal(count_column(&m, 765, area), HIGH);
    assert_int_equal(count_column(&m, 192, area), 0);
    image_free(&m);
}

static void many_bars_are_one_pixel_wide(void **state)
{
    (void)state;
    double bars[257];
    for (size_t i = 0; i < 257; i++)
        bars[i] = (double)(i % 2);
    const struct histogram h = histogram_of(bars, 257, bars, 0);
    struct image m = drawn(&h);
    struct colour blue = colour_magnitude(0.7f);
    for (int x = 0; x < WIDE; x++)
        assert_int_equal(count_column(&m, x, blue), x % 6 == 3 ? HIGH : 0);
    image_free(&m);
}

static void nothing_at_all_is_drawn_too(void **state)
{
    (void)state;
    const double none[] = {0};
    const struct histogram h = histogram_of(none, 1, none, 1);
    struct image m = drawn(&h);
    assert_non_null(m.pixels);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bars_are_as_high_as_their_numbers,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(the_area_is_seen_beside_the_bars,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(many_bars_are_one_pixel_wide,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(nothing_at_all_is_drawn_too,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
