/* Whichever allocation of a template fails, when it is parsed and tried and
 * when it renders: an error with words, nothing is lost, and the next time
 * all is as ever. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "chat_template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

typedef json_t *loads_function(const char *text, size_t flags,
                               json_error_t *error);
typedef json_t *loadb_function(const char *text, size_t size, size_t flags,
                               json_error_t *error);

/* jansson 2.14 reads on when the text that it collects of a string could not
 * grow, and then writes past its end.  So of what it asks for to read, only
 * the first may fail, as it tells that. */
static bool reading_fails(json_error_t *error)
{
    bool lacks = memory_lacks();
    if (lacks && error)
        *error = (json_error_t){.line = -1, .column = -1};
    return lacks;
}

json_t *json_loads(const char *text, size_t flags, json_error_t *error)
{
    static _Atomic(memory_function) known;
    loads_function *next =
        (loads_function *)memory_next("json_loads", &known);
    bool spared = memory_spared;
    if (reading_fails(error))
        return NULL;
    memory_spared = true;
    json_t *json = next(text, flags, error);
    memory_spared = spared;
    return json;
}

json_t *json_loadb(const char *text, size_t size, size_t flags,
                   json_error_t *error)
{
    static _Atomic(memory_function) known;
    loadb_function *next =
        (loadb_function *)memory_next("json_loadb", &known);
    bool spared = memory_spared;
    if (reading_fails(error))
        return NULL;
    memory_spared = true;
    json_t *json = next(text, size, flags, error);
    memory_spared = spared;
    return json;
}

/* A statement and a filter of each kind, so that each way of asking for memory
 * is gone. */
static const char everything[] =
    "{%- macro show(m, sep=', ') -%}{{ m.role | upper }}: {{ caller(m) }}"
    "{{ varargs }}{{ kwargs }}{%- endmacro -%}"
    "{% set ns = namespace(n=0, seen=[]) %}{{ bos_token }}"
    "{% for m in messages if m.role %}{% set ns.n = ns.n + 1 %}"
    "{% set ns.seen = ns.seen + [m.role] %}"
    "{% call(x) show(m, '-', 7, last=loop.last) %}{% if x.content is string %}"
    "{{ x.content | trim | replace('a', 'bb') | indent(2) }}{% else %}"
    "{% for p in x.content or [] %}{{ p.text }}{% endfor %}{% endif %}"
    "{% endcall %}{% for c in m.tool_calls or [] %}"
    "{{ c.function.arguments | tojson(indent=2) }}{% endfor %}{% endfor %}"
    "{% set block | title %}{% filter lower %}X{{ ns.seen | join('/') }}"
    "{% endfilter %}{% endset %}{{ block }}{% with q = [3, 1, 2] | sort %}"
    "{{ q[::-1] }}{{ q | map('string') | list }}{{ q | batch(2) | list }}"
    "{{ q | sum }}{{ q | unique | list }}{{ (q, 'é')|string }}{% endwith %}"
    "{% for t in tools or [] %}{{ t | tojson }}{{ t.function | dictsort"
    " | tojson }}{% endfor %}{% generation %}"
    "{{ messages | selectattr('role', 'equalto', 'user')"
    " | map(attribute='content') | list | length }}{% endgeneration %}"
    "{{ messages | groupby('role') | map('first') | list }}"
    "{{ '%s %05.1f %r' % ('a', 2.5, 'b') }}{{ '{:>6} {!r}'.format('a', 'b') }}"
    "{{ '%c' % 65 }}{{ '{:c}{:>{w}}{}'.format(66, 2.5, 'é', w=6) }}"
    "{{ strftime_now('%Y') }}{{ 'a b'.split() }}{{ 'a,b'.partition(',') }}"
    "{{ {'a': 1, 'b': [2]}.items() | list }}{{ 'x' * 3 ~ 1.5 }}"
    "{% for r in [[1, [2]]] recursive %}{% if r is iterable %}{{ loop(r) }}"
    "{% else %}{{ r }}{% endif %}{% endfor %}{{ cycler(1, 2).next() }}"
    "{{ ('<' | escape) ~ ('<' | safe) }}{{ 'ß日'.upper().center(9, '*') }}";

/* Arguments as a string, no parts; a probe fills 16 bytes exactly. */
static const char strings[] =
    "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}"
    "{{ c.function.arguments }}{% endfor %}{% endfor %}.";

/* Contents are parts alone. */
static const char only_parts[] =
    "{% for m in messages %}{% for p in m.content or [] %}{{ p.text }}"
    "{% endfor %}{% endfor %}{{ bos_token }}";

static const char *const templates[] = {everything, strings, only_parts};
enum template_count { N_TEMPLATES = sizeof templates / sizeof *templates };

static const char conversation[] =
    "[{\"role\": \"system\", \"content\": \"Be brief\"}, {\"role\": \"user\","
    " \"content\": [{\"type\": \"text\", \"text\": \"a\"}, {\"type\":"
    " \"text\", \"text\": \"b\"}]}, {\"role\": \"assistant\", \"content\":"
    " null, \"reasoning_content\": \"H\", \"tool_calls\": [{\"function\":"
    " {\"name\": \"f\", \"arguments\": \"{\\\"x\\\":[1,2.5]}\"}},"
    " {\"function\": {\"name\": \"g\", \"arguments\": {\"y\": 1}}}]},"
    " {\"role\": \"tool\", \"content\": \"18\"}]";

