/* For the tests of numbers: goldens from a safetensors file, and what counts
 * as equal to them. */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include "checkpoint.h"
#include "ops.h"
#include "test_long.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static inline void assert_ok(int result, const struct error *e)
{
    if (result)
        print_error("%s\n", e->message);
    assert_int_equal(result, 0);
}

/* Leave a test that would take minutes to the plain run. */
static inline void skip_if_slow(void)
{
    if (!is_slow())
        return;
    print_message("SKIPPED: takes too long with sanitizers\n");
    skip();
}

static inline void skip_without_models(void)
{
    print_message("SKIPPED: the tests' models are not there: set RUNG_TESTS "
                  "to the folder tests\n");
    skip();
}

/* A tensor of a golden file; CASE.PART. */
static inline const struct tensor *golden(const struct checkpoint *c,
                                          const char *name, const char *part)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s%s", name, *name && *part ? "." : "",
             part);
    const struct tensor *t = checkpoint_find(c, full);
    if (!t)
        print_error("there is no golden %s\n", full);
    assert_non_null(t);
    return t;
}

/* Its values, to be freed. */
static inline float *golden_values(const struct tensor *t)
{
    float *values = malloc((t->count + 1) * sizeof *values);
    assert_non_null(values);
    tensor_read(t, 0, t->count, values);
    return values;
}

static inline float *golden_floats(const struct checkpoint *c,
                                   const char *name, const char *part)
{
    return golden_values(golden(c, name, part));
}

/* Its integers, to be freed; *n becomes their number. */
static inline int *golden_ids(const struct checkpoint *c, const char *name,
                              const char *part, size_t *n)
{
    const struct tensor *t = golden(c, name, part);
    float *values = golden_values(t);
    int *ids = malloc((t->count + 1) * sizeof *ids);
    assert_non_null(ids);
    for (size_t i = 0; i < t->count; i++)
        ids[i] = (int)values[i];
    free(values);
    *n = t->count;
    return ids;
}

/* A tensor as a weight of a model. */
static inline struct weight golden_weight(const struct checkpoint *c,
                                          const char *name, const char *part)
{
    const struct tensor *t = golden(c, name, part);
    return (struct weight){.data = t->data,
                           .dtype = t->dtype,
                           .rows = t->shape[0],
                           .cols = t->rank > 1 ? t->shape[1] : 1};
}

/* A difference, for a reader who looks for its cause: where the first one is
 * in an array of n numbers. */
static inline void print_difference(const char *what, size_t n, size_t at,
                                    float found, float expected)
{
    print_error("%s: shape (%zu,), at (%zu,): expected %.9g, got %.9g\n",
                what, n, at, (double)expected, (double)found);
}

/* The same in row `row` of an array of (rows, width); `axes` says what they
 * are: "token, dimension". */
static inline void print_row(const char *what, const char *axes, size_t rows,
                             size_t width, size_t row, size_t at, float found,
                             float expected)
{
    print_error("%s: shape (%s) = (%zu, %zu), at (%zu, %zu): expected %.9g, "
                "got %.9g\n",
                what, axes, rows, width, row, at, (double)expected,
                (double)found);
}

/* The rule for all results of a model: each number of a row within 1e-5 of
 * the largest golden of the row, or of 1. */
static inline double row_tolerance(const float *expected, size_t width)
{
    double most = 1;
    for (size_t i = 0; i < width; i++)
        most = fmax(most, fabs((double)expected[i]));
    return 1e-5 * most;
}

/* How far a row is from a golden one, as a share of the tolerance. */
static inline double row_distance(const float *found, const float *expected,
                                  size_t width)
{
    double worst = 0;
    for (size_t i = 0; i < width; i++) {
        double off = fabs((double)found[i] - (double)expected[i]);
        if (isnan(off))
            return INFINITY;
        worst = fmax(worst, off);
    }
    return worst / row_tolerance(expected, width);
}

/* One row of an array that has `rows`; `axes` as for print_row. */
static inline void assert_row(const char *what, const char *axes, size_t rows,
                              size_t row, const float *found,
                              const float *expected, size_t width)
{
    double off = row_distance(found, expected, width);
    double most = row_tolerance(expected, width);
    if (!(off <= 1)) {
        size_t at = 0;
        while (at + 1 < width &&
               fabs((double)found[at] - (double)expected[at]) <= most)
            at++;
        print_row(what, axes, rows, width, row, at, found[at], expected[at]);
        print_error("the worst of the row is off by %.1f times the "
                    "tolerance\n",
                    off);
    }
    assert_true(off <= 1);
}

static inline void assert_rows(const char *what, const char *axes,
                               const float *found, const float *expected,
                               size_t rows, size_t width)
{
    for (size_t r = 0; r < rows; r++)
        assert_row(what, axes, rows, r, found + r * width,
                   expected + r * width, width);
}

/* The rule for a single function: each number within `bound`, relative, or
 * within `floor`, where the goldens' own digits end. */
static inline void assert_close(const char *what, const float *found,
                                const float *expected, size_t n, double bound,
                                double floor)
{
    for (size_t i = 0; i < n; i++) {
        double off = fabs((double)found[i] - (double)expected[i]);
        double most = bound * fabs((double)expected[i]) + floor;
        if (!(off <= most))
            print_difference(what, n, i, found[i], expected[i]);
        assert_true(off <= most);
    }
}

/* The rule where every bit is known. */
static inline void assert_same(const char *what, const float *found,
                               const float *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool same = memcmp(&found[i], &expected[i], sizeof *found) == 0;
        if (!same)
            print_difference(what, n, i, found[i], expected[i]);
        assert_true(same);
    }
}

#endif
