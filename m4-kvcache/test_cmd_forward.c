/* The commands that run a model: next, generate, layers, picture attention. */
#include "forward.h"
#include "json.h"
#include "reading.h"
#include "test_model_files.h"
#include "test_png.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define WORDS(...)                                                            \
    (char *[])                                                                \
    {                                                                         \
        "rung", __VA_ARGS__, NULL                                             \
    }

static char france[] = "The capital of France is";

/* Every run finds the reading model without being told, and the program and
 * the model are found from every folder. */
static int name_model(void **state)
{
    (void)state;
    char program[4096], folder[2048], whole[2048];
    char *model = test_path("models/tiny-chat");
    if (!getcwd(folder, sizeof folder))
        return -1;
    program_path(folder, program);
    setenv("RUNG", program, 1);
    setenv("RUNG_MODEL", model, 1);
    if (chdir(model) == 0 && getcwd(whole, sizeof whole))
        setenv("RUNG_MODEL", whole, 1);
    free(model);
    return chdir(folder);
}

/* Skips the test when the tests' folder is not there. */
static void need_model(void)
{
    if (access(getenv("RUNG_MODEL"), R_OK) == 0)
        return;
    print_message("SKIPPED: there is no %s (set RUNG_TESTS)\n",
                  getenv("RUNG_MODEL"));
    skip();
}

static void assert_output(char **words, const char *input,
                          const char *expected)
{
    need_model();
    struct outcome o = run_rung(words, input, strlen(input));
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void assert_error(char **words, int status, const char *message)
{
    need_model();
    struct outcome o = run_rung(words, "", 0);
    assert_string_equal(o.err.data, message);
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

/* --- next ---------------------------------------------------------------- */

static void next_ranks_the_tokens_that_could_come(void **state)
{
    (void)state;
    assert_output(WORDS("next", france, "-k", "2"), "",
                  "probability      id  token\n"
                  "     0.9987    2993  \" Par\"\n"
                  "     0.0012    1903  \" Port\"\n");
}

static void next_shows_five_unless_told(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run_rung(WORDS("next", france), "", 0);
    size_t lines = 0;
    for (const char *at = o.out.data; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 6);
    outcome_free(&o);
}

static void next_prints_json(void **state)
{
    (void)state;
    need_model();
    struct outcome o =
        run_rung(WORDS("next", "-", "--json", "-k", "1"), france, 24);
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_non_null(list);
    json_t *first = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_integer_value(json_object_get(first, "id")), 2993);
    assert_string_equal(json_string_value(json_object_get(first, "token")),
                        "\u0120Par");
    double p = json_number_value(json_object_get(first, "probability"));
    assert_true(p > 0.9986 && p < 0.9988);
    json_decref(list);
    outcome_free(&o);
}

/* --- generate ------------------------------------------------------------ */

static void generate_prints_the_continuation_only(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france), "", " Paris.");
    assert_output(WORDS("generate", "-"), france, " Paris.");
    assert_output(WORDS("generate", france, "-n", "1"), "", " Par");
    assert_output(WORDS("generate", france, "-n", "0"), "", "");
}

/* The prompt's special tokens are read; the one that ends is not shown. */
static void generate_reads_special_tokens_in_the_prompt(void **state)
{
    (void)state;
    static char prompt[] =
        "<|im_start|>user\nWhat is the capital of Japan?<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    assert_output(WORDS("generate", prompt), "",
                  "The capital of Japan is Tokyo.");
}

static void generate_prints_ids_as_json(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "--json"), "",
                  "[2993, 263, 13, 4087]\n");
}

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

/* --- what cannot be ------------------------------------------------------ */

