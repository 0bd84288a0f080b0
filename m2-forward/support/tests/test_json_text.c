/* The text of a value is whole, or it is NULL: whichever allocation fails. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "json_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Long keys, so that the text often has to grow just at one of them. */
static json_t *many_keys(void)
{
    json_t *object = json_object();
    for (int i = 0; i < 30; i++) {
        char key[64];
        snprintf(key, sizeof key, "%0*d", 1 + 2 * i, i);
        json_put(&object, key, json_integer(i));
    }
    return object;
}

static void a_text_is_that_of_jansson(void **state)
{
    (void)state;
    json_t *object = many_keys();
    static const size_t flags[] = {0, JSON_COMPACT, JSON_INDENT(2),
                                   JSON_SORT_KEYS};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        char *text = json_text(object, flags[i]);
        char *expected = json_dumps(object, flags[i]);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
    }
    json_decref(object);
    assert_null(json_text(NULL, 0));
}

static void a_text_has_no_key_missing(void **state)
{
    (void)state;
    json_t *object = many_keys();
    char *whole = json_text(object, 0);
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        memory_fail_at(n);
        memory_spared = false;
        char *text = json_text(object, 0);
        memory_spared = true;
        lacked = memory_had_failed();
        if (text)
            assert_string_equal(text, whole);
        refused += !text;
        free(text);
    }
    assert_true(refused > 3);
    free(whole);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_that_of_jansson),
        cmocka_unit_test(a_text_has_no_key_missing),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("json_text", tests, NULL, NULL);
}
