/* The roofline, drawn from made-up measurements. */
#include "roofline_picture.h"
#include "test_files.h"
#include "test_numbers.h"
#include "test_png.h"

/* Reading 10 GB/s, 40 Gop/s of floats, 160 of codes; a kernel of codes under
 * the slope and one under each level line. */
static void make_up(struct roofline *r)
{
    static const struct cpu_set set = {.name = "made up"};
    static const double limits[N_LIMITS] = {9e9, 10e9, 160e9, 160e9, 40e9};
    *r = (struct roofline){.n_points = 3, .limits = {.set = &set}};
    r->points[0] = (struct point){.name = "int4 x 1", .intensity = 2};
    r->points[1] = (struct point){.name = "int4 x 512", .intensity = 512};
    r->points[2] = (struct point){.name = "f32 x 512", .intensity = 256};
    static const double speeds[] = {10e9, 80e9, 20e9};
    for (size_t i = 0; i < LIMIT_ROUNDS; i++) {
        for (size_t kind = 0; kind < N_LIMITS; kind++)
            r->limits.speeds[kind][1][i] = limits[kind];
        for (size_t p = 0; p < 3; p++)
            r->points[p].speeds[i] = speeds[p];
    }
}

/* The colour of the first series, below the line with the series' names. */
static void points_stand_under_their_roof(void **state)
{
    (void)state;
    struct roofline r;
    struct error e = {ERROR_NONE, ""};
    const struct colour roof = {150, 150, 150}, white = {255, 255, 255};
    make_up(&r);
    assert_ok(roofline_draw(&r, "a.png", &e), &e);
    struct image m = read_png("a.png");
    image_fill(&m, (struct rectangle){0, 0, m.width, 75}, white);
    struct rectangle lines = find_colour(&m, roof);
    struct rectangle codes = find_colour(&m, colour_signed(-1));
    struct rectangle floats = find_colour(&m, colour_signed(-0.55f));
    assert_true(codes.y > lines.y && floats.y > codes.y);
    assert_true(codes.width > 400 && codes.height > 100);
    assert_true(floats.width > 0 && lines.width > 600);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(points_stand_under_their_roof,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("roofline_picture", tests, NULL, NULL);
}
