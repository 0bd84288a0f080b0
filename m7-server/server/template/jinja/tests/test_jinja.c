/* Templates render as jinja2 renders them; what is hostile ends with an error.
 * Called with the word "lines", the program reads a JSON object a line,
 * {"template", "context"}, and writes one, {"text"} or {"error", "raised"}:
 * that is how tests/templates compares it with jinja2. */
#include "jinja.h"

#include "json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* 2024-07-26 09:05:03, a Friday. */
static struct tm some_time(void)
{
    return (struct tm){.tm_year = 124, .tm_mon = 6, .tm_mday = 26,
                       .tm_hour = 9, .tm_min = 5, .tm_sec = 3, .tm_wday = 5,
                       .tm_yday = 207};
}

static int render_text(const char *template, size_t size, json_t *context,
                       struct jinja_output *out, struct error *e)
{
    struct tm now = some_time();
    struct jinja_input input = {.context = context, .now = &now};
    struct jinja *t = jinja_parse(template, size, "template", e);
    int result = t ? jinja_render(t, &input, out, e) : -1;
    jinja_free(t);
    return result;
}

static json_t *render_line(json_t *line)
{
    struct jinja_output out = {.raised = false};
    struct error e;
    json_t *template = json_object_get(line, "template");
    json_t *result;
    if (render_text(json_string_value(template), json_string_length(template),
                    json_object_get(line, "context"), &out, &e))
        result = json_pack("{s:s, s:b}", "error", e.message, "raised",
                           (int)out.raised);
    else
        result =
            json_pack("{s:s%}", "text", out.text.data ? out.text.data : "",
                      out.text.size);
    bytes_free(&out.text);
    return result;
}

