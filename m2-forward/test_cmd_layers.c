/* The commands that look into a model: layers, picture attention. */
#include "forward.h"
#include "json.h"
#include "reading.h"
#include "test_model_run.h"
#include "test_png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static char france[] = "The capital of France is";

/* --- layers -------------------------------------------------------------- */

static void layers_show_how_vectors_grow(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run_rung(WORDS("layers", france), "", 0);
    assert_string_equal(o.err.data, "");
    assert_non_null(strstr(o.out.data, "of the 6 tokens' vectors\n"));
    assert_non_null(
        strstr(o.out.data, "\nembedding       3.564      3.796      4.083\n"));
    assert_non_null(
        strstr(o.out.data, "\nlayer 7           234      782.4       1562\n"));
    assert_non_null(strstr(o.out.data, "\nnorm "));
    outcome_free(&o);
}

static void layers_are_json_when_asked(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run_rung(WORDS("layers", france, "--json"), "", 0);
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_non_null(list);
    assert_int_equal(json_array_size(list), 10);
    json_t *last = json_array_get(list, 9);
    assert_string_equal(json_string_value(json_object_get(last, "after")),
                        "norm");
    assert_int_equal(json_array_size(json_object_get(last, "lengths")), 6);
    json_decref(list);
    outcome_free(&o);
}

/* --- picture ------------------------------------------------------------- */

enum france_sizes {
    N_TOKENS = 6, /* of the text */
    N_HEADS = 4,  /* of the reading model */
    LAYER = 7     /* which is watched */
};

/* What weight each head of the layer gives, by query and position. */
struct watch {
    float weights[N_HEADS][N_TOKENS][N_TOKENS];
    size_t n_queries;
};

static void watch_layer(void *context, const char *name, int layer,
                        const float *data, struct shape shape)
{
    struct watch *w = context;
    if (strcmp(name, "attention") != 0 || layer != LAYER)
        return;
    assert_int_equal(shape.rows, N_HEADS);
    assert_int_equal(shape.cols, w->n_queries + 1);
    for (size_t h = 0; h < N_HEADS; h++)
        memcpy(w->weights[h][w->n_queries], data + h * shape.cols,
               shape.cols * sizeof *data);
    w->n_queries++;
}

/* Run the text and watch. */
static struct watch watched(void)
{
    struct watch w = {.n_queries = 0};
    struct observer o = {watch_layer, &w};
    struct reading r;
    struct state s;
    struct error e = {ERROR_NONE, ""};
    reading_open(&r, getenv("RUNG_MODEL"), france, 0, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(r.ids.size, N_TOKENS);
    assert_int_equal(state_init(&s, &r.model, N_TOKENS, &e), 0);
    forward(&r.model, &s, r.ids.data, N_TOKENS, &o);
    state_free(&s);
    reading_close(&r);
    assert_int_equal(w.n_queries, N_TOKENS);
    return w;
}

/* The mean weight of the heads from first to before end. */
static float mean_weight(const struct watch *w, size_t first, size_t end,
                         int query, int position)
{
    float sum = 0;
    for (size_t h = first; h < end; h++)
        sum += w->weights[h][query][position];
    return sum / (float)(end - first);
}

/* The first cell: the first token sees only itself, so its weight is 1, and
 * no pixel further up or further left has the colour of that. */
static struct rectangle first_cell(const struct image *m)
{
    struct colour full = colour_magnitude(1);
    struct rectangle cell = find_colour(m, full);
    cell.width = cell.height = 0;
    while (is_colour(m, cell.x + cell.width, cell.y, full))
        cell.width++;
    while (is_colour(m, cell.x, cell.y + cell.height, full))
        cell.height++;
    return cell;
}

/* A mean may be rounded in another order, which may move a colour by one. */
static void assert_close(struct colour a, struct colour b)
{
    assert_in_range(a.red + 1 - b.red, 0, 2);
    assert_in_range(a.green + 1 - b.green, 0, 2);
    assert_in_range(a.blue + 1 - b.blue, 0, 2);
}

/* The picture shows the mean of these heads: a row for each query, from the
 * top down, and nothing (exactly) where a token would see a later one. */
static void assert_shows(const struct watch *w, size_t first, size_t end)
{
    struct image m = read_png("look.png");
    assert_non_null(m.pixels);
    struct rectangle cell = first_cell(&m);
    assert_int_equal(cell.width, 40);
    assert_int_equal(cell.height, 40);
    for (int q = 0; q < N_TOKENS; q++)
        for (int p = 0; p < N_TOKENS; p++) {
            int x = cell.x + p * 40 + 20, y = cell.y + q * 40 + 20;
            float weight = mean_weight(w, first, end, q, p);
            assert_close(m.pixels[y * m.width + x], colour_magnitude(weight));
            if (p > q)
                assert_true(is_colour(&m, x, y, colour_magnitude(0)));
        }
    image_free(&m);
}

static void attention_is_drawn(void **state)
{
    (void)state;
    need_model();
    struct watch w = watched();
    assert_output(WORDS("picture", "attention", france, "--layer", "7",
                        "--head=3", "-o", "look.png"),
                  "", "");
    assert_shows(&w, 3, 4);
    assert_output(
        WORDS("picture", "attention", france, "--layer=7", "-o", "look.png"),
        "", "");
    assert_shows(&w, 0, N_HEADS);
}

static void layers_and_heads_must_be_there(void **state)
{
    (void)state;
    assert_error(
        WORDS("picture", "attention", france, "--layer", "8", "-o", "x.png"),
        2, "rung: there is no layer 8: 0 to 7 are\n");
    assert_error(
        WORDS("picture", "attention", france, "--head", "4", "-o", "x.png"), 2,
        "rung: there is no head 4: 0 to 3 are\n");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_show_how_vectors_grow),
        cmocka_unit_test(layers_are_json_when_asked),
        SCRATCH(attention_is_drawn),
        cmocka_unit_test(layers_and_heads_must_be_there),
    };
    return cmocka_run_group_tests_name("cmd_layers", tests, name_model, NULL);
}
