/* For the tests of numbers: goldens from a safetensors file, and what counts
 * as equal to them. */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include "checkpoint.h"
#include "ops.h"

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

/* Sanitizers make everything some twenty times slower. */
static inline bool is_slow(void)
{
    const char *program = getenv("RUNG");
    return program && strstr(program, "/san/");
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

/* How far a row of results is from a golden one, as a share of the tolerance
 * for all results of a model: 1e-5 of the largest golden of the row, or of 1.
 * `at`, unless it is NULL, becomes the place of the worst number. */
static inline double row_distance(const float *found, const float *expected,
                                  size_t width, size_t *at)
{
    double most = 1, worst = 0;
    for (size_t i = 0; i < width; i++) {
        double off = fabs((double)found[i] - (double)expected[i]);
        most = fmax(most, fabs((double)expected[i]));
        if (off <= worst)
            continue;
        if (at)
            *at = i;
        if (isnan(off))
            return INFINITY;
        worst = off;
    }
    return worst / (1e-5 * most);
}

/* Names the worst number of a row that breaks the rule. */
static inline void assert_row(const char *what, size_t row, const float *found,
                              const float *expected, size_t width)
{
    size_t at = 0;
    double off = row_distance(found, expected, width, &at);
    if (!(off <= 1))
        print_error("%s: row %zu, number %zu is %.9g, not %.9g: %.1f times "
                    "the tolerance\n",
                    what, row, at, (double)found[at], (double)expected[at],
                    off);
    assert_true(off <= 1);
}

static inline void assert_rows(const char *what, const float *found,
                               const float *expected, size_t rows,
                               size_t width)
{
    for (size_t r = 0; r < rows; r++)
        assert_row(what, r, found + r * width, expected + r * width, width);
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
            print_error("%s: number %zu is %.9g, not %.9g\n", what, i,
                        (double)found[i], (double)expected[i]);
        assert_true(off <= most);
    }
}

#endif
