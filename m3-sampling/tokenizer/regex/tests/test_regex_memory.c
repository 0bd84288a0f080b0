/* Whichever allocation of an expression or of a search fails: it is memory
 * that is said to be missing, and otherwise all is found. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Sets in sets, && and a set that is negated: what is written in parts. */
static const char pattern[] = "[a-z&&[^aeiou]]+|[x[^\\p{L}y]]|\\p{Lu}(?:b|c)*";
static const char text[] = "strength and Abbc";

/* The matches of `text`, -1 when one fails. */
static int count_matches(struct regex *r, struct error *e)
{
    size_t from, to;
    int n = 0, more;
    struct scan *s = scan_new(r, text, sizeof text - 1, e);
    if (!s)
        return -1;
    while ((more = scan_next(s, &from, &to, e)) > 0)
        n++;
    scan_free(s);
    return more < 0 ? -1 : n;
}

/* Compile and search, where the n-th allocation fails, or none where that is
 * 0; whether there was one.  *found: the matches, or -1. */
static bool search(long n, int *found, struct error *e)
{
    memory_fail_at(n);
    memory_spared = n == 0;
    struct regex *r = regex_new(pattern, sizeof pattern - 1, e);
    *found = r ? count_matches(r, e) : -1;
    memory_spared = true;
    regex_free(r);
    return memory_had_failed();
}

static void each_allocation_of_an_expression_may_fail(void **state)
{
    (void)state;
    struct error e;
    int all, found;
    long n = 1, refused = 0;
    assert_false(search(0, &all, &e));
    assert_int_equal(all, 6);
    for (; search(n, &found, &e); n++) {
        if (found < 0) {
            assert_int_equal(e.code, ERROR_MEMORY);
            refused++;
        } else
            assert_int_equal(found, all);
    }
    assert_int_equal(found, all);
    print_message("%ld of %ld allocations refused\n", refused, n - 1);
    assert_true(refused > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_an_expression_may_fail),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("regex_memory", tests, NULL, NULL);
}
