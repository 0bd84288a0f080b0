/* Choices weighed by kernels: the C library's weights but for the last bits,
 * the same for every set of instructions, and their own total. */
#include "choices.h"
#include "cpu.h"

#include "test_numbers.h"

enum sizes {
    MOST = 2500 /* choices: more than are weighed at once */
};

static void fill_logits(float *logits)
{
    uint32_t bits = 1;
    for (size_t i = 0; i < MOST; i++) {
        bits = bits * 1664525 + 1013904223;
        logits[i] = (float)(bits >> 8) / (float)(1 << 19) - 20;
    }
}

static void weigh_with(struct choices *c, const float *logits, size_t n,
                       const struct cpu_set *set)
{
    c->kernels = set ? set->rows : NULL;
    choices_begin(c, logits);
    c->n = n;
    choices_weigh(c, find_most(c->logits, n));
}

/* exp by kernels is within 1 ulp, and expf is, too: 2 ulp, 2^-22 at most. */
static void weights_are_those_of_the_library(void **state)
{
    static const size_t counts[] = {1, 7, 8, 9, 1023, 1024, 1025, MOST};
    static float logits[MOST], expected[MOST], first[MOST];
    struct choices c;
    struct error e;
    (void)state;
    fill_logits(logits);
    assert_ok(choices_init(&c, MOST, &e), &e);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        size_t n = counts[k], seen = 0;
        weigh_with(&c, logits, n, NULL);
        memcpy(expected, c.weights, sizeof expected);
        for (size_t i = 0; cpu_set_row(i); i++) {
            double total = 0;
            if (!cpu_set_row(i)->is_here())
                continue;
            weigh_with(&c, logits, n, cpu_set_row(i));
            assert_close("weights", c.weights, expected, n, 0x1p-22, 0);
            if (seen++ == 0)
                memcpy(first, c.weights, sizeof first);
            assert_memory_equal(c.weights, first, n * sizeof *first);
            for (size_t j = 0; j < n; j++)
                total += (double)c.weights[j];
            assert_true(fabs(c.total - total) <= 1e-12 * total);
        }
    }
    choices_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_library),
    };
    return cmocka_run_group_tests_name("choices_kernels", tests, NULL, NULL);
}
