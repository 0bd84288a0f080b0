/* A plane with logarithmic axes: where points and lines stand in it. */
#include "plane.h"
#include "test_numbers.h"
#include "test_png.h"
#include "test_files.h"

static const struct colour red = {255, 0, 0}, green = {0, 128, 0};

/* The middle of a rectangle. */
static int across(struct rectangle r)
{
    return r.x + r.width / 2;
}

static int down(struct rectangle r)
{
    return r.y + r.height / 2;
}

static struct image draw_two(struct plane_place a, struct plane_place b)
{
    static const char *const no_label[] = {""};
    struct error e = {ERROR_NONE, ""};
    struct plane_series series[] = {{"", red, &a, no_label, 1},
                                    {"", green, &b, no_label, 1}};
    struct plane p = {.title = "",
                      .x_axis = "",
                      .y_axis = "",
                      .least = {1, 1},
                      .most = {256, 256},
                      .series = series,
                      .n_series = 2};
    assert_ok(picture_plane(&p, "a.png", &e), &e);
    return read_png("a.png");
}

/* The swatch of a series' name stands above the plane. */
static struct rectangle find_point(struct image *m, struct colour c)
{
    const struct colour white = {255, 255, 255};
    image_fill(m, (struct rectangle){0, 0, m->width, 75}, white);
    return find_colour(m, c);
}

static void twice_as_much_is_always_as_far(void **state)
{
    (void)state;
    int first = 0;
    for (double x = 1; x < 256; x *= 2) {
        struct image m = draw_two((struct plane_place){x, 4},
                                  (struct plane_place){2 * x, 8});
        struct rectangle a = find_point(&m, red), b = find_point(&m, green);
        int step = across(b) - across(a);
        first = first ? first : step;
        assert_in_range(step, first - 1, first + 1);
        assert_in_range(down(a) - down(b), 460 / 8 - 1, 460 / 8 + 1);
        image_free(&m);
    }
    assert_in_range(first, 760 / 8 - 1, 760 / 8 + 1);
}

static void a_line_has_its_ends(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct plane_line line = {{1, 2}, {16, 32}, "", red};
    struct plane p = {.title = "",
                      .x_axis = "",
                      .y_axis = "",
                      .least = {1, 1},
                      .most = {256, 256},
                      .lines = &line,
                      .n_lines = 1};
    assert_ok(picture_plane(&p, "a.png", &e), &e);
    struct image m = read_png("a.png");
    struct rectangle r = find_colour(&m, red);
    assert_in_range(r.width, 4 * 95 - 3, 4 * 95 + 5);
    assert_in_range(r.height, 230 - 3, 230 + 5);
    image_free(&m);
}

static void axes_end_at_powers_of_two(void **state)
{
    (void)state;
    assert_true(plane_below(3.6) == 2 && plane_above(3.6) == 4);
    assert_true(plane_below(0.3) == 0.25 && plane_above(0.3) == 0.5);
    assert_true(plane_below(8) == 8 && plane_above(8) == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(twice_as_much_is_always_as_far,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(a_line_has_its_ends, scratch_enter,
                                        scratch_leave),
        cmocka_unit_test(axes_end_at_powers_of_two),
    };
    return cmocka_run_group_tests_name("plane", tests, NULL, NULL);
}
