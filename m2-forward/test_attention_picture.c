/* Pictures of attention show the weights that were used. */
#include "test_commands.h"

#include "colour.h"
#include "forward.h"
#include "reading.h"
#include "test_png.h"

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
 * top down, and grey where a token would see a later one. */
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
            if (p <= q)
                assert_close(m.pixels[y * m.width + x],
                             colour_magnitude(weight));
            else
                assert_true(is_colour(&m, x, y, colour_absent()));
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

/* Among many tokens no weight is large: the colours' scale follows them.  Two
 * cells, of 2 x 2 pixels, and the legend would have the strongest colour. */
static void the_picture_of_a_long_text_is_not_pale(void **state)
{
    (void)state;
    static char text[2 * 300 + 1];
    for (size_t i = 0; i < 300; i++)
        memcpy(text + 2 * i, i % 3 ? " a" : " b", 2);
    assert_output(
        WORDS("picture", "attention", text, "--layer=3", "-o", "look.png"), "",
        "");
    struct image m = read_png("look.png");
    size_t strongest = 0;
    for (int y = 0; y < m.height; y++)
        for (int x = 0; x < m.width; x++)
            strongest += is_colour(&m, x, y, colour_magnitude(1));
    assert_true(strongest > 200);
    image_free(&m);
}

static void layers_and_heads_must_be_there(void **state)
{
    (void)state;
    assert_error(
        WORDS("picture", "attention", france, "--layer", "8", "-o", "x.png"),
        2, "rung: there is no layer 8: 0 to 7 are\n");
    assert_error(
        WORDS("picture", "weights", "x", "--layer", "1", "-o", "x.png"), 2,
        "rung: rung picture weights takes no option --layer\n");
    assert_error(
        WORDS("picture", "attention", france, "--head", "4", "-o", "x.png"), 2,
        "rung: there is no head 4: 0 to 3 are\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(attention_is_drawn),
        SCRATCH(the_picture_of_a_long_text_is_not_pale),
        cmocka_unit_test(layers_and_heads_must_be_there),
    };
    return cmocka_run_group_tests_name("attention_picture", tests, name_model,
                                       NULL);
}
