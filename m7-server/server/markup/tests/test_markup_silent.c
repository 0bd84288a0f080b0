/* Where thinking is off a thought that begins late is a thought, and not said:
 * whole, cut at every byte, and byte by byte. */
#include "test_events.h"

struct late {
    const char *markup, *thinking; /* NULL: none */
    const char *text, *reasoning, *content;
    size_t n_calls;
};

static bool told_is(const struct bytes *told, const char *expected)
{
    size_t n = strlen(expected);
    return told->size == n && (n == 0 || !memcmp(told->data, expected, n));
}

static void expect_cut(const struct markup_options *o, const struct late *l,
                       size_t cut)
{
    struct told t;
    tell_all(*o, l->text, strlen(l->text), cut, &t);
    bool same = told_is(&t.reasoning, l->reasoning) &&
                told_is(&t.content, l->content) && t.n_calls == l->n_calls;
    if (!same)
        print_error("%s\ncut at %zu: thinks \"%.*s\", says \"%.*s\"\n",
                    l->text, cut, (int)t.reasoning.size, t.reasoning.data,
                    (int)t.content.size, t.content.data);
    assert_true(same);
    told_free(&t);
}

static void expect(const struct late *l, bool off)
{
    const struct markup_options o = {
        .markup = l->markup ? markup_named(l->markup) : NULL,
        .thinking = l->thinking ? thinking_named(l->thinking) : NULL,
        .thinking_off = off};
    for (size_t cut = 0; cut <= strlen(l->text); cut++)
        expect_cut(&o, l, cut);
    expect_cut(&o, l, SIZE_MAX);
}

static void a_late_thought_is_not_said(void **state)
{
    (void)state;
    static const struct late lates[] = {
        {NULL, "think", "Sure. <think>2 < 3</think> Yes.", "2 < 3",
         "Sure. Yes.", 0},
        {NULL, "think", "Sure.<think>\nhm\n</think>\n\nYes.", "hm",
         "Sure.Yes.", 0},
        {NULL, "think", "Sure.\n\n<think>\nhm\n</think>\n\nYes.", "hm",
         "Sure.\n\nYes.", 0},
        {NULL, "think", "a <think>b</think> c <think>d</think> e", "bd",
         "a c e", 0},
        {NULL, "think", "<think>b</think>\n<think>d</think>\ne", "bd", "e", 0},
        {NULL, "think", "a <think>b", "b", "a ", 0},
        {NULL, "think", "a <think>", "", "a ", 0},
        {NULL, "think", "a <thin", "", "a <thin", 0},
        {NULL, "think", "\xC3\xA9 <think>\xE6\x97\xA5</think>\xF0\x9F\x98\x80",
         "\xE6\x97\xA5", "\xC3\xA9 \xF0\x9F\x98\x80", 0},
        {NULL, "mistral", "a [THINK]b[/THINK] c", "b", "a c", 0},
        {NULL, "seed", "a\n<seed:think>b</seed:think>\nc", "b", "a\nc", 0},
        {NULL, "exaone", "a\n<thought>b</thought>\nc", "b", "a\nc", 0},
        {NULL, "apertus", "a<|inner_prefix|>b<|inner_suffix|>c", "b", "ac", 0},
        {NULL, "gemma4", "a <|channel>thought\nb<channel|>c", "b", "a c", 0},
        {NULL, "command-r7b",
         "<|START_RESPONSE|>a<|START_THINKING|>b<|END_THINKING|>c"
         "<|END_RESPONSE|>",
         "b", "ac", 0},
        {NULL, "granite", "<response>a <think>b</think> c</response>", "b",
         "a c", 0},
        {NULL, "harmony",
         "<|channel|>final<|message|>a<|end|><|start|>assistant<|channel|>"
         "analysis<|message|>b<|end|><|start|>assistant<|channel|>final"
         "<|message|>c",
         "b", "ac", 0},
    };
    for (size_t i = 0; i < sizeof lates / sizeof *lates; i++)
        expect(&lates[i], true);
}

static void a_call_may_stand_before_or_behind_it(void **state)
{
    (void)state;
#define CALL "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
    static const struct late lates[] = {
        {"hermes", "think", "a " CALL "\n<think>b</think>\nc", "b", "ac", 1},
        {"hermes", "think", "a <think>b</think>\n" CALL, "b", "a ", 1},
        {"hermes", "think", "a <think>b\n" CALL, "b", "a ", 1},
        {"hermes", "think", "a (" CALL "<think>b</think>c", "b", "a (c", 1},
        {"hermes", "think", "(<think></think>`" CALL " <think>b</think>c",
         "b", "(<think></think>`c", 1},
        {"hermes", "think", CALL " <think>b</think>\n" CALL, "b", "", 2},
        {"hermes", "think",
         "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"b <think>"
         "c</think>\"}}\n</tool_call>",
         "", "", 1},
        {"qwen3-coder", "think",
         "<tool_call>\n<function=f>\n<parameter=a>\n<think>\nb\n</parameter>\n"
         "</function>\n</tool_call>",
         "", "", 1},
    };
    for (size_t i = 0; i < sizeof lates / sizeof *lates; i++)
        expect(&lates[i], true);
}

/* The filter let it pass, for it stood in a value. */
static void in_what_was_no_call_it_is_a_word(void **state)
{
    (void)state;
    static const struct late lates[] = {
        {"hermes", "think", "a <tool_call> {\"b\": \"c <think> d\"} e", "",
         "a <tool_call> {\"b\": \"c <think> d\"} e", 0},
        {"hermes", "think", "a <tool_call> {\"name\": \"c <think> d\" e", "",
         "a <tool_call> {\"name\": \"c <think> d\" e", 0},
        {"hermes", "think",
         "a <tool_call> {\"b\": \"<tool_call> c <think> d\"} "
         "<think>e</think> f",
         "e", "a <tool_call> {\"b\": \"<tool_call> c <think> d\"} f", 0},
        {"hermes", "think", "a <tool_call> <think>b</think> c", "b",
         "a <tool_call> c", 0},
        {"hermes", "think",
         "a <tool_call> {\"name\": \"f\", <think>b</think> c", "b",
         "a <tool_call> {\"name\": \"f\", c", 0},
    };
    for (size_t i = 0; i < sizeof lates / sizeof *lates; i++)
        expect(&lates[i], true);
}

static void a_mark_that_is_quoted_is_a_word(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Between `<think>` and `</think>`.", "s.split(\"<think>\")[1]",
        "re.sub(r'<think>.*?</think>', '')", "(<think>|</think>)",
        "prompt + \"\\n<think>\\n\"",        "a\\<think>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct late l = {NULL, "think", texts[i], "", texts[i], 0};
        expect(&l, true);
    }
}

/* Nobody has turned it off: a mark in what is said is a word. */
static void else_a_late_mark_is_a_word(void **state)
{
    (void)state;
    static const char text[] = "Sure. <think>hm</think> Yes.";
    const struct late l = {NULL, "think", text, "", text, 0};
    expect(&l, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_thought_is_not_said),
        cmocka_unit_test(a_call_may_stand_before_or_behind_it),
        cmocka_unit_test(in_what_was_no_call_it_is_a_word),
        cmocka_unit_test(a_mark_that_is_quoted_is_a_word),
        cmocka_unit_test(else_a_late_mark_is_a_word),
    };
    return cmocka_run_group_tests_name("markup, silent", tests, NULL, NULL);
}
