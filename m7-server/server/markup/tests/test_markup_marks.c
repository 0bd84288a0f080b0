/* A template shows which markup a model has, and a prompt whether thinking
 * is open. */
#include "test_events.h"

/* Parts of chat templates by which a family is known. */
static const char *const families[][2] = {
    {"For each call, within <tool_call></tool_call>: {\"name\"", "hermes"},
    {"<tool_call>\n<function=example_function_name>", "qwen3-coder"},
    {"<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>",
     "glm-4.5"},
    {"'[TOOL_CALLS] [' + out", "mistral"},
    {"'[TOOL_CALLS]' + name + '[ARGS]' + arguments", "mistral-v11"},
    {"'<|python_tag|>' + tool_call.name + \".call(\"", "llama3-json"},
    {"'<|header_start|>assistant<|header_end|>\n\n'", "pythonic"},
    {"<|tool_list_start|>[", "lfm2"},
    {"'<|tool|>' + tools + '<|/tool|>'", "phi4-mini"},
    {"'<|start_of_role|>' ... '<|tool_call|>'", "granite"},
    {"'<|function_call_library|>' '<function_call> '", "granite-20b-fc"},
    {"'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + type + "
     "'<｜tool▁sep｜>' + name + '\n' + '```json'",
     "deepseek-v3"},
    {"'<｜tool▁call▁begin｜>'+ name + '<｜tool▁sep｜>' + arguments",
     "deepseek-v3.1"},
    {"<|tool_call_begin|>{{ id }}<|tool_call_argument_begin|>", "kimi-k2"},
    {"<|start|>assistant<|channel|>final<|message|>", "harmony"},
    {"'<|tool_call>call:' + name + '{'", "gemma4"},
    {"<start_function_call>call:", "functiongemma"},
    {"'<start_of_turn>' + role", "gemma3"},
    {"<|START_ACTION|>[", "command-r7b"},
    {"<seed:tool_call>\n<function=", "seed"},
    {"'<|header_start|>' '{\"name\": \"' '\"parameters\": '",
     "llama4-json"},
    {"[{\"name\": \"tool_call_name\", \"arguments\": {", "xlam"},
    {"[gMASK]<sop>{%- if tools -%}<|system|>\n# 可用工具", "glm-4"},
    {"<|action_start|><|plugin|>\n", "internlm2"},
    {"'<|im_start|>system' 'List of tools: ['", "lfm2"},
};

static void a_template_shows_its_markup(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct markup *m = markup_of_template(families[i][0]);
        assert_non_null(m);
        assert_string_equal(markup_name(m), families[i][1]);
    }
    assert_null(markup_of_template("{{ messages[0].content }}"));
    assert_null(markup_of_template("']<]minimax[>[<tool_call>'"));
    assert_null(markup_of_template("<function_call>f()</function_call>"));
    assert_null(markup_named("no such"));
}

/* Where no tool may be called, there is a mark that must not come. */
static void expect_opening(void *context, const char *name)
{
    (void)context;
    assert_non_null(markup_opening(markup_named(name), 0));
}

static void each_family_has_a_mark_to_forbid(void **state)
{
    assert_true(each_markup(expect_opening, *state) > 20);
}

/* Does a text stand in a call of f? */
static bool is_calling(const struct markup *m, const char *text)
{
    struct error e;
    json_t *tools = json_pack("[{s:{s:s}}]", "function", "name", "f");
    struct markup_options options = {.markup = m, .tools = tools};
    struct markup_parser *p = markup_begin(&options, &e);
    assert_non_null(p);
    assert_int_equal(markup_put(p, text, strlen(text), &e), 0);
    bool is = markup_is_calling(p);
    markup_free(p);
    json_decref(tools);
    return is;
}

/* How the families go on behind a call's name, to where a value stands. */
static const char *const values_begin[] = {
    "\"a",
    "{\"a\": \"b",
    "<parameter=a>\nb",
    "<arg_key>a</arg_key>\n<arg_value>b",
    "a=\"b",
    "a:<|\"|>b",
    "<parameter name=\"a\">b",
};

static bool is_calling_behind(const struct markup *m, const char *prefix)
{
    bool is = false;
    for (size_t i = 0; i < sizeof values_begin / sizeof *values_begin; i++) {
        struct bytes text = {0};
        bytes_add_string(&text, prefix);
        bytes_add_string(&text, values_begin[i]);
        bytes_add(&text, "", 1);
        is |= is_calling(m, text.data);
        bytes_free(&text);
    }
    return is;
}

/* In a call's value, but not where the mark is spoken of. */
static void expect_calling(void *context, const char *name)
{
    (void)context;
    const struct markup *m = markup_named(name);
    struct bytes text = {0};
    markup_prefix(m, "f", &text);
    bytes_add(&text, "", 1);
    if (!is_calling_behind(m, text.data))
        print_error("%s: %s\n", name, text.data);
    assert_true(is_calling_behind(m, text.data));
    text.size = 0;
    bytes_add_string(&text, "The mark ");
    bytes_add_string(&text, markup_opening(m, 0));
    bytes_add(&text, "", 1);
    assert_false(is_calling(m, text.data));
    bytes_free(&text);
}

