/* The queue gives the least number first, whatever order they came in. */
#include "queue.h"

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

/* What the queue should do, the slow way. */
struct reference {
    uint64_t numbers[4000];
    size_t size;
};

static uint64_t reference_pop(struct reference *r)
{
    size_t least = 0;
    for (size_t i = 1; i < r->size; i++)
        if (r->numbers[i] < r->numbers[least])
            least = i;
    uint64_t number = r->numbers[least];
    r->numbers[least] = r->numbers[--r->size];
    return number;
}

static void push_both(struct queue *q, struct reference *r, uint64_t number)
{
    queue_push(q, number);
    assert_true(q->size <= q->capacity);
    r->numbers[r->size++] = number;
}

static void pop_both(struct queue *q, struct reference *r)
{
    uint64_t number = 0;
    assert_true(queue_pop(q, &number));
    assert_int_equal(number, reference_pop(r));
}

static void an_empty_queue_gives_nothing(void **state)
{
    (void)state;
    struct queue q = {0};
    uint64_t number;
    assert_false(queue_pop(&q, &number));
    queue_push(&q, 5);
    assert_true(queue_pop(&q, &number));
    assert_false(queue_pop(&q, &number));
    queue_free(&q);
}

static void the_least_comes_first(void **state)
{
    (void)state;
    const uint64_t numbers[] = {7, UINT64_MAX, 0, 7, 1, (uint64_t)1 << 63, 6};
    struct queue q = {0};
    struct reference r = {.size = 0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        push_both(&q, &r, numbers[i]);
    while (r.size > 0)
        pop_both(&q, &r);
    queue_free(&q);
}

/* Pushes and pops mixed; a new number lies less than `below` under the last
 * one taken, and then less than `above` over that. */
static void run_mixed(uint64_t below, uint64_t above, uint64_t seed)
{
    struct queue q = {0};
    struct reference r = {.size = 0};
    uint64_t least = (uint64_t)1 << 40;
    for (int i = 0; i < 6000; i++) {
        if (r.size == 0 || (next_random(&seed) & 1 && r.size < 4000)) {
            uint64_t down = below ? next_random(&seed) % below : 0;
            push_both(&q, &r, least - down + next_random(&seed) % above);
        } else {
            uint64_t number = 0;
            least = reference_pop(&r);
            assert_true(queue_pop(&q, &number));
            assert_int_equal(number, least);
        }
    }
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

/* Numbers that found no room are gone, and the rest is no answer. */
static void a_queue_that_lost_a_number_gives_none(void **state)
{
    (void)state;
    struct queue q = {0};
    uint64_t number;
    queue_push(&q, 7);
    q.failed = true;
    assert_false(queue_pop(&q, &number));
    queue_clear(&q);
    queue_push(&q, 8);
    assert_true(queue_pop(&q, &number));
    assert_int_equal(number, 8);
    queue_free(&q);
}

static void a_cleared_queue_starts_anew(void **state)
{
    (void)state;
    struct queue q = {0};
    uint64_t number;
    queue_push(&q, 100);
    queue_push(&q, 200);
    assert_true(queue_pop(&q, &number));
    queue_push(&q, 50);
    queue_clear(&q);
    assert_false(queue_pop(&q, &number));
    queue_push(&q, 3);
    queue_push(&q, 2);
    assert_true(queue_pop(&q, &number));
    assert_int_equal(number, 2);
    queue_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_queue_gives_nothing),
        cmocka_unit_test(the_least_comes_first),
        cmocka_unit_test(later_numbers_may_be_larger),
        cmocka_unit_test(later_numbers_may_be_less),
        cmocka_unit_test(a_queue_that_lost_a_number_gives_none),
        cmocka_unit_test(a_cleared_queue_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
