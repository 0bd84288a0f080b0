/* For the tests of functions that change a row in place: goldens of torch,
 * golden/ops.safetensors, which tests/oracle/forward/forward_ops.py makes,
 * from 64-bit arithmetic where a 32-bit one would be as wrong as ours. */
#ifndef TEST_IN_PLACE_H
#define TEST_IN_PLACE_H

#include "test_equal.h"
#include "test_numbers.h"

static inline int open_goldens(void **state)
{
    static struct checkpoint c;
    struct error e;
    *state = &c;
    assert_ok(checkpoint_open(&c, "golden/ops.safetensors", &e), &e);
    return 0;
}

static inline int close_goldens(void **state)
{
    checkpoint_close(*state);
    return 0;
}

typedef void changing_function(float *x, size_t n);

/* exp and its kin are good to about one part in 2^23; a small error in their
 * argument is a larger one in their result. */
static inline void assert_changed(const struct checkpoint *c, const char *name,
                                  changing_function *f, double bound,
                                  double floor)
{
    const struct tensor *x = golden(c, name, "x");
    float *found = golden_values(x);
    float *out = golden_floats(c, name, "out");
    found[x->count] = 0.75f; /* behind them, where nothing changes */
    f(found, x->count);
    assert_close(name, found, out, x->count, bound, floor);
    assert_equal(found[x->count], 0.75f);
    free(out);
    free(found);
}

#endif