static void each_family_shows_where_it_calls(void **state)
{
    each_markup(expect_calling, *state);
}

/* Between a call's name and its values a thought would be one. */
static void a_name_alone_is_no_value(void **state)
{
    (void)state;
    assert_false(is_calling(markup_named("hermes"),
                            "<tool_call>{\"name\": \"f\", "));
    assert_false(is_calling(markup_named("qwen3-coder"),
                            "<tool_call>\n<function=f>\n"));
    assert_false(is_calling(markup_named("glm-4.5"), "<tool_call>f\n"));
}

/* Wherever it stands: the parser goes on. */
static void put_with_zero(const char *name, const struct bytes *text,
                          size_t at)
{
    struct error e;
    struct markup_options options = {.markup = markup_named(name),
                                     .thinking = thinking_named(name)};
    struct markup_parser *p = markup_begin(&options, &e);
    assert_non_null(p);
    assert_int_equal(markup_put(p, text->data, at, &e), 0);
    assert_int_equal(markup_put(p, "", 1, &e), 0);
    assert_int_equal(markup_put(p, text->data + at, text->size - at, &e), 0);
    assert_int_equal(markup_end(p, &e), 0);
    markup_free(p);
}

static void put_with_zeros(void *context, const char *name)
{
    (void)context;
    struct bytes text = {0};
    markup_prefix(markup_named(name), "f", &text);
    bytes_add_string(&text, "{\"a\": \"b\"}");
    for (size_t at = 0; at <= text.size; at++)
        put_with_zero(name, &text, at);
    bytes_free(&text);
}

static void a_zero_byte_stops_nobody(void **state)
{
    each_markup(put_with_zeros, *state);
}

static void a_template_shows_its_thinking(void **state)
{
    (void)state;
    static const char *const templates[][2] = {
        {"'<think>\\n\\n</think>\\n\\n'", "think"},
        {"content.split('</think>')[-1]", "think"},
        {"'[THINK]' + text + '[/THINK]'", "mistral"},
        {"<think></think> and <response></response>", "granite"},
        {"'<think>' + thought, and results in '<response>'", "think"},
        {"'<|channel>thought\\n<channel|>'", "gemma4"},
        {"<|start|>assistant<|channel|>final<|message|>", "harmony"},
        {"<seed:think>", "seed"},
    };
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        const struct thinking *t = thinking_of_template(templates[i][0]);
        assert_non_null(t);
        assert_string_equal(thinking_name(t), templates[i][1]);
    }
    assert_null(thinking_of_template("<|im_start|>"));
    assert_null(thinking_named("no such"));
}

static bool is_open(const char *thinking, const char *prompt)
{
    return thinking_is_open(thinking_named(thinking), prompt, strlen(prompt));
}

static void a_prompt_may_open_thinking(void **state)
{
    (void)state;
    assert_true(is_open("think", "<|im_start|>assistant\n<think>\n"));
    assert_true(is_open("think", "<think>"));
    assert_false(is_open("think", "assistant\n<think>\n\n</think>\n\n"));
    assert_false(is_open("think", "What is <think>?<|im_end|>\nassistant\n"));
    assert_false(is_open("think", ""));
    assert_true(is_open("harmony", "<|channel|>analysis<|message|>"));
    assert_false(is_open("harmony", "<|channel|>final<|message|>"));
    assert_false(thinking_is_open(NULL, "<think>", 7));
}

static void special_tokens_are_known_as_marks(void **state)
{
    (void)state;
    const struct markup *m = markup_named("deepseek-v3");
    const struct thinking *t = thinking_named("think");
    assert_true(markup_has_mark(m, t, "<think>", 7));
    assert_true(
        markup_has_mark(m, NULL, "<｜tool▁sep｜>", strlen("<｜tool▁sep｜>")));
    assert_false(markup_has_mark(m, t, "<|im_end|>", 10));
    assert_false(markup_has_mark(NULL, NULL, "<think>", 7));
    assert_true(markup_has_mark(markup_named("gemma4"), NULL, "<|\"|>", 5));
}

static void the_names_can_be_listed(void **state)
{
    (void)state;
    struct bytes names = {0};
    markup_names(&names);
    assert_memory_equal(names.data, "harmony, gemma4, ", 17);
    names.size = 0;
    thinking_names(&names);
    assert_memory_equal(names.data, "harmony, gemma4, ", 17);
    bytes_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_shows_its_markup),
        cmocka_unit_test(each_family_has_a_mark_to_forbid),
        cmocka_unit_test(each_family_shows_where_it_calls),
        cmocka_unit_test(a_name_alone_is_no_value),
        cmocka_unit_test(a_zero_byte_stops_nobody),
        cmocka_unit_test(a_template_shows_its_thinking),
        cmocka_unit_test(a_prompt_may_open_thinking),
        cmocka_unit_test(special_tokens_are_known_as_marks),
        cmocka_unit_test(the_names_can_be_listed),
    };
    return cmocka_run_group_tests_name("markup marks", tests, NULL, NULL);
}
