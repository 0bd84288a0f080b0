/* The radix heap gives what a binary heap gives. */
#include "radix_heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A number that looks random: the xorshift64 of Marsaglia 2003. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void pop_both(struct radix_heap *h, struct queue *q, uint64_t *number)
{
    uint64_t expected = 0;
    bool any = queue_pop(q, &expected);
    assert_int_equal(radix_heap_pop(h, number), any);
    if (any)
        assert_true(*number == expected);
}

/* Pushes and pops mixed; a new number lies less than `below` under the last
 * one taken, and then less than `above` over that. */
static void run_mixed(uint64_t below, uint64_t above, uint64_t seed)
{
    struct radix_heap h = {0};
    struct queue q = {0};
    uint64_t last = (uint64_t)1 << 40;
    for (int i = 0; i < 20000; i++) {
        if (next_random(&seed) % 100 < (i < 10000 ? 55u : 45u)) {
            uint64_t down = below ? next_random(&seed) % below : 0;
            uint64_t number = last - down + next_random(&seed) % above;
            radix_heap_push(&h, number);
            queue_push(&q, number);
        } else {
            pop_both(&h, &q, &last);
        }
    }
    radix_heap_free(&h);
    queue_free(&q);
}

static void later_numbers_may_be_larger(void **state)
{
    (void)state;
    run_mixed(0, 1 << 20, 1);
    run_mixed(0, 3, 2);
}

static void later_numbers_may_be_less(void **state)
{
    (void)state;
    run_mixed(1000, 1 << 20, 3);
    run_mixed(1 << 20, 10, 4);
    run_mixed((uint64_t)1 << 40, 2, 5);
}

static void the_largest_and_the_least_have_rows(void **state)
{
    (void)state;
    const uint64_t numbers[] = {7, UINT64_MAX, 0, 7, 1, (uint64_t)1 << 63, 6};
    struct radix_heap h = {0};
    struct queue q = {0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        radix_heap_push(&h, numbers[i]);
        queue_push(&q, numbers[i]);
    }
    for (uint64_t number, i = 0; i < 8; i++)
        pop_both(&h, &q, &number);
    radix_heap_clear(&h);
    radix_heap_push(&h, 3);
    uint64_t number = 0;
    assert_true(radix_heap_pop(&h, &number) && number == 3);
    radix_heap_free(&h);
    queue_free(&q);
}

/* Numbers that found no room are gone, and the rest is no answer. */
static void a_heap_that_lost_a_number_gives_none(void **state)
{
    (void)state;
    struct radix_heap h = {0};
    uint64_t number;
    radix_heap_push(&h, 7);
    h.failed = true;
    assert_false(radix_heap_pop(&h, &number));
    radix_heap_clear(&h);
    assert_false(radix_heap_pop(&h, &number));
    radix_heap_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_numbers_may_be_larger),
        cmocka_unit_test(later_numbers_may_be_less),
        cmocka_unit_test(the_largest_and_the_least_have_rows),
        cmocka_unit_test(a_heap_that_lost_a_number_gives_none),
    };
    return cmocka_run_group_tests_name("radix_heap", tests, NULL, NULL);
}
