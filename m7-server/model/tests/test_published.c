/* Models that people run: their config.json is accepted, or refused for the
 * reason that tests/configs/published.jsonl gives. */
#include "test_model_open.h"
#include "test_run.h"

#include <limits.h>

/* What follows the name of the file in a message. */
static const char *reason_of(const struct error *e)
{
    static const char before[] = "./config.json: ";
    bool named = strncmp(e->message, before, strlen(before)) == 0;
    return named ? e->message + strlen(before) : e->message;
}

/* What the line says: a model that is refused for being quantized by programs
 * that know no such models has another word for those that do. */
static const char *said_of(const json_t *line)
{
    const json_t *quantized = json_object_get(line, "quantized");
    const json_t *refused = json_object_get(line, "refused");
    const char *said = json_string_value(quantized ? quantized : refused);
    return said ? said : "it runs";
}

/* Whether the program says of one model what the line says. */
static bool is_as_said(const json_t *line)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    json_t *config = json_object_get(line, "config");
    assert_int_equal(json_dump_file(config, "config.json", 0), 0);
    int result = model_describe(&m, ".", &e);
    const char *found = result ? reason_of(&e) : "it runs";
    bool right = strcmp(found, said_of(line)) == 0;
    if (!right)
        print_error("%s: %s\n",
                    json_string_value(json_object_get(line, "name")), found);
    model_close(&m);
    return right;
}

static void published_models_run_or_are_refused_for_a_reason(void **state)
{
    const struct scratch *s = *state;
    char path[PATH_MAX], text[16384];
    size_t n = 0, wrong = 0;
    bool whole = *test_folder() == '/';
    snprintf(path, sizeof path, "%s%s%s/configs/published.jsonl",
             whole ? "" : s->before, whole ? "" : "/", test_folder());
    FILE *file = fopen(path, "r");
    if (!file)
        skip();
    for (; fgets(text, sizeof text, file); n++) {
        json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(line);
        wrong += !is_as_said(line);
        json_decref(line);
    }
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_true(n >= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(published_models_run_or_are_refused_for_a_reason),
    };
    return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
