/* For the tests of lists of ids: where two of them first differ. */
#ifndef TEST_IDS_H
#define TEST_IDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* The ids found (n_found,) are those expected (n,). */
static inline void assert_ids(const int *found, size_t n_found,
                              const int *expected, size_t n)
{
    size_t at = 0;
    while (at < n && at < n_found && found[at] == expected[at])
        at++;
    if (at < n && at < n_found)
        print_error("ids: shape (%zu,), at (%zu,): expected %d, got %d\n", n,
                    at, expected[at], found[at]);
    else if (n_found != n)
        print_error("ids: expected %zu of them, got %zu\n", n, n_found);
    assert_true(at == n && n_found == n);
}

#endif