static void a_text_too_long_is_refused_with_both_numbers(void **state)
{
    (void)state;
    static char text[2 * 1025 + 1];
    for (size_t i = 0; i < 1025; i++)
        memcpy(text + 2 * i, " a", 2);
    assert_error(WORDS("next", text), 1,
                 "rung: the text has 1025 tokens; this model can hold 1024\n");
    assert_error(WORDS("layers", text), 1,
                 "rung: the text has 1025 tokens; this model can hold 1024\n");
    text[2 * 1000] = 0;
    assert_error(WORDS("generate", text), 1,
                 "rung: the text has 1000 tokens, and 32 more were asked for; "
                 "this model can hold 1024\n");
}

static void an_empty_text_is_refused(void **state)
{
    (void)state;
    assert_error(WORDS("next", ""), 1,
                 "rung: the text is empty: the model has nothing to go on "
                 "from\n");
}

static void numbers_must_be_numbers(void **state)
{
    (void)state;
    assert_error(WORDS("next", "a", "-k", "two"), 2,
                 "rung: option --best must be a whole number, not \"two\"\n");
    assert_error(WORDS("generate", "a", "-n", "-1"), 2,
                 "rung: option --tokens must be a whole number, not \"-1\"\n");
    assert_error(WORDS("generate", "a", "-n", "9999999999"), 2,
                 "rung: option --tokens must be a whole number, not "
                 "\"9999999999\"\n");
}

static void a_tokenizer_that_knows_too_much_is_refused(void **state)
{
    (void)state;
    char tokenizer[4200];
    snprintf(tokenizer, sizeof tokenizer, "%s/tokenizer.json",
             getenv("RUNG_MODEL"));
    write_small_config(NULL, 0);
    write_small_weights(NULL, 0, "F32");
    assert_int_equal(symlink(tokenizer, "tokenizer.json"), 0);
    assert_error(WORDS("next", "a", "-m", "."), 1,
                 "rung: token 64 of the text is none of the model's 5\n");
}

static void a_model_without_a_tokenizer_is_refused(void **state)
{
    (void)state;
    write_small_config(NULL, 0);
    write_small_weights(NULL, 0, "F32");
    assert_error(WORDS("next", "a", "-m", "."), 1,
                 "rung: ./tokenizer.json: No such file or directory\n");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

/* --- embed, families ----------------------------------------------------- */

/* The cosines are those of the vectors in tests/models/goldens/embed.json. */
static void embed_shows_how_alike_texts_are(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-embed");
    assert_output(WORDS("embed", "-m", model, "What is the capital of France?",
                        "The capital of France is Paris."),
                  "",
                  " 1.0000  0.9157  What is the capital of France?\n"
                  " 0.9157  1.0000  The capital of France is Paris.\n");
    free(model);
}

static void families_prints_a_row_for_each(void **state)
{
    (void)state;
    struct outcome o = run_rung(WORDS("families", "--markdown"), "", 0);
    size_t lines = 0;
    for (const char *at = o.out.data; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 2 + 16);
    assert_non_null(strstr(o.out.data, "| GPTNeoX "));
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_ranks_the_tokens_that_could_come),
        cmocka_unit_test(next_shows_five_unless_told),
        cmocka_unit_test(next_prints_json),
        cmocka_unit_test(generate_prints_the_continuation_only),
        cmocka_unit_test(generate_reads_special_tokens_in_the_prompt),
        cmocka_unit_test(generate_prints_ids_as_json),
        cmocka_unit_test(layers_show_how_vectors_grow),
        cmocka_unit_test(layers_are_json_when_asked),
        cmocka_unit_test(embed_shows_how_alike_texts_are),
        cmocka_unit_test(families_prints_a_row_for_each),
        SCRATCH(attention_is_drawn),
        cmocka_unit_test(layers_and_heads_must_be_there),
        cmocka_unit_test(a_text_too_long_is_refused_with_both_numbers),
        cmocka_unit_test(an_empty_text_is_refused),
        cmocka_unit_test(numbers_must_be_numbers),
        SCRATCH(a_tokenizer_that_knows_too_much_is_refused),
        SCRATCH(a_model_without_a_tokenizer_is_refused),
    };
    return cmocka_run_group_tests_name("cmd_forward", tests, name_model, NULL);
}
