/* Which models are found, and which of them is the draft of the others. */
#include "found_models.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A folder `models` with a folder for each name, and in it a config.json. */
static void make_models(const char *const *names)
{
    remove_folder("models");
    assert_int_equal(mkdir("models", 0777), 0);
    for (; *names; names++) {
        char path[256];
        snprintf(path, sizeof path, "models/%s", *names);
        assert_int_equal(mkdir(path, 0777), 0);
        snprintf(path, sizeof path, "models/%s/config.json", *names);
        write_file(path, "{}", 2);
    }
    setenv("RUNG_MODELS", "models", 1);
}

#define MODELS(...) make_models((const char *const[]){__VA_ARGS__, NULL})

/* The models that are found, a space behind each, then their draft. */
static void assert_found(const char *expected)
{
    struct found_models f;
    struct error e;
    char said[1024] = "";
    assert_int_equal(found_models_read(&f, &e), 0);
    for (size_t i = 0; i < f.n; i++) {
        strcat(said, f.paths[i] + strlen("models/"));
        strcat(said, " ");
    }
    if (f.draft)
        strcat(said, f.draft + strlen("models/"));
    assert_string_equal(said, expected);
    found_models_free(&f);
}

static void models_are_in_the_order_of_their_names(void **state)
{
    (void)state;
    MODELS("b", "a", "c");
    assert_int_equal(mkdir("models/no-model", 0777), 0);
    write_file("models/file", "", 0);
    assert_found("a b c ");
}

static void the_draft_of_all_others_is_none_of_them(void **state)
{
    (void)state;
    MODELS("tiny-chat", "tiny-draft", "tiny-embed");
    assert_found("tiny-chat tiny-embed tiny-draft");
    MODELS("x-draft", "x-very-large");
    assert_found("x-very-large x-draft");
}

/* Of another family its tokens would be others. */
static void a_draft_of_some_is_a_model_like_others(void **state)
{
    (void)state;
    MODELS("other", "tiny-chat", "tiny-draft");
    assert_found("other tiny-chat tiny-draft ");
    MODELS("tiny", "tiny-draft");
    assert_found("tiny tiny-draft ");
    MODELS("tiny-a-draft", "tiny-chat", "tiny-draft");
    assert_found("tiny-a-draft tiny-chat tiny-draft ");
}

static void a_draft_alone_is_a_model(void **state)
{
    (void)state;
    MODELS("tiny-draft");
    assert_found("tiny-draft ");
}

static void assert_not_found(const char *expected)
{
    struct found_models f;
    struct error e;
    assert_int_equal(found_models_read(&f, &e), -1);
    assert_string_equal(e.message, expected);
    assert_int_equal(f.n, 0);
}

static void a_folder_without_models_is_named(void **state)
{
    (void)state;
    make_models((const char *const[]){NULL});
    assert_not_found("models: holds no model: name one, or say by RUNG_MODELS "
                     "where some are");
    setenv("RUNG_MODELS", "nowhere", 1);
    assert_not_found("nowhere: No such file or directory");
}

static void too_many_are_not_cut_off(void **state)
{
    (void)state;
    char names[MOST_MODELS + 1][16];
    const char *list[MOST_MODELS + 2] = {NULL};
    for (int i = 0; i <= MOST_MODELS; i++) {
        snprintf(names[i], sizeof names[i], "m%d", i);
        list[i] = names[i];
    }
    make_models(list);
    assert_not_found(
        "models: holds more than 64 models: name those to serve");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(models_are_in_the_order_of_their_names),
        SCRATCH(the_draft_of_all_others_is_none_of_them),
        SCRATCH(a_draft_of_some_is_a_model_like_others),
        SCRATCH(a_draft_alone_is_a_model),
        SCRATCH(a_folder_without_models_is_named),
        SCRATCH(too_many_are_not_cut_off),
    };
    return cmocka_run_group_tests_name("found_models", tests, NULL, NULL);
}
