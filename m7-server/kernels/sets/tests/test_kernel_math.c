/* exp, tanh and their kin are as near to the true numbers as kernel_math.h
 * says, for a sample of all floats; with RUNG_LONG=all for every float there
 * is.  What is true is said by the C library in 64 bits. */
#include "cpu.h"
#include "test_long.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum sizes {
    AT_ONCE = 4096 /* floats */
};

/* A function of a vector, as the kernels have it, and what it should be. */
struct function {
    const char *name;
    void (*found)(const struct row_kernels *k, float *x, size_t n);
    double (*expected)(double x);
    double ulp;   /* the largest error */
    double floor; /* or, where results are tiny, in numbers */
};

static void find_exp(const struct row_kernels *k, float *x, size_t n)
{
    k->exponentials(x, 0, n);
}

static void find_tanh(const struct row_kernels *k, float *x, size_t n)
{
    k->soft_cap(x, 1, n);
}

static void find_silu(const struct row_kernels *k, float *x, size_t n)
{
    k->activate(ACTIVATION_SILU, x, NULL, n);
}

static void find_gelu(const struct row_kernels *k, float *x, size_t n)
{
    k->activate(ACTIVATION_GELU, x, NULL, n);
}

static void find_gelu_tanh(const struct row_kernels *k, float *x, size_t n)
{
    k->activate(ACTIVATION_GELU_TANH, x, NULL, n);
}

static double true_silu(double x)
{
    return x / (1 + exp(-x));
}

static double true_gelu(double x)
{
    return 0.5 * x * erfc(-x * 0.70710678118654752440);
}

static double true_gelu_tanh(double x)
{
    return x / (1 + exp(-2 * 0.79788456080286535588 *
                        (x + 0.044715 * x * x * x)));
}

static const struct function functions[] = {
    {"exp", find_exp, exp, 1, 1.3e-38},
    {"tanh", find_tanh, tanh, 1.4, 0},
    {"silu", find_silu, true_silu, 2.5, 3e-37},
    {"gelu", find_gelu, true_gelu, 8, 6e-39},
    {"gelu_tanh", find_gelu_tanh, true_gelu_tanh, 2.5, 4e-38},
};

/* The distance between two floats near x. */
static double ulp_at(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent > -125 ? exponent - 24 : -149);
}

/* How far off a result is, in ulp; 0 within the floor. */
static double error_of(const struct function *f, float x, float found)
{
    double expected = f->expected((double)x);
    if (isnan(expected))
        return isnan(found) ? 0 : INFINITY;
    if ((float)expected == found)
        return 0;
    if (isinf((float)expected) || !isfinite(found))
        return INFINITY;
    double off = fabs((double)found - expected);
    return off <= f->floor ? 0 : off / ulp_at(expected);
}

/* The largest error of x (n,). */
static double worst_of(const struct function *f, const struct row_kernels *k,
                       const float *x, size_t n, float *where)
{
    float found[AT_ONCE];
    double worst = 0;
    memcpy(found, x, n * sizeof *x);
    f->found(k, found, n);
    for (size_t i = 0; i < n; i++) {
        double off = error_of(f, x[i], found[i]);
        if (off > worst) {
            worst = off;
            *where = x[i];
        }
    }
    return worst;
}

/* From float to float; their bits are the whole numbers. */
static uint64_t step_of_sample(void)
{
    const char *asked = getenv("RUNG_LONG");
    if (asked && strcmp(asked, "all") == 0)
        return 1;
    return is_long() ? 31 : is_slow() ? 8009 : 257;
}

static void assert_function(const struct function *f,
                            const struct row_kernels *k)
{
    float x[AT_ONCE], where = 0;
    double worst = 0;
    uint64_t bits = 0, step = step_of_sample();
    while (bits >> 32 == 0) {
        size_t n = 0;
        for (; n < AT_ONCE && bits >> 32 == 0; n++, bits += step) {
            uint32_t low = (uint32_t)bits;
            memcpy(&x[n], &low, sizeof low);
        }
        double most = worst_of(f, k, x, n, &where);
        worst = most > worst ? most : worst;
    }
    print_message("%s: at most %.3f ulp\n", f->name, worst);
    if (worst > f->ulp)
        print_error("%s of %.9g, or another, is %.3f ulp off\n", f->name,
                    (double)where, worst);
    assert_true(worst <= f->ulp);
}

static void functions_are_as_near_as_said(void **state)
{
    const struct cpu_set *set;
    struct error e;
    (void)state;
    assert_int_equal(cpu_choose(&set, &e), 0);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        assert_function(&functions[i], set->rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_as_near_as_said),
    };
    return cmocka_run_group_tests_name("kernel_math", tests, NULL, NULL);
}
