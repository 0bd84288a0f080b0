/* Every recorded text means what it was made from, whole and cut at every
 * byte: tests/markup/, written by tests/oracle/markup/markup_goldens.py. */
#include "json.h"
#include "test_events.h"
#include "test_run.h"

#undef fail /* cmocka's; here it is ours */

/* The text of a golden, and what to read it with. */
struct recorded {
    const json_t *line;
    struct markup_options options;
    const char *text;
    size_t size;
};

static bool same(const struct bytes *told, const json_t *expected)
{
    size_t size = json_string_length(expected);
    return told->size == size &&
           (size == 0 ||
            memcmp(told->data, json_string_value(expected), size) == 0);
}

static bool same_call(const struct told_call *c, const json_t *expected)
{
    const char *name = json_string_value(json_array_get(expected, 0));
    const char *end = json_string_value(json_array_get(expected, 2));
    return strcmp(c->name.data, name) == 0 && c->end &&
           strcmp(c->end, end) == 0 &&
           same(&c->arguments, json_array_get(expected, 1));
}

static bool same_all(const struct told *t, const json_t *line)
{
    const json_t *calls = json_object_get(line, "calls");
    bool equal = same(&t->reasoning, json_object_get(line, "reasoning")) &&
                 same(&t->content, json_object_get(line, "content")) &&
                 t->n_calls == json_array_size(calls) &&
                 t->cut == json_is_true(json_object_get(line, "cut"));
    for (size_t i = 0; equal && i < t->n_calls; i++)
        equal = same_call(&t->calls[i], json_array_get(calls, i));
    return equal;
}

static void print_told(const struct told *t)
{
    print_error("reasoning \"%.*s\"\ncontent \"%.*s\"\n%s",
                (int)t->reasoning.size, t->reasoning.data,
                (int)t->content.size, t->content.data, t->cut ? "cut\n" : "");
    for (size_t i = 0; i < t->n_calls; i++)
        print_error("call %s %.*s %s\n", t->calls[i].name.data,
                    (int)t->calls[i].arguments.size,
                    t->calls[i].arguments.data, t->calls[i].end);
}

static bool check(const struct recorded *r, const char *markup, size_t cut)
{
    struct told t;
    tell_all(r->options, r->text, r->size, cut, &t);
    bool equal = same_all(&t, r->line);
    if (!equal) {
        char *line = json_dumps(r->line, 0);
        print_error("%s, cut at %zu:\n%s\n", markup, cut, line);
        print_told(&t);
        free(line);
    }
    told_free(&t);
    return equal;
}

/* 0, or 1 when a way of cutting the text gives something else. */
static int check_line(const struct markup_options *options, const char *markup,
                      const json_t *line)
{
    const json_t *text = json_object_get(line, "text");
    struct recorded r = {line, *options, json_string_value(text),
                         json_string_length(text)};
    r.options.thinking_open = json_is_true(json_object_get(line, "open"));
    bool equal = check(&r, markup, 0) && check(&r, markup, SIZE_MAX);
    for (size_t cut = 1; equal && cut < r.size; cut++)
        equal = check(&r, markup, cut);
    return !equal;
}

static json_t *parse_line(const char *text, size_t size, const char *path)
{
    struct error e = {ERROR_NONE, ""};
    json_t *line = json_parse(text, size, path, 0, &e);
    assert_ok(line ? 0 : -1, &e);
    return line;
}

static json_t *read_tools(void)
{
    struct error e = {ERROR_NONE, ""};
    char *path = test_path("markup/tools.json");
    json_t *tools = json_read_file(path, &e);
    assert_ok(tools ? 0 : -1, &e);
    free(path);
    return tools;
}

static struct bytes read_lines(const char *name)
{
    char part[64];
    snprintf(part, sizeof part, "markup/%s.jsonl", name);
    char *path = test_path(part);
    struct bytes text = {0};
    struct error e;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&text, f, path, &e), &e);
    fclose(f);
    free(path);
    return text;
}

/* The state is the name of a markup. */
static void its_texts_mean_what_they_were_made_from(void **state)
{
    const char *name = *state;
    struct bytes text = read_lines(name);
    struct markup_options options = {.tools = read_tools()};
    int lines = 0, wrong = 0;
    for (size_t at = 0; at < text.size; lines++) {
        size_t end = at;
        while (text.data[end] != '\n')
            end++;
        json_t *line = parse_line(text.data + at, end - at, name);
        const char *thinking =
            json_string_value(json_object_get(line, "thinking"));
        if (lines == 0) {
            options.markup = markup_named(name);
            options.thinking = thinking ? thinking_named(thinking) : NULL;
            assert_non_null(options.markup);
        } else {
            wrong += check_line(&options, name, line);
        }
        json_decref(line);
        at = end + 1;
    }
    assert_true(lines > 40);
    assert_int_equal(wrong, 0);
    json_decref((json_t *)options.tools);
    bytes_free(&text);
}

int main(void)
{
    static const char *const names[] = {
        "hermes",      "qwen3-coder",   "seed",      "minimax-m2",
        "glm-4.5",     "llama3-json",   "pythonic",  "lfm2",
        "olmo3",       "gemma3",        "gemma4",    "functiongemma",
        "mistral",     "mistral-v11",   "granite",   "phi4-mini",
        "deepseek-v3", "deepseek-v3.1", "kimi-k2",   "command-r7b",
        "nemotron",    "tool_calls",    "harmony",   "llama4-json",
        "xlam",        "glm-4",         "internlm2", "granite-20b-fc",
    };
    enum markup_count {
        N = sizeof names / sizeof *names
    };
    struct CMUnitTest tests[N];
    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){
            names[i], its_texts_mean_what_they_were_made_from, NULL, NULL,
            (void *)(uintptr_t)names[i]};
    return cmocka_run_group_tests_name("markup goldens", tests, NULL, NULL);
}
