/* A model's template is found wherever it stands, and gets messages as it can
 * show them. */
#include "chat_template.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const char turns[] =
    "{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}";

/* A folder of files that goes with the test. */
struct files {
    char folder[64], paths[4][128];
    int n;
};

static void make_folder(struct files *f)
{
    *f = (struct files){.folder = "/tmp/rung-template-XXXXXX"};
    assert_non_null(mkdtemp(f->folder));
}

static void add_file(struct files *f, const char *name, const char *text)
{
    char path[sizeof f->folder + 64];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    memcpy(f->paths[f->n++], path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_folder(struct files *f)
{
    char inner[128];
    while (f->n > 0)
        unlink(f->paths[--f->n]);
    snprintf(inner, sizeof inner, "%s/additional_chat_templates", f->folder);
    rmdir(inner);
    rmdir(f->folder);
}

static json_t *parse_json(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
    if (!value)
        print_error("%s: %s\n", text, error.text);
    assert_non_null(value);
    return value;
}

/* What is rendered, or the error's words; freed by the caller. */
static char *render(const struct chat_template *t, const char *messages,
                    const char *tools, bool *raised)
{
    struct chat_input input = {.messages = parse_json(messages),
                               .tools = tools ? parse_json(tools) : NULL,
                               .add_generation_prompt = true};
    struct chat_output out = {.raised = false};
    struct error e;
    int result = chat_template_render(t, &input, &out, &e);
    if (raised)
        *raised = out.raised;
    json_decref(input.messages);
    json_decref(input.tools);
    char *text =
        result ? strdup(e.message)
               : strndup(out.text.data ? out.text.data : "", out.text.size);
    bytes_free(&out.text);
    return text;
}

static void expect(const struct chat_template *t, const char *messages,
                   const char *tools, const char *expected)
{
    char *text = render(t, messages, tools, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static struct chat_template *open_model(const char *model)
{
    struct error e;
    struct chat_template *t = chat_template_open(model, &e);
    if (!t)
        print_error("%s\n", e.message);
    assert_non_null(t);
    return t;
}

static struct chat_template *parse_text(const char *text)
{
    struct error e;
    struct chat_template *t =
        chat_template_parse(text, strlen(text), "text", NULL, &e);
    if (!t)
        print_error("%s\n", e.message);
    assert_non_null(t);
    return t;
}

static const char hi[] = "[{\"role\": \"user\", \"content\": \"Hi\"}]";
static const char one_tool[] =
    "[{\"type\": \"function\", \"function\": {\"name\": \"f\"}}]";

static void without_a_template_it_is_chatml_and_a_warning(void **state)
{
    (void)state;
    struct files f;
    make_folder(&f);
    add_file(&f, "tokenizer_config.json", "{\"bos_token\": \"<s>\"}");
    struct chat_template *t = open_model(f.folder);
    assert_non_null(strstr(chat_template_warning(t), "no chat template"));
    expect(t, hi, NULL,
           "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
    chat_template_free(t);
    remove_folder(&f);
}

static void tokenizer_config_says_template_and_tokens(void **state)
{
    (void)state;
    struct files f;
    make_folder(&f);
    add_file(&f, "tokenizer_config.json",
             "{\"bos_token\": {\"content\": \"<s>\"}, \"eos_token\": null,"
             " \"chat_template\": [{\"name\": \"default\", \"template\":"
             " \"{{ bos_token }}d\"}, {\"name\": \"tool_use\", \"template\":"
             " \"{{ eos_token is defined }}t\"}]}");
    struct chat_template *t = open_model(f.folder);
    assert_null(chat_template_warning(t));
    expect(t, hi, NULL, "<s>d");
    expect(t, hi, one_tool, "Falset");
    expect(t, hi, "[]", "<s>d");
    chat_template_free(t);
    remove_folder(&f);
}

static void files_beside_it_go_before_it(void **state)
{
    (void)state;
    struct files f;
    char inner[128];
    make_folder(&f);
    snprintf(inner, sizeof inner, "%s/additional_chat_templates", f.folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    add_file(&f, "tokenizer_config.json", "{\"chat_template\": \"old\"}");
    add_file(&f, "chat_template.jinja", "new");
    add_file(&f, "additional_chat_templates/tool_use.jinja", "tools");
    struct chat_template *t = open_model(f.folder);
    expect(t, hi, NULL, "new");
    expect(t, hi, one_tool, "tools");
    chat_template_free(t);
    remove_folder(&f);
}

/* Written by the package gguf: tests/oracle/template/template_gguf.py. */
static void a_gguf_file_has_them_by_name(void **state)
{
    (void)state;
    char *path = test_path("templates/templates.gguf");
    struct chat_template *t = open_model(path);
    assert_null(chat_template_warning(t));
    expect(t, hi, NULL, "<s>Hi</s>");
    expect(t, hi, one_tool, "f<unk>");
    chat_template_free(t);
    free(path);
}

static void a_template_that_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    struct files f;
    struct error e;
    make_folder(&f);
    add_file(&f, "chat_template.jinja", "\n{% include 'x' %}");
    assert_null(chat_template_open(f.folder, &e));
    assert_non_null(strstr(e.message, "line 2: the tag 'include'"));
    remove_folder(&f);
}

static void what_a_template_raises_is_told_as_such(void **state)
{
    (void)state;
    struct chat_template *t =
        parse_text("{% if messages[0].role != 'user' %}"
                   "{{ raise_exception('users first') }}{% endif %}{{ x.y }}");
    bool raised;
    char *text = render(t, "[{\"role\": \"system\", \"content\": \"S\"}]",
                        NULL, &raised);
    assert_string_equal(text, "users first");
    assert_true(raised);
    free(text);
    text = render(t, hi, NULL, &raised);
    assert_string_equal(text, "text: line 1: 'x' is undefined");
    assert_false(raised);
    free(text);
    text = render(t, "[1]", NULL, &raised);
    assert_non_null(strstr(text, "expected an object"));
    free(text);
    chat_template_free(t);
}

static void parts_are_joined_for_a_template_that_knows_text(void **state)
{
    (void)state;
    static const char parts[] =
        "[{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": "
        "\"a\"}, {\"type\": \"text\", \"text\": \"b\"}]}]";
    struct chat_template *t = parse_text(turns);
    assert_false(chat_template_abilities(t, false)->parts);
    expect(t, parts, NULL, "user:ab;");
    chat_template_free(t);
    t = parse_text("{% for m in messages %}{% if m.content is string %}"
                   "{{ m.content }}{% else %}{% for p in m.content %}"
                   "[{{ p.text }}]{% endfor %}{% endif %}{% endfor %}");
    assert_true(chat_template_abilities(t, false)->parts);
    expect(t, parts, NULL, "[a][b]");
    chat_template_free(t);
}

/* The one call's arguments, written by `how`. */
static struct chat_template *calls_written(const char *how)
{
    char text[400];
    snprintf(text, sizeof text,
             "{%% for m in messages %%}{%% for c in m.tool_calls or [] %%}"
             "{%% set a = c.function.arguments %%}%s{%% endfor %%}"
             "{%% endfor %%}",
             how);
    return parse_text(text);
}

static void arguments_have_the_form_that_the_template_takes(void **state)
{
    (void)state;
    static const char as_string[] =
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"function\": "
        "{\"name\": \"f\", \"arguments\": \"{\\\"x\\\":1}\"}}]}]";
    static const char as_object[] =
        "[{\"role\": \"assistant\", \"tool_calls\": [{\"function\": "
        "{\"name\": \"f\", \"arguments\": {\"x\": 1}}}]}]";
    struct chat_template *t = calls_written("{{ a | tojson }}");
    assert_true(chat_template_abilities(t, false)->object_arguments);
    expect(t, as_string, NULL, "{\"x\": 1}");
    expect(t, as_object, NULL, "{\"x\": 1}");
    chat_template_free(t);
    t = calls_written("{{ 'A' + a }}");
    assert_true(chat_template_abilities(t, false)->string_arguments);
    expect(t, as_string, NULL, "A{\"x\":1}");
    expect(t, as_object, NULL, "A{\"x\": 1}");
    chat_template_free(t);
    t = calls_written("{% if a is string %}{{ a }}{% else %}{% for k, v in "
                      "a.items() %}{{ k }}:{{ v }},{% endfor %}{% endif %}");
    assert_true(chat_template_abilities(t, false)->object_arguments);
    expect(t, as_string, NULL, "x:1,");
    expect(t, as_object, NULL, "x:1,");
    chat_template_free(t);
    t = calls_written("{{ a if a is string else a | tojson }}");
    assert_false(chat_template_abilities(t, false)->object_arguments);
    expect(t, as_string, NULL, "{\"x\":1}");
    expect(t, as_object, NULL, "{\"x\": 1}");
    chat_template_free(t);
}

static void a_thought_has_the_names_that_templates_read(void **state)
{
    (void)state;
    struct chat_template *t = parse_text(
        "{{ messages[0].reasoning_content }}{{ messages[0].thinking }}");
    expect(t, "[{\"role\": \"assistant\", \"reasoning\": \"H\"}]", NULL, "HH");
    expect(t, hi, NULL, "");
    chat_template_free(t);
}

static void abilities_are_found_by_looking(void **state)
{
    (void)state;
    struct chat_template *t = parse_text(
        "{% for x in tools or [] %}{{ x.function.name }}{% endfor %}"
        "{% for m in messages if m.role == 'user' %}{{ m.content }}"
        "{% endfor %}{% if enable_thinking %}{% endif %}");
    const struct chat_abilities *a = chat_template_abilities(t, false);
    assert_true(a->tools && a->enable_thinking);
    assert_false(a->system || a->tool_calls || a->tool_results ||
                 a->reasoning_effort);
    chat_template_free(t);
}

/* GLM-4's form of calls and results. */
static void calls_may_be_messages_with_a_header(void **state)
{
    (void)state;
    struct chat_template *t = parse_text(
        "{% for m in messages %}{% set meta = m.get('metadata', '') %}"
        "{% if m.role == 'user' %}<user>{{ m.content }}"
        "{% elif m.role == 'assistant' %}<assistant>{{ meta }}|{{ m.content }}"
        "{% elif m.role == 'observation' %}<observation>{{ m.content }}"
        "{% endif %}{% endfor %}");
    assert_true(chat_template_abilities(t, false)->headers);
    expect(t,
           "[{\"role\": \"user\", \"content\": \"Hi\"},"
           " {\"role\": \"assistant\", \"content\": null, \"tool_calls\": ["
           "  {\"function\": {\"name\": \"f\", \"arguments\":"
           "   \"{\\\"x\\\": 1}\"}},"
           "  {\"function\": {\"name\": \"g\", \"arguments\": {}}}]},"
           " {\"role\": \"tool\", \"content\": \"21\"},"
           " {\"role\": \"assistant\", \"content\": \"So\", \"tool_calls\": ["
           "  {\"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]}]",
           NULL,
           "<user>Hi<assistant>f|{\"x\": 1}<assistant>g|{}<observation>21"
           "<assistant>|So<assistant>f|{}");
    chat_template_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_template_it_is_chatml_and_a_warning),
        cmocka_unit_test(tokenizer_config_says_template_and_tokens),
        cmocka_unit_test(files_beside_it_go_before_it),
        cmocka_unit_test(a_gguf_file_has_them_by_name),
        cmocka_unit_test(a_template_that_cannot_be_read_is_an_error),
        cmocka_unit_test(what_a_template_raises_is_told_as_such),
        cmocka_unit_test(parts_are_joined_for_a_template_that_knows_text),
        cmocka_unit_test(calls_may_be_messages_with_a_header),
        cmocka_unit_test(arguments_have_the_form_that_the_template_takes),
        cmocka_unit_test(a_thought_has_the_names_that_templates_read),
        cmocka_unit_test(abilities_are_found_by_looking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
