/* For tests of numbers: equality that says what was expected. */
#ifndef TEST_EQUAL_H
#define TEST_EQUAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static inline void assert_equal_at(double found, double expected,
                                   const char *file, int line)
{
    if (found == expected)
        return;
    print_error("expected %.17g, got %.17g\n", expected, found);
    _fail(file, line);
}

/* Each as a double, which holds any float and any int. */
#define assert_equal(found, expected)                                         \
    assert_equal_at(found, expected, __FILE__, __LINE__)

#endif