static const char some_tools[] =
    "[{\"type\": \"function\", \"function\": {\"name\": \"f\"}}]";

/* This thread's allocations fail, too; the tests' own do not. */
static void begin(long n)
{
    memory_fail_at(n);
    memory_spared = false;
}

static bool had_failed(void)
{
    memory_spared = true;
    return memory_had_failed();
}

static void assert_told(const struct error *e)
{
    if (e->code != ERROR_MEMORY)
        print_error("%s\n", e->message);
    assert_int_equal(e->code, ERROR_MEMORY);
    assert_non_null(strstr(e->message, "out of memory"));
}

static struct chat_template *parse(const char *text, struct error *e)
{
    bool spared = memory_spared;
    memory_spared = true;
    json_t *tokens = json_pack("{s:s}", "bos_token", "<s>");
    memory_spared = spared;
    struct chat_template *t =
        chat_template_parse(text, strlen(text), "a template", tokens, e);
    json_decref(tokens);
    return t;
}

static int render(const struct chat_template *t,
                  const struct chat_input *input, struct bytes *text,
                  struct error *e)
{
    struct chat_output out = {.raised = false};
    int result = chat_template_render(t, input, &out, e);
    *text = out.text;
    return result;
}

/* Render again and again, each time with the next allocation failing. */
static void sweep_rendering(const struct chat_template *t,
                            const struct chat_input *input)
{
    struct error e;
    struct bytes whole, text;
    assert_int_equal(render(t, input, &whole, &e), 0);
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        begin(n);
        int result = render(t, input, &text, &e);
        lacked = had_failed();
        if (result)
            assert_told(&e);
        else {
            if (text.size != whole.size)
                print_error("%ld: %.*s\n", n, (int)text.size, text.data);
            assert_int_equal(text.size, whole.size);
            assert_memory_equal(text.data, whole.data, whole.size);
        }
        refused += result != 0;
        bytes_free(&text);
    }
    print_message("%ld of %ld allocations refused\n", refused, n - 2);
    assert_true(refused > 20);
    bytes_free(&whole);
}

static void each_allocation_of_a_rendering_may_fail(void **state)
{
    (void)state;
    struct error e;
    const struct tm now = {.tm_year = 124, .tm_mday = 1};
    struct chat_input input = {.messages = json_loads(conversation, 0, NULL),
                               .tools = json_loads(some_tools, 0, NULL),
                               .now = &now};
    for (size_t i = 0; i < N_TEMPLATES; i++) {
        struct chat_template *t = parse(templates[i], &e);
        assert_non_null(t);
        sweep_rendering(t, &input);
        chat_template_free(t);
    }
    json_decref(input.messages);
    json_decref(input.tools);
}

static void sweep_opening(const char *text,
                          const struct chat_abilities *abilities)
{
    struct error e;
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        begin(n);
        struct chat_template *t = parse(text, &e);
        lacked = had_failed();
        if (!t)
            assert_told(&e);
        else
            assert_memory_equal(chat_template_abilities(t, true), abilities,
                                sizeof *abilities);
        refused += !t;
        chat_template_free(t);
    }
    print_message("%ld of %ld allocations refused\n", refused, n - 2);
    assert_true(refused > 20);
}

static void each_allocation_of_opening_one_may_fail(void **state)
{
    (void)state;
    static const struct chat_abilities expected[N_TEMPLATES] = {
        {.tools = true, .parts = true, .system = true, .tool_calls = true,
         .tool_results = true, .object_arguments = true},
        {.system = true, .tool_calls = true, .tool_results = true,
         .string_arguments = true},
        {.parts = true, .only_parts = true}};
    struct error e;
    for (size_t i = 0; i < N_TEMPLATES; i++) {
        struct chat_template *t = parse(templates[i], &e);
        assert_non_null(t);
        assert_memory_equal(chat_template_abilities(t, true), &expected[i],
                            sizeof expected[i]);
        sweep_opening(templates[i], &expected[i]);
        chat_template_free(t);
    }
}

/* A template's own error, which names what is not there, or a lack of memory.
 */
static void each_allocation_of_an_error_may_fail(void **state)
{
    (void)state;
    static const char wrong[] = "{{ (messages | first).words.length }}";
    struct error expected, e;
    struct chat_input input = {.messages = json_loads(conversation, 0, NULL)};
    struct bytes text;
    struct chat_template *t = parse(wrong, &e);
    assert_non_null(t);
    assert_int_equal(render(t, &input, &text, &expected), -1);
    assert_non_null(strstr(expected.message, "has no attribute 'words'"));
    bytes_free(&text);
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        begin(n);
        assert_int_equal(render(t, &input, &text, &e), -1);
        lacked = had_failed();
        if (e.code == ERROR_MEMORY)
            assert_told(&e);
        else
            assert_string_equal(e.message, expected.message);
        refused += e.code == ERROR_MEMORY;
        bytes_free(&text);
    }
    assert_true(refused > 3);
    chat_template_free(t);
    json_decref(input.messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_a_rendering_may_fail),
        cmocka_unit_test(each_allocation_of_opening_one_may_fail),
        cmocka_unit_test(each_allocation_of_an_error_may_fail),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("template_memory", tests, NULL, NULL);
}
