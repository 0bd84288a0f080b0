/* Whichever allocation of a turn's beginning fails: an error with words, and
 * otherwise the whole prompt. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "chat_template.h"
#include "test_events.h"
#include "test_tokens.h"
#include "turn.h"

#undef fail /* cmocka's; here it is ours */

/* Shows each variable that a turn gives. */
static const char shows_all[] =
    "{{ date }} {{ place }} {{ reasoning_effort }} {{ enable_thinking }} "
    "{{ messages[0].content }}{% for t in tools %}{{ t.function.name }}"
    "{% endfor %} A:";

/* Has no place for tools, whose names are then looked for. */
static const char shows_messages[] = "{{ messages[0].content }} A:";

static void assert_prompt(const struct bytes *prompt, const char *shown)
{
    if (prompt->size != strlen(shown))
        print_error("%.*s\n", (int)prompt->size, prompt->data);
    assert_int_equal(prompt->size, strlen(shown));
    assert_memory_equal(prompt->data, shown, strlen(shown));
}

/* One turn, whose n-th allocation fails, or none where that is 0; whether
 * there was one. */
static bool begin(const struct turn_model *model,
                  const struct turn_options *options, const char *shown,
                  long n, long *refused)
{
    struct error e;
    struct turn turn = {0};
    memory_fail_at(n);
    memory_spared = n == 0;
    int result = turn_begin(&turn, model, options, &e);
    memory_spared = true;
    bool lacked = memory_had_failed();
    if (result) {
        assert_int_equal(e.code, ERROR_MEMORY);
        assert_non_null(strstr(e.message, "out of memory"));
    } else
        assert_prompt(&turn.prompt, shown);
    *refused += result != 0;
    turn_free(&turn);
    return lacked;
}

static void each_allocation_may_fail(const char *text, const char *shown)
{
    struct error e;
    struct tokens tokens;
    struct told told = {0};
    tokens_open(&tokens);
    struct chat_template *template =
        chat_template_parse(text, strlen(text), "the test's", NULL, &e);
    assert_non_null(template);
    struct turn_model model = {.template = template,
                               .markup = markup_named("hermes"),
                               .thinking = thinking_named("think"),
                               .texts = &tokens.texts};
    struct turn_options options = {
        .messages =
            json_pack("[{s:s, s:s}]", "role", "user", "content", "Hello f"),
        .tools = json_pack("[{s:s, s:{s:s}}]", "type", "function", "function",
                           "name", "f"),
        .template_arguments =
            json_pack("{s:s, s:s}", "date", "today", "place", "here"),
        .thinking = THINKING_OFF,
        .effort = "low",
        .event = told_event,
        .context = &told};
    long n = 1, refused = 0;
    assert_false(begin(&model, &options, shown, 0, &refused));
    while (begin(&model, &options, shown, n, &refused))
        n++;
    print_message("%ld of %ld allocations refused\n", refused, n - 1);
    assert_true(refused > 20);
    json_decref(options.messages);
    json_decref(options.tools);
    json_decref(options.template_arguments);
    chat_template_free(template);
    told_free(&told);
    tokens_close(&tokens);
}

static void each_allocation_of_a_beginning_may_fail(void **state)
{
    (void)state;
    each_allocation_may_fail(shows_all, "today here low False Hello ff A:");
}

static void each_allocation_of_a_search_for_tools_may_fail(void **state)
{
    (void)state;
    each_allocation_may_fail(shows_messages,
                             "Hello f A:<think>\n\n</think>\n\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_a_beginning_may_fail),
        cmocka_unit_test(each_allocation_of_a_search_for_tools_may_fail),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("turn_memory", tests, NULL, NULL);
}
