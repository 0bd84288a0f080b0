/* For the tests of the rooms of values: golden/python_semantics.json has
 * Python's rules by room, each with expressions and what jinja2 prints of
 * them, or null where it fails; tests/oracle/template/python_semantics.py
 * wrote it.  Each rule is a test of its name. */
#ifndef TEST_PYTHON_H
#define TEST_PYTHON_H

#include "jinja.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static json_t *python_golden;

/* "{{ [x] }}" as it is rendered, or null. */
static json_t *python_said(const char *x, struct error *e)
{
    /* 2024-07-26 09:05:03, a Friday. */
    const struct tm now = {.tm_year = 124, .tm_mon = 6, .tm_mday = 26,
                           .tm_hour = 9, .tm_min = 5, .tm_sec = 3,
                           .tm_wday = 5, .tm_yday = 207};
    struct jinja_input input = {
        .context = json_object_get(python_golden, "names"), .now = &now};
    struct jinja_output out = {.raised = false};
    struct bytes text = {0};
    bytes_add_string(&text, "{{ [");
    bytes_add_string(&text, x);
    bytes_add_string(&text, "] }}");
    struct jinja *t = jinja_parse(text.data, text.size, "rule", e);
    json_t *said = !t || jinja_render(t, &input, &out, e)
                       ? json_null()
                       : json_stringn(out.text.data, out.text.size);
    jinja_free(t);
    bytes_free(&out.text);
    bytes_free(&text);
    return said;
}

/* One expression of a rule: [expression, text or null]. */
static void python_compare(const json_t *one)
{
    struct error e = {.message = ""};
    const json_t *expected = json_array_get(one, 1);
    const char *x = json_string_value(json_array_get(one, 0));
    json_t *said = python_said(x, &e);
    if (!json_equal(said, expected))
        print_error("%s\n  expected %s\n  found    %s %s\n", x,
                    json_is_null(expected) ? "an error"
                                           : json_string_value(expected),
                    json_is_null(said) ? "an error:" : json_string_value(said),
                    e.message);
    assert_true(json_equal(said, expected));
    assert_int_equal(json_is_null(said), *e.message != 0);
    json_decref(said);
}

static void python_rule(void **state)
{
    const json_t *examples = *state;
    size_t n = json_array_size(examples);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++)
        python_compare(json_array_get(examples, i));
}

/* A test for each of a room's n rules; 0 when all pass and none is left out.
 */
static int python_test(const char *room, const char *const *rules, size_t n)
{
    struct CMUnitTest tests[32];
    json_error_t error;
    python_golden = json_load_file("golden/python_semantics.json",
                                   JSON_ALLOW_NUL, &error);
    const json_t *all = json_object_get(python_golden, room);
    int failed = n != json_object_size(all) || n > 32;
    if (failed)
        print_error("%s: %zu rules of %zu\n", room, n, json_object_size(all));
    for (size_t i = 0; i < n && !failed; i++)
        tests[i] = (struct CMUnitTest){
            .name = rules[i],
            .test_func = python_rule,
            .initial_state = json_object_get(all, rules[i])};
    if (!failed)
        failed = _cmocka_run_group_tests(room, tests, n, NULL, NULL);
    json_decref(python_golden);
    return failed;
}

#endif
