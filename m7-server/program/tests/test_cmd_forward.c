/* The commands that run a model: next, generate, layers. */
#include "test_commands.h"

#include "json.h"
#include "test_links.h"
#include "test_model_files.h"

#include <math.h>

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

/* Make the current folder the reading model, whose tokenizer knows no added
 * token: the last nine rows of its head stand for nothing. */
static void forget_added_tokens(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/tokenizer.json", getenv("RUNG_MODEL"));
    assert_true(link_files(getenv("RUNG_MODEL"), "tokenizer.json"));
    json_t *tokenizer = json_load_file(path, 0, NULL);
    json_array_clear(json_object_get(tokenizer, "added_tokens"));
    assert_int_equal(json_dump_file(tokenizer, "tokenizer.json", 0), 0);
    json_decref(tokenizer);
}

/* Behind this sentence one of these rows, which would end the text, has 70% of
 * the probability; without it the others share the whole. */
static void next_ranks_nothing_but_tokens(void **state)
{
    (void)state;
    need_model();
    forget_added_tokens();
    struct outcome o =
        run_rung(WORDS("next", "The capital of France is Paris.", "-m", ".",
                       "--json", "-k", "4096"),
                 "", 0);
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    double sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_number_value(
            json_object_get(json_array_get(list, i), "probability"));
    assert_int_equal(json_array_size(list), 4087);
    assert_true(fabs(sum - 1) < 1e-5);
    json_decref(list);
    outcome_free(&o);
}

/* --- generate ------------------------------------------------------------ */

static void generate_prints_the_continuation_only(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q"), "", " Paris.");
    assert_output(WORDS("generate", "-", "-q"), france, " Paris.");
    assert_output(WORDS("generate", france, "-q", "-n", "1"), "", " Par");
    assert_output(WORDS("generate", france, "-q", "-n", "0"), "", "");
}

/* The prompt's special tokens are read; the one that ends is not shown. */
static void generate_reads_special_tokens_in_the_prompt(void **state)
{
    (void)state;
    static char prompt[] =
        "<|im_start|>user\nWhat is the capital of Japan?<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    assert_output(WORDS("generate", prompt, "--quiet"), "",
                  "The capital of Japan is Tokyo.");
}

static void generate_prints_ids_as_json(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "--json", "--quiet"), "",
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

/* Both commands say of a model that it cannot be run, and why. */
static void config_refuses_what_next_refuses(void **state)
{
    (void)state;
    static const struct change changes[] = {
        {"architectures", "[\"MambaForCausalLM\"]"},
        {"quantization_config", "{}"},
        {"hidden_act", "\"relu\""},
        {"rope_scaling", "{\"type\": \"spiral\"}"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        write_small_config(&changes[i], 1);
        struct outcome config = run_rung(WORDS("config", "."), "", 0);
        struct outcome next = run_rung(WORDS("next", "x", "-m", "."), "", 0);
        assert_non_null(strstr(config.err.data, changes[i].name));
        assert_string_equal(config.err.data, next.err.data);
        assert_string_equal(config.out.data, "");
        assert_int_equal(config.status, next.status);
        outcome_free(&config);
        outcome_free(&next);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_ranks_the_tokens_that_could_come),
        cmocka_unit_test(next_shows_five_unless_told),
        cmocka_unit_test(next_prints_json),
        SCRATCH(next_ranks_nothing_but_tokens),
        cmocka_unit_test(generate_prints_the_continuation_only),
        cmocka_unit_test(generate_reads_special_tokens_in_the_prompt),
        cmocka_unit_test(generate_prints_ids_as_json),
        cmocka_unit_test(layers_show_how_vectors_grow),
        cmocka_unit_test(layers_are_json_when_asked),
        cmocka_unit_test(a_text_too_long_is_refused_with_both_numbers),
        cmocka_unit_test(an_empty_text_is_refused),
        cmocka_unit_test(numbers_must_be_numbers),
        SCRATCH(a_tokenizer_that_knows_too_much_is_refused),
        SCRATCH(a_model_without_a_tokenizer_is_refused),
        SCRATCH(config_refuses_what_next_refuses),
    };
    return cmocka_run_group_tests_name("cmd_forward", tests, name_model, NULL);
}
