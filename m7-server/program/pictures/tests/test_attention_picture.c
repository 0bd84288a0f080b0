/* Pictures of attention show the weights that were used. */
#include "test_commands.h"

#include "colour.h"
#include "forward.h"
#include "grid.h"
#include "input.h"
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
    struct input in;
    struct state s;
    struct error e = {ERROR_NONE, ""};
    input_open(&in, getenv("RUNG_MODEL"), france, 0, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(in.ids.size, N_TOKENS);
    assert_int_equal(state_init(&s, &in.model, N_TOKENS, &e), 0);
    assert_int_equal(
        forward(&in.model, &s, in.ids.data, N_TOKENS, &o, &e), 0);
    state_free(&s);
    input_close(&in);
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

/* A causal map (n, n) of which the first column is 1, the rest a hundredth;
 * and 9, which must be seen nowhere, where there is nothing. */
static float *make_causal(size_t n)
{
    float *values = calloc(n * n, sizeof *values);
    assert_non_null(values);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            values[r * n + c] = c > r ? 9 : c == 0 ? 1 : 0.01f;
    return values;
}

static struct grid make_grid(float *values, size_t n)
{
    struct grid g;
    struct error e = {ERROR_NONE, ""};
    struct picture_matrix matrix = {values, n};
    struct heatmap h = {.title = "t",
                        .rows = n,
                        .columns = n,
                        .row = picture_matrix_row,
                        .source = &matrix,
                        .causal = true};
    grid_init(&g, &h, &e);
    assert_string_equal(e.message, "");
    free(values);
    return g;
}

static void what_is_not_there_counts_for_nothing(void **state)
{
    (void)state;
    struct grid g = make_grid(make_causal(4), 4);
    assert_int_equal(g.n_cells, 10);
    assert_true(g.most == 1 && g.least == 0.01f && g.limit == 1);
    grid_free(&g);
    g = make_grid(make_causal(2 * GRID_MOST), 2 * GRID_MOST);
    assert_int_equal(g.n_cells, GRID_MOST * (GRID_MOST + 1) / 2);
    assert_true(g.cells[1] != g.cells[1]);
    for (size_t i = 1; i < GRID_MOST; i++)
        assert_true(g.cells[i * GRID_MOST + i] == 0.01f);
    grid_free(&g);
}

/* In a long text the first column is less than a hundredth of all cells. */
static void the_first_column_does_not_make_the_others_pale(void **state)
{
    (void)state;
    struct grid g = make_grid(make_causal(250), 250);
    assert_true(g.limit == 0.01f);
    assert_int_equal(g.n_beyond, 250);
    grid_free(&g);
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
        cmocka_unit_test(what_is_not_there_counts_for_nothing),
        cmocka_unit_test(the_first_column_does_not_make_the_others_pale),
        cmocka_unit_test(layers_and_heads_must_be_there),
    };
    return cmocka_run_group_tests_name("attention_picture", tests, name_model,
                                       NULL);
}
