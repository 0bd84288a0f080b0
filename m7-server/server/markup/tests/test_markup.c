/* A model's text is taken apart while it comes.  What users report of other
 * engines stands first; test_markup_goldens.c has the families' texts. */
#include "test_events.h"

static json_t *tools_named(const char *first, const char *second)
{
    return json_pack("[{s:s, s:{s:s}}, {s:s, s:{s:s}}]", "type", "function",
                     "function", "name", first, "type", "function", "function",
                     "name", second);
}

/* Read a text, byte by byte, with the tools "f" and "g". */
static struct told read_text(const char *markup, const char *thinking,
                             const char *text, bool open)
{
    struct told t;
    json_t *tools = tools_named("f", "g");
    struct markup_options o = {
        .markup = markup ? markup_named(markup) : NULL,
        .thinking = thinking ? thinking_named(thinking) : NULL,
        .thinking_open = open,
        .tools = tools,
        .seed = 7,
    };
    tell_all(o, text, strlen(text), SIZE_MAX, &t);
    json_decref(tools);
    return t;
}

static void assert_text(const struct bytes *b, const char *expected)
{
    assert_int_equal(b->size, strlen(expected));
    if (b->size > 0)
        assert_memory_equal(b->data, expected, b->size);
}

static void assert_call(const struct told_call *c, const char *name,
                        const char *arguments, const char *end)
{
    assert_string_equal(c->name.data, name);
    assert_text(&c->arguments, arguments);
    assert_non_null(c->end);
    assert_string_equal(c->end, end);
}

/* --- users' reports ---------------------------------------------------- */

static void parallel_calls_stay_apart(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"hermes",
         "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"
         "</tool_call>\n<tool_call>\n{\"name\": \"g\", \"arguments\": "
         "{\"b\": 2}}\n</tool_call>"},
        {"hermes", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"
                   "{\"name\": \"g\", \"arguments\": {\"b\": 2}}</tool_call>"},
        {"mistral", "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": "
                    "{\"a\": 1}}, {\"name\": \"g\", \"arguments\": "
                    "{\"b\": 2}}]"},
        {"mistral", "[TOOL_CALLS]f[ARGS]{\"a\": 1}[TOOL_CALLS]g[ARGS]"
                    "{\"b\": 2}"},
        {"llama3-json", "{\"name\": \"f\", \"parameters\": {\"a\": 1}}; "
                        "{\"name\": \"g\", \"parameters\": {\"b\": 2}}"},
        {"pythonic", "[f(a=1), g(b=2)]"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct told t = read_text(texts[i][0], NULL, texts[i][1], false);
        assert_int_equal(t.n_calls, 2);
        assert_call(&t.calls[0], "f", "{\"a\": 1}", "end");
        assert_call(&t.calls[1], "g", "{\"b\": 2}", "end");
        assert_text(&t.content, "");
        told_free(&t);
    }
}

static void phi_4_minis_calls_are_calls(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<|tool_call|>[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]"
        "<|/tool_call|>",
        "functools[{\"name\": \"f\", \"arguments\": {\"a\": 1}}]",
        "<|tool_call|>{\"type\": \"function\", \"function\": {\"name\": "
        "\"f\", \"arguments\": {\"a\": 1}}}<|/tool_call|>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct told t = read_text("phi4-mini", NULL, texts[i], false);
        assert_int_equal(t.n_calls, 1);
        assert_call(&t.calls[0], "f", "{\"a\": 1}", "end");
        assert_text(&t.content, "");
        told_free(&t);
    }
}

static void a_thinking_block_does_not_swallow_a_call(void **state)
{
    (void)state;
    struct told t = read_text("hermes", "think",
                              "I call f.\n<tool_call>\n{\"name\": \"f\", "
                              "\"arguments\": {}}\n</tool_call>",
                              true);
    assert_text(&t.reasoning, "I call f.");
    assert_int_equal(t.n_calls, 1);
    assert_call(&t.calls[0], "f", "{}", "end");
    told_free(&t);
}

static void a_call_that_is_only_thought_of_is_a_thought(void **state)
{
    (void)state;
    static const char text[] =
        "Shall I write <tool_call>{\"name\": \"f\", \"arguments\": {}}"
        "</tool_call> or\n<tool_call>{\"name\": \"h\", \"arguments\": {}}"
        "</tool_call>?";
    struct told t = read_text("hermes", "think", text, true);
    assert_text(&t.reasoning, text);
    assert_int_equal(t.n_calls, 0);
    told_free(&t);
}

static void arguments_do_not_end_up_as_prose(void **state)
{
    (void)state;
    struct told t =
        read_text("hermes", NULL,
                  "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": oops}}"
                  "</tool_call> Done.",
                  false);
    assert_int_equal(t.n_calls, 1);
    assert_call(&t.calls[0], "f", "{\"a\": oops}}", "bad");
    assert_text(&t.content, "Done.");
    told_free(&t);
    t = read_text("hermes", NULL,
                  "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"b",
                  false);
    assert_call(&t.calls[0], "f", "{\"a\": \"b", "cut");
    assert_text(&t.content, "");
    told_free(&t);
}

/* --- what comes when ---------------------------------------------------- */

/* Where no tools were shown, what is addressed to one is a thought. */
static void without_a_markup_nothing_is_a_call(void **state)
{
    (void)state;
    static const char text[] =
        "<|channel|>commentary to=functions.f<|message|>{}<|end|><|start|>"
        "assistant<|channel|>final<|message|>Yes.";
    struct told t = read_text(NULL, "harmony", text, false);
    assert_int_equal(t.n_calls, 0);
    assert_text(&t.reasoning, "{}");
    assert_text(&t.content, "Yes.");
    told_free(&t);
}

