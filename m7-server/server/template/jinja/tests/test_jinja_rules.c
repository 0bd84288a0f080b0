/* Statements, loops, macros, operators and blanks by rule, each with templates
 * and what jinja2 makes of them: golden/jinja_rules.json, which
 * tests/oracle/template/jinja_rules.py wrote.  A test is called as its
 * rule. */
#include "jinja.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum rules_bounds {
    MOST_RULES = 64
};

static json_t *golden;

/* What becomes of a template, or null. */
static json_t *rendered(const char *template, struct error *e)
{
    const struct tm now = {.tm_year = 124, .tm_mon = 6, .tm_mday = 26};
    struct jinja_input input = {.context = json_object_get(golden, "names"),
                                .now = &now};
    struct jinja_output out = {.raised = false};
    struct jinja *t = jinja_parse(template, strlen(template), "rule", e);
    bool failed = !t || jinja_render(t, &input, &out, e);
    json_t *text = failed ? json_null()
                          : json_stringn(out.text.data ? out.text.data : "",
                                         out.text.size);
    jinja_free(t);
    bytes_free(&out.text);
    return text;
}

static const char *shown(const json_t *text)
{
    return json_is_null(text) ? "an error" : json_string_value(text);
}

/* One template of a rule: [template, text or null]. */
static void compare(const json_t *one)
{
    struct error e = {.message = ""};
    const char *template = json_string_value(json_array_get(one, 0));
    const json_t *expected = json_array_get(one, 1);
    json_t *found = rendered(template, &e);
    bool equal = json_equal(found, expected);
    if (!equal)
        print_error("%s: expected %s, got %s\n%s\n", template, shown(expected),
                    shown(found), e.message);
    json_decref(found);
    assert_true(equal);
}

/* The state is the name of a rule. */
static void it_is_as_in_jinja2(void **state)
{
    const json_t *rules = json_object_get(golden, "rules");
    const json_t *templates = json_object_get(rules, *state);
    for (size_t i = 0; i < json_array_size(templates); i++)
        compare(json_array_get(templates, i));
}

int main(void)
{
    struct CMUnitTest tests[MOST_RULES];
    size_t n = 0;
    const char *rule;
    json_t *templates;
    json_error_t error;
    golden = json_load_file("golden/jinja_rules.json", JSON_ALLOW_NUL, &error);
    json_object_foreach(json_object_get(golden, "rules"), rule, templates)
        if (n < MOST_RULES)
            tests[n++] = (struct CMUnitTest){rule, it_is_as_in_jinja2, NULL,
                                             NULL, (void *)rule};
    if (n == 0)
        print_error("golden/jinja_rules.json: %s\n", error.text);
    int failed = _cmocka_run_group_tests("jinja_rules", tests, n, NULL, NULL);
    json_decref(golden);
    return n == 0 ? 1 : failed;
}
