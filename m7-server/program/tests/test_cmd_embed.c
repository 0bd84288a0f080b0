/* The command that turns texts into vectors: embed. */
#include "test_commands.h"
#include "test_numbers.h"

#include "json.h"

#include <math.h>

static char question[] = "What is the capital of France?";
static char answer[] = "The capital of France is Paris.";

/* Run with the model that embeds. */
static struct outcome run_embed(char *option, char *first, char *second)
{
    need_model();
    char *model = test_path("models/tiny-embed");
    char *words[] = {"rung", "embed", "-m",   model,
                     option, first,   second, NULL};
    struct outcome o = run_rung(words, "", 0);
    assert_string_equal(o.err.data, "");
    assert_int_equal(o.status, 0);
    free(model);
    return o;
}

/* The vector that tests/models/goldens/embed.json has for the text. */
static json_t *find_vector(json_t *goldens, const char *text)
{
    json_t *golden;
    size_t i;
    json_array_foreach(goldens, i, golden)
    {
        json_t *own = json_object_get(golden, "text");
        if (strcmp(json_string_value(own), text) == 0)
            return json_object_get(golden, "embedding");
    }
    return NULL;
}

static void assert_vector(const json_t *found, const json_t *expected)
{
    size_t n = json_array_size(expected);
    assert_true(n > 0);
    assert_int_equal(json_array_size(found), n);
    for (size_t i = 0; i < n; i++) {
        double got = json_number_value(json_array_get(found, i));
        double want = json_number_value(json_array_get(expected, i));
        if (!(fabs(got - want) < 1e-5))
            print_difference("embedding", n, i, got, want);
        assert_true(fabs(got - want) < 1e-5);
    }
}

static void embed_prints_a_vector_for_each_text_as_json(void **state)
{
    (void)state;
    struct outcome o = run_embed("--json", question, answer);
    struct error e;
    char *path = test_path("models/goldens/embed.json");
    json_t *goldens = json_load_file(path, 0, NULL);
    json_t *found = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_int_equal(json_array_size(found), 2);
    assert_vector(json_array_get(found, 0), find_vector(goldens, question));
    assert_vector(json_array_get(found, 1), find_vector(goldens, answer));
    json_decref(found);
    json_decref(goldens);
    free(path);
    outcome_free(&o);
}

/* The golden begins 0.0604007, -0.0476258, -0.0542623, ... */
static void embed_prints_the_numbers_of_one_text(void **state)
{
    (void)state;
    struct outcome o = run_embed("--", question, NULL);
    static const char begin[] = "  0.0604  -0.0476  -0.0543  -0.0113  "
                                "-0.0665  -0.1457  -0.0923   0.0004\n";
    size_t lines = 0;
    for (const char *at = o.out.data; *at; at++)
        lines += *at == '\n';
    assert_memory_equal(o.out.data, begin, strlen(begin));
    assert_int_equal(lines, 128 / 8);
    outcome_free(&o);
}

/* The cosines are those of the two goldens' vectors. */
static void embed_shows_how_alike_texts_are(void **state)
{
    (void)state;
    struct outcome o = run_embed("--", question, answer);
    assert_string_equal(o.out.data,
                        " 1.0000  0.9157  What is the capital of France?\n"
                        " 0.9157  1.0000  The capital of France is Paris.\n");
    outcome_free(&o);
}

static void embed_needs_a_text_and_a_model(void **state)
{
    (void)state;
    assert_error(WORDS("embed", france, "-m", "nowhere"), 1,
                 "rung: nowhere/config.json: No such file or directory\n");
    assert_error(WORDS("embed"), 2,
                 "rung: too few arguments: rung embed TEXT...\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embed_prints_a_vector_for_each_text_as_json),
        cmocka_unit_test(embed_prints_the_numbers_of_one_text),
        cmocka_unit_test(embed_shows_how_alike_texts_are),
        cmocka_unit_test(embed_needs_a_text_and_a_model),
    };
    return cmocka_run_group_tests_name("cmd_embed", tests, name_model, NULL);
}