/* The name is told before the arguments are there, and they as they come. */
static void a_call_is_told_while_it_comes(void **state)
{
    (void)state;
    struct told t = {0};
    struct error e;
    struct markup_options o = {
        .markup = markup_named("hermes"), .event = told_event, .context = &t};
    struct markup_parser *p = markup_begin(&o, &e);
    static const char *const pieces[] = {
        "<tool_call>{\"name\": \"f\", \"arguments\": ", "{\"a\"", ": \"bc",
        "d\"}"};
    static const char *const arguments[] = {"", "{\"a\"", "{\"a\": \"bc",
                                            "{\"a\": \"bcd\"}"};
    for (size_t i = 0; i < 4; i++) {
        assert_ok(markup_put(p, pieces[i], strlen(pieces[i]), &e), &e);
        assert_int_equal(t.n_calls, i > 0);
        assert_text(&t.calls[0].arguments, arguments[i]);
    }
    assert_ok(markup_end(p, &e), &e);
    markup_free(p);
    told_free(&t);
}

static void text_without_marks_passes_at_once(void **state)
{
    (void)state;
    struct told t = {0};
    struct error e;
    struct markup_options o = {.markup = markup_named("hermes"),
                               .thinking = thinking_named("think"),
                               .event = told_event,
                               .context = &t};
    struct markup_parser *p = markup_begin(&o, &e);
    assert_ok(markup_put(p, "Hel", 3, &e), &e);
    assert_text(&t.content, "Hel");
    assert_ok(markup_put(p, "lo <t", 5, &e), &e);
    assert_text(&t.content, "Hello");
    assert_ok(markup_put(p, "here", 4, &e), &e);
    assert_text(&t.content, "Hello <there");
    assert_ok(markup_end(p, &e), &e);
    markup_free(p);
    told_free(&t);
}

static void nobody_sees_half_a_character_or_a_broken_one(void **state)
{
    (void)state;
    struct told t = read_text(NULL, NULL, "\xC3\xA9\xF0\x9F\x98\x80", false);
    assert_text(&t.content, "\xC3\xA9\xF0\x9F\x98\x80");
    assert_int_equal(t.n_events, 2);
    told_free(&t);
    t = read_text(NULL, NULL, "a\xFFz\xE2\x82", false);
    assert_text(&t.content, "a\xEF\xBF\xBDz\xEF\xBF\xBD");
    told_free(&t);
}

static void after_the_last_call_that_may_be_nothing_is_told(void **state)
{
    (void)state;
    struct told t;
    static const char text[] =
        "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {}}, {\"name\": "
        "\"g\", \"arguments\": {}}] and more";
    struct markup_options o = {.markup = markup_named("mistral"),
                               .most_calls = 1};
    tell_all(o, text, sizeof text - 1, SIZE_MAX, &t);
    assert_int_equal(t.n_calls, 1);
    assert_text(&t.content, "");
    told_free(&t);
}

/* --- ids ---------------------------------------------------------------- */

static bool is_hex(const char *text, size_t n)
{
    return strspn(text, "0123456789abcdef") == n && strlen(text) == n;
}

static void ids_are_those_of_the_seed_and_differ(void **state)
{
    (void)state;
    static const char text[] = "[f(), g()]";
    struct told t = read_text("pythonic", NULL, text, false);
    struct told again = read_text("pythonic", NULL, text, false);
    const char *a = t.calls[0].id.data, *b = t.calls[1].id.data;
    assert_memory_equal(a, "call_", 5);
    assert_true(is_hex(a + 5, 24));
    assert_string_not_equal(a, b);
    assert_string_equal(a, again.calls[0].id.data);
    assert_string_equal(b, again.calls[1].id.data);
    told_free(&t);
    told_free(&again);
}

static void a_family_may_have_ids_of_its_own(void **state)
{
    (void)state;
    struct told t =
        read_text("mistral-v11", NULL, "[TOOL_CALLS]f[ARGS]{}", false);
    assert_int_equal(strlen(t.calls[0].id.data), 9);
    told_free(&t);
    t = read_text("mistral-v11", NULL,
                  "[TOOL_CALLS]f[CALL_ID]abc123xyz[ARGS]{}", false);
    assert_string_equal(t.calls[0].id.data, "abc123xyz");
    told_free(&t);
    t = read_text("kimi-k2", NULL,
                  "<|tool_call_begin|>functions.f:3"
                  "<|tool_call_argument_begin|>{}<|tool_call_end|>",
                  false);
    assert_string_equal(t.calls[0].id.data, "functions.f:3");
    told_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_calls_stay_apart),
        cmocka_unit_test(phi_4_minis_calls_are_calls),
        cmocka_unit_test(a_thinking_block_does_not_swallow_a_call),
        cmocka_unit_test(a_call_that_is_only_thought_of_is_a_thought),
        cmocka_unit_test(arguments_do_not_end_up_as_prose),
        cmocka_unit_test(without_a_markup_nothing_is_a_call),
        cmocka_unit_test(a_call_is_told_while_it_comes),
        cmocka_unit_test(text_without_marks_passes_at_once),
        cmocka_unit_test(nobody_sees_half_a_character_or_a_broken_one),
        cmocka_unit_test(after_the_last_call_that_may_be_nothing_is_told),
        cmocka_unit_test(ids_are_those_of_the_seed_and_differ),
        cmocka_unit_test(a_family_may_have_ids_of_its_own),
    };
    return cmocka_run_group_tests_name("markup", tests, NULL, NULL);
}
