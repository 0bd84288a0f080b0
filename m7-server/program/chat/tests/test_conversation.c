/* What was said in a chat, whose turn it is, and what can be taken back. */
#include "conversation.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static void begin(struct conversation *c, const char *system)
{
    struct error e;
    assert_int_equal(conversation_init(c, system, NULL, &e), 0);
}

static void say(struct conversation *c, const char *text)
{
    struct error e;
    assert_int_equal(conversation_say(c, text, strlen(text), &e), 0);
}

static void answer(struct conversation *c, const char *json)
{
    struct error e;
    json_t *message = json_loads(json, 0, NULL);
    assert_non_null(message);
    assert_int_equal(conversation_add_answer(c, message, &e), 0);
}

/* Ends it. */
static void assert_said(struct conversation *c, const char *expected)
{
    char *text = json_dumps(c->messages, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    conversation_free(c);
}

#define PLAIN "{\"role\":\"assistant\",\"content\":\"Yes\"}"
#define CALL(id, name)                                                        \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name \
    "\",\"arguments\":\"{}\"}}"
#define CALLS                                                                 \
    "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[" CALL(         \
        "a", "left") "," CALL("b", "right") "]}"

static void questions_and_answers_take_turns(void **state)
{
    (void)state;
    struct conversation c;
    begin(&c, NULL);
    assert_false(conversation_is_asked(&c));
    say(&c, "Well?");
    assert_true(conversation_is_asked(&c));
    answer(&c, PLAIN);
    assert_false(conversation_is_asked(&c));
    assert_said(&c, "[{\"role\":\"user\",\"content\":\"Well?\"}," PLAIN "]");
}

static void results_belong_to_calls_in_their_order(void **state)
{
    (void)state;
    struct conversation c;
    begin(&c, NULL);
    say(&c, "Go");
    assert_null(conversation_called(&c));
    answer(&c, CALLS);
    assert_string_equal(conversation_called(&c), "left");
    say(&c, "1");
    assert_string_equal(conversation_called(&c), "right");
    assert_false(conversation_is_asked(&c));
    say(&c, "2");
    assert_null(conversation_called(&c));
    assert_true(conversation_is_asked(&c));
    assert_said(&c, "[{\"role\":\"user\",\"content\":\"Go\"}," CALLS
                    ",{\"role\":\"tool\",\"content\":\"1\","
                    "\"tool_call_id\":\"a\"},"
                    "{\"role\":\"tool\",\"content\":\"2\","
                    "\"tool_call_id\":\"b\"}]");
}

static void a_new_conversation_keeps_the_system(void **state)
{
    (void)state;
    struct conversation c;
    begin(&c, "Be kind.");
    say(&c, "Hi");
    answer(&c, PLAIN);
    conversation_clear(&c);
    assert_said(&c, "[{\"role\":\"system\",\"content\":\"Be kind.\"}]");
}

static void the_system_can_change_and_go(void **state)
{
    (void)state;
    struct conversation c;
    struct error e;
    begin(&c, NULL);
    say(&c, "Hi");
    assert_int_equal(conversation_set_system(&c, "One", &e), 0);
    assert_int_equal(conversation_set_system(&c, "Two", &e), 0);
    assert_int_equal(json_array_size(c.messages), 2);
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(c.messages, 0), "content")),
                        "Two");
    assert_int_equal(conversation_set_system(&c, "", &e), 0);
    assert_said(&c, "[{\"role\":\"user\",\"content\":\"Hi\"}]");
}

static void an_answer_is_taken_back_with_its_results(void **state)
{
    (void)state;
    struct conversation c;
    begin(&c, NULL);
    assert_false(conversation_take_back(&c));
    say(&c, "Go");
    assert_false(conversation_take_back(&c));
    answer(&c, CALLS);
    say(&c, "1");
    assert_true(conversation_take_back(&c));
    assert_true(conversation_is_asked(&c));
    assert_said(&c, "[{\"role\":\"user\",\"content\":\"Go\"}]");
}

static void only_what_got_no_answer_is_taken_back(void **state)
{
    (void)state;
    struct conversation c;
    begin(&c, NULL);
    say(&c, "Go");
    answer(&c, PLAIN);
    conversation_take_back_question(&c);
    assert_int_equal(json_array_size(c.messages), 2);
    say(&c, "And?");
    conversation_take_back_question(&c);
    assert_int_equal(json_array_size(c.messages), 2);
    conversation_free(&c);
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    struct conversation c;
    struct error e;
    begin(&c, NULL);
    assert_int_equal(conversation_say(&c, "\xFF", 1, &e), -1);
    assert_string_equal(e.message, "this is no text in UTF-8");
    assert_int_equal(conversation_set_system(&c, "\xC3", &e), -1);
    assert_said(&c, "[]");
}

static void tools_are_read_and_saved(void **state)
{
    (void)state;
    struct conversation c;
    struct error e;
    static const char tools[] =
        "[{\"type\":\"function\",\"function\":{\"name\":\"left\"}}]";
    write_file("tools.json", tools, strlen(tools));
    assert_int_equal(conversation_init(&c, NULL, "tools.json", &e), 0);
    say(&c, "Go");
    assert_int_equal(conversation_save(&c, "m", "a.json", &e), 0);
    json_t *saved = json_load_file("a.json", 0, NULL);
    assert_string_equal(json_string_value(json_object_get(saved, "model")),
                        "m");
    assert_true(json_equal(json_object_get(saved, "messages"), c.messages));
    assert_true(json_equal(json_object_get(saved, "tools"), c.tools));
    json_decref(saved);
    conversation_free(&c);
}

static void what_are_no_tools_is_refused(void **state)
{
    (void)state;
    struct conversation c;
    struct error e;
    write_file("tools.json", "[{\"type\": \"tool\"}]", 18);
    assert_int_equal(conversation_init(&c, NULL, "tools.json", &e), -1);
    assert_non_null(strstr(e.message, "tools.json: [0].type: "));
    assert_int_equal(conversation_init(&c, NULL, "none.json", &e), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_and_answers_take_turns),
        cmocka_unit_test(results_belong_to_calls_in_their_order),
        cmocka_unit_test(a_new_conversation_keeps_the_system),
        cmocka_unit_test(the_system_can_change_and_go),
        cmocka_unit_test(an_answer_is_taken_back_with_its_results),
        cmocka_unit_test(only_what_got_no_answer_is_taken_back),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test_setup_teardown(tools_are_read_and_saved,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(what_are_no_tools_is_refused,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("conversation", tests, NULL, NULL);
}
