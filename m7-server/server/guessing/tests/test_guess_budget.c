/* Whatever is guessed, and in whatever company: what guesses cost more than
 * they save is a little part of what a request takes anyway.  Steps are
 * simulated; a guess is right by chance. */
#include "guess_budget.h"

#include "random.h"
#include "test_numbers.h"

enum budget_sizes {
    TOKENS = 100, /* of a request */
    REQUESTS = 5, /* one after the other, in each place */
    MOST = 4,     /* guesses */
    CROWD = 16    /* the most who are served together */
};

static const struct guess_costs by_kernels = {.row = 0.4, .draft = 0.1};

/* Places in which requests say so many tokens, and where each that ends is
 * followed by another one. */
struct company {
    struct guess_costs costs;
    size_t n;       /* places */
    size_t percent; /* of guesses that are right, */
    size_t until;   /* up to this token; then none */
    struct random random;
    struct guess_budget budgets[CROWD];
    size_t said[CROWD];
    size_t tokens;          /* of all */
    double passes;          /* that they took */
    size_t guesses, wasted; /* all; those behind `until` */
};

static size_t count_right(struct company *c, size_t i, size_t guesses)
{
    size_t right = 0;
    while (right < guesses && c->said[i] + right < c->until &&
           random_bits(&c->random) % 100 < c->percent)
        right++;
    return right;
}

/* What place i has of a step of so many requests. */
static void take_part(struct company *c, size_t i, double share)
{
    struct guess_budget *b = &c->budgets[i];
    size_t left = TOKENS - c->said[i] - 1;
    guess_budget_step(b, share);
    size_t n = guess_budget_count(b, &c->costs, left < MOST ? left : MOST);
    size_t right = count_right(c, i, n);
    guess_budget_pay(b, &c->costs, n);
    guess_budget_save(b, share, right);
    c->passes += (c->costs.row + c->costs.draft) * (double)n;
    c->guesses += n;
    c->wasted += c->said[i] >= c->until ? n : 0;
    c->said[i] += 1 + right;
    c->tokens += 1 + right;
    if (c->said[i] < TOKENS)
        return;
    c->said[i] = 0;
    *b = (struct guess_budget){0};
}

/* The passes that a token took, of what it takes without guesses. */
static double cost_of(struct company *c)
{
    double share = guess_share(&c->costs, c->n);
    random_init(&c->random, 3, 0);
    while (c->tokens < REQUESTS * TOKENS * c->n) {
        for (size_t i = 0; i < c->n; i++)
            take_part(c, i, share);
        c->passes += share * (double)c->n;
    }
    double without = (double)c->tokens * share;
    print_message("%zu together, %zu%% right: %zu guesses, %.3f\n", c->n,
                  c->percent, c->guesses, c->passes / without);
    return c->passes / without;
}

static void guesses_cost_little_whatever_they_are(void **state)
{
    (void)state;
    for (size_t n = 1; n <= CROWD; n *= 2)
        for (size_t percent = 0; percent <= 100; percent += 10) {
            struct company c = {.costs = by_kernels,
                                .n = n,
                                .percent = percent,
                                .until = TOKENS};
            assert_true(cost_of(&c) <= 1.03);
        }
}

static void right_guesses_save_passes_alone(void **state)
{
    (void)state;
    struct company c = {
        .costs = by_kernels, .n = 1, .percent = 100, .until = TOKENS};
    assert_true(cost_of(&c) < 0.65);
    struct company cheap = {
        .costs = {.row = 0.15}, .n = 1, .percent = 80, .until = TOKENS};
    assert_true(cost_of(&cheap) < 0.6);
}

/* A share of a step costs hardly more than a row: nothing can be saved. */
static void where_many_are_served_guesses_end(void **state)
{
    (void)state;
    struct company c = {
        .costs = by_kernels, .n = CROWD, .percent = 90, .until = TOKENS};
    cost_of(&c);
    assert_true(c.guesses < REQUESTS * CROWD * TOKENS / 10);
}

/* Of what was saved, four passes may be lost again, and no more. */
static void savings_are_not_spent_on_wrong_guesses(void **state)
{
    (void)state;
    struct company c = {
        .costs = by_kernels, .n = 1, .percent = 100, .until = TOKENS / 2};
    cost_of(&c);
    assert_in_range(c.wasted, MOST,
                    REQUESTS * (size_t)((4 + 1 + 0.02 * TOKENS) / 0.5 + MOST));
}

static void what_is_read_late_counts(void **state)
{
    (void)state;
    const struct guess_costs c = {.row = 0.4, .draft = 0.1, .late = 0.05};
    struct guess_purse p = guess_purse_full; /* 100 passes */
    assert_true(guess_purse_pays(&p, &c, 1999));
    assert_false(guess_purse_pays(&p, &c, 2001));
    guess_purse_read(&p, &c, 1900);
    assert_true(guess_purse_pays(&p, &c, 99));
    assert_false(guess_purse_pays(&p, &c, 101));
    for (size_t i = 0; i < 100; i++) /* 2% of 100 passes make two more */
        guess_purse_step(&p, 0.5, 2);
    assert_true(guess_purse_pays(&p, &c, 139));
    assert_false(guess_purse_pays(&p, &c, 141));
    guess_purse_add(&p, &c, 1, 4, 3); /* one more is saved, */
    assert_true(guess_purse_pays(&p, &c, 159));
    guess_purse_add(&p, &c, 1, 4, 0); /* and then two are lost */
    assert_false(guess_purse_pays(&p, &c, 121));
    for (size_t i = 0; i < 100; i++)
        guess_purse_add(&p, &c, 1, 4, 4);
    assert_false(guess_purse_pays(&p, &c, 2001)); /* it holds no more */
}

static void who_asks_for_guesses_gets_them(void **state)
{
    (void)state;
    const struct guess_costs c = {.row = 0.4, .ignored = true};
    struct guess_budget b = {.allowed = 1, .saved = -100};
    assert_int_equal(guess_budget_count(&b, &c, MOST), MOST);
    const struct guess_purse empty = {0};
    assert_true(guess_purse_pays(&empty, &c, 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_cost_little_whatever_they_are),
        cmocka_unit_test(right_guesses_save_passes_alone),
        cmocka_unit_test(where_many_are_served_guesses_end),
        cmocka_unit_test(savings_are_not_spent_on_wrong_guesses),
        cmocka_unit_test(what_is_read_late_counts),
        cmocka_unit_test(who_asks_for_guesses_gets_them),
    };
    return cmocka_run_group_tests_name("guess_budget", tests, NULL, NULL);
}
