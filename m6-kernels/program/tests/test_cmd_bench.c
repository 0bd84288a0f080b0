/* rung bench: what it measures of a small model, and what it answers. */
#include "json.h"
#include "test_commands.h"

/* What a line of JSON holds; to be freed. */
static json_t *parse_line(const char *text, size_t size)
{
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(text, size, "output", 0, &e);
    assert_non_null(value);
    return value;
}

static double number_in(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void all_cases_are_measured(void **state)
{
    (void)state;
    need_model();
    struct outcome o =
        run_rung(WORDS("bench", "-n", "512", "--samples", "1", "--json"), "",
                 0);
    assert_string_equal(o.err.data, "");
    json_t *all = parse_line(o.out.data, o.out.size);
    json_t *cases = json_object_get(all, "cases");
    json_t *limits = json_object_get(all, "limits");
    static const int tokens[] = {71, 512, 64, 128, 64, 64, 64, 64};
    static const int batches[] = {0, 0, 1, 1, 2, 4, 8, 16};
    assert_int_equal(json_array_size(limits), 5);
    assert_int_equal(json_array_size(cases), 8);
    for (size_t i = 0; i < 8; i++) {
        const json_t *one = json_array_get(cases, i);
        assert_int_equal((int)number_in(one, "tokens"), tokens[i]);
        assert_int_equal((int)number_in(one, "batch"), batches[i]);
        assert_true(number_in(one, "tokens_per_second") != 0);
    }
    assert_true(number_in(all, "weight_bytes") > 1e6);
    json_decref(all);
    outcome_free(&o);
}

static void cases_are_measured_line_by_line(void **state)
{
    (void)state;
    static const char input[] = "{\"tokens\": 9}\n"
                                "{\"tokens\": 8, \"batch\": 4, \"depth\": 7}\n"
                                "{\"tokens\": 1, \"batch\": 1}\n";
    need_model();
    struct outcome o = run_rung(WORDS("bench", "--jsonl", "-n", "20"), input,
                                strlen(input));
    assert_string_equal(o.err.data, "");
    char *line = strtok(o.out.data, "\n");
    json_t *first = parse_line(line, strlen(line));
    assert_true(number_in(first, "position_bytes") > 0);
    json_decref(first);
    for (int i = 0; i < 3; i++) {
        line = strtok(NULL, "\n");
        json_t *answer = parse_line(line, strlen(line));
        assert_true(number_in(answer, "whole") > 0);
        assert_true(number_in(answer, "least") > 0);
        json_decref(answer);
    }
    assert_null(strtok(NULL, "\n"));
    outcome_free(&o);
}

/* The answer to one line, which is refused. */
static void assert_line_refused_of(char **words, const char *line,
                                   const char *message)
{
    need_model();
    struct outcome o = run_rung(words, line, strlen(line));
    assert_string_equal(o.err.data, message);
    assert_int_equal(o.status, 1);
    outcome_free(&o);
}

static void assert_line_refused(const char *line, const char *message)
{
    assert_line_refused_of(WORDS("bench", "--jsonl", "-n", "20"), line,
                           message);
}

static void lines_that_are_no_cases_are_refused(void **state)
{
    (void)state;
    assert_line_refused("{\"tokens\": 21}\n",
                        "rung: standard input: line 1: tokens: "
                        "expected an integer from 0 to 20, found 21\n");
    assert_line_refused("{\"tokens\": 0}\n",
                        "rung: standard input: line 1: tokens: must not be "
                        "0\n");
    assert_line_refused("{\"depth\": 15, \"tokens\": 6}\n",
                        "rung: standard input: line 1: tokens: "
                        "expected an integer from 0 to 5, found 6\n");
}

static void what_is_not_known_is_refused(void **state)
{
    (void)state;
    assert_error(WORDS("bench", france), 1,
                 "rung: The capital of France is/config.json: No such file "
                 "or directory\n");
    assert_error(WORDS("bench", "x", "--shape", "smollm2-135m"), 2,
                 "rung: rung bench x: --shape smollm2-135m is another model; "
                 "name one\n");
    assert_error(WORDS("bench", "--shape", "gpt-9"), 2,
                 "rung: --shape gpt-9: no shape has that name\n");
    assert_error(WORDS("bench", "--shape", "smollm2-135m", "--to", "int3"), 2,
                 "rung: --to int3: int4 and int8 are known\n");
    assert_error(WORDS("bench", "--samples", "26"), 2,
                 "rung: --samples 26: 25 rounds can be measured at most\n");
}

/* As an argument, as of `rung config`. */
static void a_model_can_be_named(void **state)
{
    (void)state;
    need_model();
    char *model = strdup(getenv("RUNG_MODEL"));
    setenv("RUNG_MODEL", "nowhere", 1);
    struct outcome o =
        run_rung(WORDS("bench", model, "-n", "1", "--jsonl"), "", 0);
    setenv("RUNG_MODEL", model, 1);
    assert_string_equal(o.err.data, "");
    assert_true(o.out.size > 0);
    outcome_free(&o);
    free(model);
}

/* Without -n there is room for as much as the model can hold. */
static void lines_may_be_as_long_as_the_model_can_hold(void **state)
{
    (void)state;
    assert_line_refused_of(WORDS("bench", "--jsonl"), "{\"tokens\": 1025}\n",
                           "rung: standard input: line 1: tokens: "
                           "expected an integer from 0 to 1024, found "
                           "1025\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cases_are_measured),
        cmocka_unit_test(cases_are_measured_line_by_line),
        cmocka_unit_test(lines_that_are_no_cases_are_refused),
        cmocka_unit_test(lines_may_be_as_long_as_the_model_can_hold),
        cmocka_unit_test(what_is_not_known_is_refused),
        cmocka_unit_test(a_model_can_be_named),
    };
    return cmocka_run_group_tests_name("cmd_bench", tests, name_model, NULL);
}
