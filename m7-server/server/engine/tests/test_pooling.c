/* How a text becomes a vector is what the model's folder says. */
#include "pooling.h"

#include "test_files.h"
#include "test_numbers.h"

#include <sys/stat.h>

static const char modules[] =
    "[{\"idx\": 0, \"name\": \"0\", \"path\": \"\","
    "  \"type\": \"sentence_transformers.models.Transformer\"},"
    " {\"idx\": 1, \"name\": \"1\", \"path\": \"1_Pooling\","
    "  \"type\": \"sentence_transformers.models.Pooling\"},"
    " {\"idx\": 2, \"name\": \"2\", \"path\": \"2_Normalize\","
    "  \"type\": \"sentence_transformers.models.Normalize\"}]";

/* What the folder says with these two files. */
static struct pooling read_with(const char *list, const char *config)
{
    struct pooling p;
    mkdir("1_Pooling", 0700);
    write_file("modules.json", list, strlen(list));
    write_file("1_Pooling/config.json", config, strlen(config));
    pooling_read(&p, ".");
    return p;
}

static void expect(const char *config, enum rung_pooling how)
{
    struct pooling p = read_with(modules, config);
    assert_int_equal(p.refused.code, ERROR_NONE);
    assert_true(p.said);
    assert_int_equal(p.how, how);
}

static void expect_refused(const char *list, const char *config,
                           const char *words)
{
    struct pooling p = read_with(list, config);
    assert_int_not_equal(p.refused.code, ERROR_NONE);
    assert_non_null(strstr(p.refused.message, words));
}

static void the_files_say_how(void **state)
{
    (void)state;
    expect("{\"word_embedding_dimension\": 8, \"pooling_mode_cls_token\": "
           "false, \"pooling_mode_mean_tokens\": true, "
           "\"pooling_mode_max_tokens\": false}",
           RUNG_POOL_MEAN);
    expect("{\"pooling_mode_cls_token\": true}", RUNG_POOL_FIRST);
    expect("{\"pooling_mode_lasttoken\": true}", RUNG_POOL_LAST);
    expect("{\"pooling_mode\": \"mean\"}", RUNG_POOL_MEAN);
}

static void what_is_unknown_is_refused_by_name(void **state)
{
    (void)state;
    expect_refused(modules, "{\"pooling_mode_max_tokens\": true}",
                   "pooling by \"max\" is unknown here");
    expect_refused(modules, "{\"pooling_mode\": \"sum\"}",
                   "pooling by \"sum\" is unknown here");
    expect_refused(modules,
                   "{\"pooling_mode_cls_token\": true, "
                   "\"pooling_mode_mean_tokens\": true}",
                   "pooling in two ways at once is unknown here");
    expect_refused(modules, "{}", "no pooling is chosen");
    expect_refused(modules, "[]", "expected an object");
    expect_refused("[{\"path\": \"2_Dense\", \"type\": \"models.Dense\"}]",
                   "{}", "the step Dense of making vectors is unknown here");
    expect_refused("{}", "{}", "expected an array");
    expect_refused("[{\"path\": \"none\", \"type\": \"Pooling\"}]", "{}",
                   "none/config.json");
}

static void without_files_it_is_the_last_token(void **state)
{
    (void)state;
    struct pooling p;
    remove("modules.json");
    pooling_read(&p, ".");
    assert_int_equal(p.refused.code, ERROR_NONE);
    assert_false(p.said);
    assert_int_equal(p.how, RUNG_POOL_LAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_say_how),
        cmocka_unit_test(what_is_unknown_is_refused_by_name),
        cmocka_unit_test(without_files_it_is_the_last_token),
    };
    return cmocka_run_group_tests_name("pooling", tests, scratch_enter,
                                       scratch_leave);
}
