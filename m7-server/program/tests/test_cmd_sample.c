/* What each step of sampling leaves, as a table and as a picture. */
#include "json.h"
#include "test_files.h"
#include "test_png.h"
#include "test_run.h"

#include <math.h>
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
static char story[] = "Once upon a time, there was a";

/* Every run finds the model and the program from every folder. */
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

static struct outcome run(char **words)
{
    if (access(getenv("RUNG_MODEL"), R_OK)) {
        print_message("SKIPPED: there is no %s (set RUNG_TESTS)\n",
                      getenv("RUNG_MODEL"));
        skip();
    }
    return run_rung(words, "", 0);
}

static void assert_output(char **words, const char *expected)
{
    struct outcome o = run(words);
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void a_table_has_a_column_for_each_step(void **state)
{
    (void)state;
    assert_output(WORDS("sample", france, "-k", "2", "--temperature=2",
                        "--top-k", "3", "--min-p=0.1"),
                  "    id  token                 model  temperature        "
                  "top-k        min-p\n"
                  "  2993  \" Par\"               0.9987       0.9167       "
                  "0.9620       1.0000\n"
                  "  1903  \" Port\"              0.0012       0.0322       "
                  "0.0338            -\n"
                  "        tokens left            4096         4096"
                  "            3            1\n");
}

static void without_an_option_there_is_one_column(void **state)
{
    (void)state;
    struct outcome o = run(WORDS("sample", france));
    size_t lines = 0;
    for (const char *at = o.out.data; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 7);
    assert_non_null(strstr(o.out.data, "token                 model\n"));
    outcome_free(&o);
}

/* The five likeliest words of this story are at 0.10 and about 0.05 each. */
static void json_has_the_tokens_that_each_step_leaves(void **state)
{
    (void)state;
    struct outcome o =
        run(WORDS("sample", story, "--top-k", "3", "-k", "9", "--json"));
    struct error e;
    json_t *list = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_int_equal(json_array_size(list), 2);
    const json_t *last = json_array_get(list, 1);
    const json_t *tokens = json_object_get(last, "tokens");
    assert_string_equal(json_string_value(json_object_get(last, "step")),
                        "top-k");
    assert_int_equal(json_integer_value(json_object_get(last, "left")), 3);
    assert_int_equal(json_array_size(tokens), 3);
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        sum += json_real_value(
            json_object_get(json_array_get(tokens, i), "probability"));
    assert_true(fabs(sum - 1) < 1e-6);
    json_decref(list);
    outcome_free(&o);
}

static void a_question_can_be_asked(void **state)
{
    (void)state;
    struct outcome o = run(WORDS("sample", "--chat", "Hello!", "-k", "1"));
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err.data, "");
    outcome_free(&o);
}

/* --- the picture --------------------------------------------------------- */

/* How many pixels of the colour of bars there are in columns x to end. */
static size_t count_bars(const struct image *m, int x, int end)
{
    struct colour bar = colour_magnitude(0.7f);
    size_t n = 0;
    for (int y = 0; y < m->height; y++)
        for (int at = x; at < end; at++)
            n += is_colour(m, at, y, bar);
    return n;
}

/* Two rows of bars 40 wide and at most 110 high: in the first the likeliest
 * token's is as high as it is likely, in the second it is alone and full. */
static void bars_are_as_high_as_tokens_are_likely(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "probs", france, "--temperature", "1",
                        "--top-k=1", "-k", "3", "-o", "probs.png"),
                  "");
    struct image m = read_png("probs.png");
    assert_non_null(m.pixels);
    size_t first = count_bars(&m, 80, 80 + 58);
    assert_int_equal(first, 40 * (110 + 110));
    assert_int_equal(count_bars(&m, 80 + 58, m.width), 0);
    image_free(&m);
}

static void half_as_likely_is_half_as_high(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "probs", story, "--bias", "467=100", "-k",
                        "4", "-o", "probs.png"),
                  "");
    struct image m = read_png("probs.png");
    size_t little = count_bars(&m, 80, 80 + 58);
    size_t others = count_bars(&m, 80 + 58, m.width);
    assert_in_range(little, 40 * (110 + 10), 40 * (110 + 13));
    assert_in_range(others, 3 * 40 * 5, 3 * 40 * 7);
    image_free(&m);
}

static void more_bars_than_fit_are_refused(void **state)
{
    (void)state;
    struct outcome o =
        run(WORDS("picture", "probs", france, "-k", "25", "-o", "probs.png"));
    assert_string_equal(o.err.data,
                        "rung: option --best must be from 1 to 24 here\n");
    assert_int_equal(o.status, 2);
    outcome_free(&o);
}

static void assert_refused(char **words, const char *message)
{
    struct outcome o = run(words);
    assert_string_equal(o.err.data, message);
    assert_int_equal(o.status, 2);
    outcome_free(&o);
}

/* What has no effect on a picture is refused, although others take it. */
static void a_kind_of_picture_takes_its_own_options(void **state)
{
    (void)state;
    assert_refused(WORDS("picture", "weights", "x", "--top-k", "3"),
                   "rung: rung picture weights takes no option --top-k\n");
    assert_refused(
        WORDS("picture", "attention", france, "--temperature", "0.5"),
        "rung: rung picture attention takes no option --temperature\n");
    assert_refused(WORDS("picture", "probs", france, "--head", "1"),
                   "rung: rung picture probs takes no option --head\n");
    assert_refused(WORDS("picture", "probs", france, "--seed", "1"),
                   "rung: rung picture takes no option --seed\n");
    assert_refused(WORDS("sample", france, "--seed", "1"),
                   "rung: rung sample takes no option --seed\n");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_has_a_column_for_each_step),
        cmocka_unit_test(without_an_option_there_is_one_column),
        cmocka_unit_test(json_has_the_tokens_that_each_step_leaves),
        cmocka_unit_test(a_question_can_be_asked),
        SCRATCH(bars_are_as_high_as_tokens_are_likely),
        SCRATCH(half_as_likely_is_half_as_high),
        SCRATCH(more_bars_than_fit_are_refused),
        cmocka_unit_test(a_kind_of_picture_takes_its_own_options),
    };
    return cmocka_run_group_tests_name("cmd_sample", tests, name_model, NULL);
}
