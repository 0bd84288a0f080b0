/* For the tests of the trace: one step is like another. */
#ifndef TEST_STEP_H
#define TEST_STEP_H

#include "test_numbers.h"
#include "trace.h"

static inline void assert_step(const struct step *found,
                               const struct step *expected)
{
    assert_int_equal(found->decodes, expected->decodes);
    assert_int_equal(found->from, expected->from);
    assert_int_equal(found->n, expected->n);
    assert_int_equal(found->weights, expected->weights);
    assert_int_equal(found->cache_read, expected->cache_read);
    assert_int_equal(found->cache_written, expected->cache_written);
    assert_int_equal(found->held, expected->held);
    assert_int_equal(found->flops, expected->flops);
}

#endif
