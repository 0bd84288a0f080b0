/* What a token costs with a cache and without, as counted and as drawn. */
#include "test_commands.h"

#include "cost_picture.h"
#include "curves.h"
#include "forward.h"
#include "test_numbers.h"
#include "test_png.h"
#include "test_reader.h"
#include "trace.h"

enum cost_sizes {
    N = 9 /* tokens */
};

static const int ids[N] = {287, 458, 321, 597, 3562, 295, 2993, 263, 13};

/* Operations of one pass over the first n tokens and its scores. */
static double run_again(const struct model *m, size_t n)
{
    struct reader r;
    reader_open(&r, m, n, n);
    struct trace t = {.model = m, .state = &r.state, .cache = &r.cache};
    struct observer o = {trace_observe, &t};
    prefill(m, &r.state, &r.cache, ids, n, &o);
    forward_logits(m, &r.state, n - 1, &o);
    double flops = (double)trace_total(&t).flops;
    trace_free(&t);
    reader_close(&r);
    return flops;
}

static void a_text_run_again_costs_what_it_says(void **state)
{
    (void)state;
    struct model m;
    struct costs c;
    struct error e;
    need_model();
    assert_ok(model_open(&m, getenv("RUNG_MODEL"), &e), &e);
    assert_ok(costs_init(&c, &m, ids, N, &e), &e);
    for (size_t i = 0; i < N; i++)
        assert_true(c.again[i] == run_again(&m, i + 1));
    costs_free(&c);
    model_close(&m);
}

/* Behind a cache each token costs as much more as there is one more to look
 * at: 8 layers, 4 heads, 64 numbers, multiplied and added, twice. */
static void behind_a_cache_the_cost_is_a_straight_line(void **state)
{
    (void)state;
    struct model m;
    struct costs c;
    struct error e;
    need_model();
    assert_ok(model_open(&m, getenv("RUNG_MODEL"), &e), &e);
    assert_ok(costs_init(&c, &m, ids, N, &e), &e);
    for (size_t i = 1; i < N; i++)
        assert_true(c.cached[i] - c.cached[i - 1] == 8 * 4 * 64 * 4);
    assert_true(c.cached[0] == c.again[0]);
    costs_free(&c);
    model_close(&m);
}

static void both_costs_are_drawn(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "cost", france, "-o", "cost.png"), "", "");
    struct image m = read_png("cost.png");
    struct rectangle cached = find_colour(&m, colour_signed(-0.8f));
    struct rectangle again = find_colour(&m, colour_signed(0.8f));
    assert_true(again.width > 600 && cached.width > 600);
    assert_true(again.y + again.height < cached.y + cached.height);
    image_free(&m);
}

/* --- curves ------------------------------------------------------------- */

static struct image drawn(const struct curves *c)
{
    struct error e = {ERROR_NONE, ""};
    assert_ok(picture_curves(c, "a.png", &e), &e);
    return read_png("a.png");
}

/* One curve is red: the lowest and highest row with its colour to the right of
 * its name's swatch, in column x of the 640. */
static void find_column(const struct image *m, int x, int *top, int *bottom)
{
    const struct colour red = {255, 0, 0};
    *top = *bottom = -1;
    for (int y = 100; y < m->height; y++)
        if (is_colour(m, 90 + x, y, red)) {
            *top = *top < 0 ? y : *top;
            *bottom = y;
        }
}

static void a_curve_stands_at_its_values(void **state)
{
    (void)state;
    const double values[] = {0, 10, 5};
    const struct curves c = {
        .title = "title",
        .x_axis = "x",
        .panels = {{"panel", {{"red", values, {255, 0, 0}}}, 1}},
        .n_panels = 1,
        .n = 3};
    struct image m = drawn(&c);
    int zero, ten, five, half, end;
    find_column(&m, 1, &half, &zero);
    find_column(&m, 320, &ten, &end);
    find_column(&m, 638, &five, &end);
    assert_in_range(zero - ten, 196, 204);
    assert_in_range(zero - five, 96, 104);
    find_column(&m, 160, &half, &end);
    assert_in_range(zero - half, 96, 104);
    for (int x = 0; x < 640; x++) {
        int top, bottom;
        find_column(&m, x, &top, &bottom);
        assert_true(top > 0);
    }
    image_free(&m);
}

static void one_value_is_drawn_too(void **state)
{
    (void)state;
    const double values[] = {0};
    const struct curves c = {
        .title = "title",
        .x_axis = "x",
        .panels = {{"panel", {{"red", values, {255, 0, 0}}}, 1}},
        .n_panels = 1,
        .n = 1};
    struct image m = drawn(&c);
    assert_true(find_colour(&m, (struct colour){255, 0, 0}).height > 3);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_run_again_costs_what_it_says),
        cmocka_unit_test(behind_a_cache_the_cost_is_a_straight_line),
        SCRATCH(both_costs_are_drawn),
        SCRATCH(a_curve_stands_at_its_values),
        SCRATCH(one_value_is_drawn_too),
    };
    return cmocka_run_group_tests_name("cost_picture", tests, name_model,
                                       NULL);
}
