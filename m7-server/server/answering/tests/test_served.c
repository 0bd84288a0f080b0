/* Models by their names. */
#include "served.h"

#include "engine.h"
#include "test_client.h"

static struct served_list models;

static int open_two(void **state)
{
    (void)state;
    char *paths[] = {test_path("models/tiny-chat"),
                     test_path("models/tiny-embed")};
    const struct rung_options options = {.threads = 1};
    struct error e;
    if (access(paths[0], R_OK))
        skip_without_models();
    assert_ok(
        served_open(&models, (const char *const *)paths, 2, &options, &e), &e);
    free(paths[0]);
    free(paths[1]);
    return 0;
}

static int close_two(void **state)
{
    (void)state;
    served_close(&models);
    return 0;
}

static void expect_found(const char *name, bool embeds, const char *expected)
{
    struct api_error a;
    struct served *m = served_find(&models, name, embeds, &a);
    assert_non_null(m);
    assert_string_equal(m->facts->name, expected);
}

static void a_model_is_named_as_its_folder(void **state)
{
    (void)state;
    expect_found("tiny-chat", false, "tiny-chat");
    expect_found("tiny-embed", true, "tiny-embed");
}

static void where_none_is_named_the_first_that_can_is_asked(void **state)
{
    (void)state;
    expect_found(NULL, false, "tiny-chat");
    expect_found(NULL, true, "tiny-embed");
}

static void a_model_is_not_asked_what_it_cannot(void **state)
{
    (void)state;
    struct api_error a;
    assert_null(served_find(&models, "tiny-chat", true, &a));
    assert_int_equal(a.status, 400);
    assert_string_equal(a.param, "model");
    assert_null(served_find(&models, "tiny-embed", false, &a));
    assert_null(served_find(&models, "other", false, &a));
    assert_int_equal(a.status, 404);
    assert_null(served_any(&models, "other", &a));
}

static void a_chat_has_marks_and_a_fingerprint(void **state)
{
    (void)state;
    struct served *m = &models.items[0];
    assert_non_null(m->template);
    assert_non_null(m->turns.markup);
    assert_non_null(m->turns.thinking);
    assert_int_equal(m->texts.n, m->facts->vocab_size);
    assert_memory_equal(m->fingerprint, "rung-", 5);
    assert_null(models.items[1].template);
}

/* Who does not say how much may come gets what the context holds; but where
 * the caches hold less than that for each, a share of them. */
static void room_is_shared(void **state)
{
    (void)state;
    struct rung_facts facts = {
        .context = 1000, .cache_tokens = 4000, .requests = 4};
    struct served m = {.facts = &facts};
    assert_int_equal(served_room(&m, 100), 900);
    assert_int_equal(served_room(&m, 1000), 0);
    assert_int_equal(served_room(&m, 2000), 0);
    facts.context = 32768;
    facts.cache_tokens = 32768;
    assert_int_equal(served_room(&m, 1000), 8192 - 1000);
    assert_int_equal(served_room(&m, 20000), 2048);
    assert_int_equal(served_room(&m, 32000), 768);
}

static void two_of_one_name_are_refused(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-draft");
    const char *const paths[] = {path, path};
    const struct rung_options options = {.threads = 1};
    struct served_list list;
    struct error e;
    assert_int_equal(served_open(&list, paths, 2, &options, &e), -1);
    assert_non_null(strstr(e.message, "two models are called tiny-draft"));
    assert_int_equal(list.n, 0);
    free(path);
}

/* A model guesses for the others, and not for itself, even where its path is
 * written in another way; nobody guesses vectors. */
static void a_draft_that_is_served_has_none(void **state)
{
    (void)state;
    char *paths[] = {test_path("models/tiny-draft"),
                     test_path("models/tiny-chat"),
                     test_path("models/tiny-embed")};
    char *draft = test_path("models/tiny-draft/");
    const struct rung_options options = {
        .threads = 1, .draft = draft, .draft_tokens = 2};
    struct served_list list;
    struct error e;
    assert_ok(
        served_open(&list, (const char *const *)paths, 3, &options, &e), &e);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(list.items[i].engine->guesser.asks_model, i == 1);
    served_close(&list);
    for (size_t i = 0; i < 3; i++)
        free(paths[i]);
    free(draft);
}

/* The error names the draft, and the model that it cannot draft for. */
static void a_draft_of_other_words_is_refused(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat"), expected[2048];
    char *draft = test_path("checkpoints/qwen3-1");
    const char *const paths[] = {path};
    const struct rung_options options = {.threads = 1, .draft = draft};
    struct served_list list;
    struct error e;
    snprintf(expected, sizeof expected,
             "%s: knows 80 tokens, %s 4096: it cannot draft for it", draft,
             path);
    assert_int_equal(served_open(&list, paths, 1, &options, &e), -1);
    assert_string_equal(e.message, expected);
    free(path);
    free(draft);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_named_as_its_folder),
        cmocka_unit_test(where_none_is_named_the_first_that_can_is_asked),
        cmocka_unit_test(a_model_is_not_asked_what_it_cannot),
        cmocka_unit_test(a_chat_has_marks_and_a_fingerprint),
        cmocka_unit_test(room_is_shared),
        cmocka_unit_test(two_of_one_name_are_refused),
        cmocka_unit_test(a_draft_that_is_served_has_none),
        cmocka_unit_test(a_draft_of_other_words_is_refused),
    };
    return cmocka_run_group_tests(tests, open_two, close_two);
}