static int render_lines(void)
{
    json_t *line;
    json_error_t error;
    const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL;
    while ((line = json_loadf(stdin, flags, &error))) {
        json_t *result = render_line(line);
        json_dumpf(result, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(result);
        json_decref(line);
    }
    return 0;
}

/* Render with {"a": 1, "s": "text", "list": [1, 2, 3], "d": {"k": "v"}}. */
static int render_small(const char *template, struct jinja_output *out,
                        struct error *e)
{
    json_t *context =
        json_pack("{s:i, s:s, s:[i, i, i], s:{s:s}}", "a", 1, "s", "text",
                  "list", 1, 2, 3, "d", "k", "v");
    int result = render_text(template, strlen(template), context, out, e);
    json_decref(context);
    return result;
}

static void expect(const char *template, const char *expected)
{
    struct jinja_output out = {.raised = false};
    struct error e;
    if (render_small(template, &out, &e))
        print_error("%s\n", e.message);
    bytes_add(&out.text, "", 1);
    assert_string_equal(out.text.data, expected);
    bytes_free(&out.text);
}

/* The template fails, and its message has these words. */
static bool expect_error(const char *template, const char *words)
{
    struct jinja_output out = {.raised = false};
    struct error e = {.message = "nothing"};
    assert_int_equal(render_small(template, &out, &e), -1);
    if (!strstr(e.message, words))
        print_error("%s\n", e.message);
    assert_non_null(strstr(e.message, words));
    bytes_free(&out.text);
    return out.raised;
}

static void blocks_take_the_blanks_around_them_away(void **state)
{
    (void)state;
    expect("a\n  {% if true %}\n b\n  {% endif %}\nc\n", "a\n b\nc");
    expect("a {%- if true -%} b {%+ endif +%}\nc", "ab \nc");
    expect("{{ 1 }}\n{# x #}\n 2", "1\n 2");
    expect("{% raw %}{{ a }}{% endraw %}", "{{ a }}");
}

static void what_a_loop_sets_is_forgotten_and_a_namespace_is_not(void **state)
{
    (void)state;
    expect("{% set x = 0 %}{% for i in list %}{% set x = x + i %}{{ x }}"
           "{% endfor %}{{ x }}", "1230");
    expect("{% set n = namespace(x=0) %}{% for i in list %}"
           "{% set n.x = n.x + i %}{% endfor %}{{ n.x }}", "6");
}

static void loops_know_their_neighbours(void **state)
{
    (void)state;
    expect("{% for i in list if i != 2 %}{{ loop.index }}{{ loop.last }}"
           "{{ loop.previtem }}|{{ loop.nextitem }};{% endfor %}",
           "1False|3;2True1|;");
    expect("{% for i in [] %}x{% else %}none{% endfor %}", "none");
    expect("{% for i in list %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}"
           "{% endfor %}", "13");
}

static void values_are_written_as_python_writes_them(void **state)
{
    (void)state;
    expect("{{ [1.0, 1e16, 0.1, true, none, 'a\\'b', {'k': (1,)}] }}",
           "[1.0, 1e+16, 0.1, True, None, \"a'b\", {'k': (1,)}]");
    expect("{{ d | tojson }} {{ [1, 'é'] | tojson(indent=2) }}",
           "{\"k\": \"v\"} [\n  1,\n  \"é\"\n]");
}

static void macros_have_defaults_and_callers(void **state)
{
    (void)state;
    expect("{% macro m(a, b=2) %}{{ a }}{{ b }}{{ caller() }}{% endmacro %}"
           "{% call m(1) %}!{% endcall %}", "12!");
}

static void the_time_is_the_one_that_was_given(void **state)
{
    (void)state;
    expect("{{ strftime_now('%d %b %Y') }}", "26 Jul 2024");
}

static void an_error_names_the_line(void **state)
{
    (void)state;
    assert_false(expect_error("a\n{{ missing.x }}",
                              "template: line 2: 'missing' is undefined"));
    expect_error("{% if %}", "line 1: expected an expression");
    expect_error("{% for i in list %}", "'endfor' is missing");
    expect_error("{{ 1 // 0 }}", "division by zero");
    expect_error("{{ d.k.x.y }}", "'str object' has no attribute 'x'");
}

static void what_a_template_raises_keeps_its_words(void **state)
{
    (void)state;
    assert_true(expect_error("{{ raise_exception('No roles!') }}",
                             "No roles!"));
}

static void what_reaches_outside_is_refused_by_name(void **state)
{
    (void)state;
    expect_error("{% include 'x' %}", "'include'");
    expect_error("{% extends 'x' %}", "'extends'");
    expect_error("{{ s | xmlattr }}", "xmlattr");
    expect_error("{{ s.__class__.x }}", "unsafe");
    expect_error("{{ list.append(1) }}", "unsafe");
}

static void what_is_left_out_is_refused_by_name(void **state)
{
    (void)state;
    expect_error("{{ s.casefold() }}", "casefold");
    expect_error("{{ (5).bit_length() }}", "'bit_length' of 'int' object");
    expect_error("{{ (1.5).real }}", "'real' of 'float' object");
    expect_error("{{ range(3).stop }}", "'stop' of 'range' object");
    expect_error("{{ d.keys().mapping }}", "'mapping' of 'dict_keys' object");
    expect_error("{{ lipsum(n=2) }}", "lipsum");
    expect("{{ (1.5).bit_length is defined }}", "False");
}

static void memory_steps_and_depth_have_bounds(void **state)
{
    (void)state;
    expect_error("{{ 'x' * 9999999999 }}", "memory");
    expect_error("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "deep");
    expect_error("{% for i in range(99999) %}{% for j in range(99999) %}"
                 "{% endfor %}{% endfor %}", "than it may");
    expect_error("{{ 9223372036854775807 + 1 }}", "64 bits");
}

/* However long the template is that a block is looked for in. */
static void looking_for_a_block_takes_steps(void **state)
{
    (void)state;
    struct bytes text = {0};
    struct jinja_output out = {.raised = false};
    struct jinja_input input = {.context = json_object(),
                                .limits.steps = 100 * 1000};
    struct error e;
    bytes_add_string(&text, "{% for i in range(100) %}{% if self.b %}{% endif "
                            "%}{% endfor %}{% if 0 %}");
    for (int i = 0; i < 2000; i++)
        bytes_add_string(&text, "{{ a }}");
    bytes_add_string(&text, "{% endif %}");
    struct jinja *t = jinja_parse(text.data, text.size, "t", &e);
    assert_non_null(t);
    assert_int_equal(jinja_render(t, &input, &out, &e), -1);
    assert_non_null(strstr(e.message, "than it may"));
    jinja_free(t);
    json_decref(input.context);
    bytes_free(&text);
    bytes_free(&out.text);
}

static void a_word_is_mentioned_or_not(void **state)
{
    (void)state;
    struct error e;
    const char *text =
        "{% if tools %}{{ m['key'] }}{{ f(name=1) }}{% endif %}";
    struct jinja *t = jinja_parse(text, strlen(text), "t", &e);
    assert_true(jinja_mentions(t, "tools"));
    assert_true(jinja_mentions(t, "key"));
    assert_true(jinja_mentions(t, "name"));
    assert_false(jinja_mentions(t, "tool"));
    jinja_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_take_the_blanks_around_them_away),
        cmocka_unit_test(
            what_a_loop_sets_is_forgotten_and_a_namespace_is_not),
        cmocka_unit_test(loops_know_their_neighbours),
        cmocka_unit_test(values_are_written_as_python_writes_them),
        cmocka_unit_test(macros_have_defaults_and_callers),
        cmocka_unit_test(the_time_is_the_one_that_was_given),
        cmocka_unit_test(an_error_names_the_line),
        cmocka_unit_test(what_a_template_raises_keeps_its_words),
        cmocka_unit_test(what_reaches_outside_is_refused_by_name),
        cmocka_unit_test(what_is_left_out_is_refused_by_name),
        cmocka_unit_test(memory_steps_and_depth_have_bounds),
        cmocka_unit_test(looking_for_a_block_takes_steps),
        cmocka_unit_test(a_word_is_mentioned_or_not),
    };
    if (argc == 2 && strcmp(argv[1], "lines") == 0)
        return render_lines();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
