/* What is put together is whole, or it is NULL. */
#include "json_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static size_t left = SIZE_MAX; /* allocations that still succeed */

static void *scarce_malloc(size_t size)
{
    if (left == 0)
        return NULL;
    left--;
    return malloc(size);
}

static json_t *three_lists(void)
{
    json_t *object = json_object();
    for (const char *key = "abc"; *key; key++) {
        json_t *list = json_array();
        for (int i = 0; i < 20; i++)
            json_add(&list, json_integer(i));
        json_put(&object, (char[]){*key, 0}, list);
    }
    return object;
}

static void values_stand_where_they_were_put(void **state)
{
    (void)state;
    json_t *object = three_lists();
    assert_int_equal(json_object_size(object), 3);
    json_t *list = json_object_get(object, "b");
    assert_int_equal(json_array_size(list), 20);
    assert_int_equal(json_integer_value(json_array_get(list, 19)), 19);
    json_decref(object);
}

/* Memory ends after 0, 1, 2, ... allocations, until there is enough. */
static void nothing_is_made_with_a_part_missing(void **state)
{
    (void)state;
    json_t *whole = three_lists(), *made = NULL;
    size_t enough = 0;
    for (; !made && enough < 1000; enough++) {
        left = enough;
        made = three_lists();
        assert_true(!made || json_equal(made, whole));
    }
    left = SIZE_MAX;
    assert_in_range(enough, 60, 999);
    json_decref(made);
    json_decref(whole);
}

static void what_is_lost_stays_lost(void **state)
{
    (void)state;
    json_t *list = json_array(), *object = json_object();
    json_add(&list, NULL);
    json_add(&list, json_true());
    json_put(&object, "a", NULL);
    json_put(&object, "b", json_true());
    assert_null(list);
    assert_null(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_where_they_were_put),
        cmocka_unit_test(nothing_is_made_with_a_part_missing),
        cmocka_unit_test(what_is_lost_stays_lost),
    };
    json_set_alloc_funcs(scarce_malloc, free);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
