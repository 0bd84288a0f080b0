/* Speeds from seconds: what is constant in a call is no part of them; and
 * limits and shares that could be true. */
#include "measure.h"
#include "points.h"
#include "test_numbers.h"

/* A call costs 5 seconds, and each token 2. */
static struct measured made_up(size_t tokens, size_t batch, size_t rounds)
{
    struct measured c = {.tokens = tokens, .batch = batch};
    for (size_t i = 0; i < rounds; i++) {
        c.whole[i] = 5 + 2 * (double)tokens;
        c.least[i] = 5 + 2 * (double)measured_least(&c);
    }
    return c;
}

static void what_every_call_costs_is_taken_off(void **state)
{
    (void)state;
    static const size_t batches[] = {0, 1, 4};
    for (size_t i = 0; i < 3; i++) {
        struct measured c = made_up(64, batches[i], 5);
        assert_true(measured_speed(&c, 5) == 0.5);
    }
}

static void a_case_of_the_fewest_tokens_counts_them_all(void **state)
{
    (void)state;
    struct measured c = made_up(1, 0, 1);
    assert_true(measured_speed(&c, 1) == 1.0 / 7);
    c = made_up(8, 8, 1);
    assert_true(measured_speed(&c, 1) == 8.0 / 21);
}

static void the_median_of_differences_counts(void **state)
{
    (void)state;
    struct measured c = made_up(11, 1, 5);
    static const double whole[] = {30, 100, 21, 22, 23};
    static const double least[] = {10, 1, 11, 2, 13};
    memcpy(c.whole, whole, sizeof whole);
    memcpy(c.least, least, sizeof least); /* 20 99 10 20 10 */
    assert_true(measured_speed(&c, 5) == 10.0 / 20);
    assert_true(measured_spread(&c, 5) == (20.0 - 10.0) / 20);
}

/* A point that is as fast as reading allows in one round and half as fast in
 * the others. */
static void shares_are_taken_within_a_round(void **state)
{
    (void)state;
    struct roofline r = {.n_points = 1};
    struct point *p = &r.points[0];
    *p = (struct point){.intensity = 2, .compute = LIMIT_FLOAT};
    for (size_t i = 0; i < LIMIT_ROUNDS; i++) {
        double read = 10.0 * (double)(i + 1);
        r.limits.speeds[LIMIT_READ][1][i] = 1;
        r.limits.speeds[LIMIT_STREAMS][1][i] = read;
        r.limits.speeds[LIMIT_FLOAT][1][i] = 1000;
        p->speeds[i] = i == 0 ? 2 * read : read;
    }
    point_find_share(&r.limits, p);
    assert_true(p->share == 0.5);
    for (size_t i = 0; i < LIMIT_ROUNDS; i++)
        r.limits.speeds[LIMIT_FLOAT][1][i] = p->speeds[i] * 4;
    p->intensity = 1000;
    point_find_share(&r.limits, p);
    assert_true(p->share == 0.25);
}

static void what_is_read_is_larger_than_the_cache_and_fits(void **state)
{
    (void)state;
    const size_t mb = 1 << 20;
    assert_int_equal(limits_bytes(100 * mb, 16000 * (uint64_t)mb), 800 * mb);
    assert_int_equal(limits_bytes(100 * mb, 3000 * (uint64_t)mb), 750 * mb);
    assert_int_equal(limits_bytes(100 * mb, 0), 800 * mb);
    assert_int_equal(limits_bytes(100 * mb, 400 * (uint64_t)mb), 256 * mb);
    assert_int_equal(limits_bytes(8 * mb, 16000 * (uint64_t)mb), 256 * mb);
    assert_int_equal(limits_bytes(0, 0), 256 * mb);
}

/* Each set says how many operations a round of it has; a loop that was not
 * run would be thousands of times faster than this. */
static void limits_are_those_of_a_machine(void **state)
{
    (void)state;
    static const double most[N_LIMITS] = {5e11, 5e11, 5e12, 5e12, 1e12};
    struct error e;
    struct limits l;
    skip_if_slow();
    assert_ok(limits_open(&l, cpu_set_row(0), NULL, &e), &e);
    for (size_t i = 0; cpu_set_row(i); i++) {
        if (!cpu_set_row(i)->is_here())
            continue;
        l.set = cpu_set_row(i);
        limits_round(&l, 0);
        for (int kind = 0; kind < N_LIMITS; kind++) {
            assert_true(l.speeds[kind][0][0] > 1e7);
            assert_true(l.speeds[kind][0][0] < most[kind]);
        }
    }
    limits_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_every_call_costs_is_taken_off),
        cmocka_unit_test(a_case_of_the_fewest_tokens_counts_them_all),
        cmocka_unit_test(the_median_of_differences_counts),
        cmocka_unit_test(shares_are_taken_within_a_round),
        cmocka_unit_test(what_is_read_is_larger_than_the_cache_and_fits),
        cmocka_unit_test(limits_are_those_of_a_machine),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
