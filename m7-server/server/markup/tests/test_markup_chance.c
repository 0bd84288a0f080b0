/* Anything may come: of texts made by chance the same is told, however they
 * are cut. */
#include "test_events.h"

static const char *const chance_words[] = {
    "<tool_call>",
    "</tool_call>",
    "{\"name\": \"f\"",
    ", \"arguments\": ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "f",
    "g(",
    "a=1",
    ":",
    ",",
    "<think>",
    "</think>",
    "\n",
    " ",
    "<function=f>",
    "<parameter=a>",
    "</parameter>",
    "</function>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "\xC3\xA9",
    "call:",
    "<|tool_call>",
    "<tool_call|>",
    "<|channel|>",
    "<|message|>",
    " to=functions.f",
    "<|end|>",
    "```tool_code",
    "\\",
    "null",
    "1",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<|\"|>",
    "\xF0\x9F",
    "{\"name\": \"g\", \"arguments\": {}}",
    "`",
    "\\n",
    "so",
};
static const char *const chance_markups[] = {
    "hermes", "qwen3-coder", "glm-4.5", "mistral",    "pythonic",
    "gemma3", "gemma4",      "harmony", "llama3-json"};

/* A text of twelve of these words; `z` is the state of a generator of chance
 * (Knuth's MMIX). */
static void text_by_chance(uint64_t *z, char text[512])
{
    size_t n = sizeof chance_words / sizeof *chance_words;
    text[0] = '\0';
    for (int w = 0; w < 12; w++) {
        *z = *z * 6364136223846793005u + 1442695040888963407u;
        strcat(text, chance_words[(*z >> 33) % n]);
    }
}

static void assert_told_alike(const struct told *a, const struct told *b,
                              const char *text)
{
    bool alike = a->n_calls == b->n_calls &&
                 a->content.size == b->content.size &&
                 a->reasoning.size == b->reasoning.size;
    for (size_t i = 0; alike && i < a->n_calls; i++)
        alike = a->calls[i].arguments.size == b->calls[i].arguments.size;
    if (!alike)
        print_error("%s\n", text);
    assert_true(alike);
}

/* Texts of marks and signs by chance: whatever is told, cutting changes
 * nothing. */
static void texts_by_chance_are_cut_anywhere(void **state)
{
    (void)state;
    uint64_t z = 1;
    for (int n = 0; n < 3000; n++) {
        char text[512];
        struct told whole, apart;
        const char *name = chance_markups[n % 9];
        bool harmony = strcmp(name, "harmony") == 0;
        struct markup_options o = {
            .markup = markup_named(name),
            .thinking = thinking_named(harmony ? "harmony" : "think"),
            .thinking_open = n % 2,
            .thinking_off = n % 4 < 2};
        text_by_chance(&z, text);
        tell_all(o, text, strlen(text), 0, &whole);
        tell_all(o, text, strlen(text), SIZE_MAX, &apart);
        assert_told_alike(&whole, &apart, text);
        told_free(&whole);
        told_free(&apart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_by_chance_are_cut_anywhere),
    };
    return cmocka_run_group_tests_name("markup by chance", tests, NULL, NULL);
}
