/* Every set of instructions gives the same bits: for rows of 1 to 300 numbers
 * at all alignments, ordinary ones and those at the edges. */
#include "cpu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum sizes {
    LONGEST = 300,
    ROWS = 3,
    ROOM = ROWS * LONGEST + 64
};

/* What a kernel is tried with; room for more than it may use, so that what it
 * writes behind its end is seen. */
struct trial {
    size_t n;       /* numbers of a row */
    size_t at;      /* where they begin: 0 to 15 */
    uint32_t bits;  /* that choose between ways */
    float x[ROOM], y[ROOM], z[ROOM], same;
};

typedef void trial_function(const struct row_kernels *k, struct trial *t);

static void try_normalize(const struct row_kernels *k, struct trial *t)
{
    const struct row_norm norm = {
        .width = t->n,
        .eps = 1e-6f,
        .offset = t->bits & 1 ? 1 : 0,
        .centred = t->bits & 2,
        .weights = t->bits & 4 ? t->y + t->at : NULL,
        .biases = t->bits & 8 ? t->z + t->at : NULL,
    };
    float *x = t->x + t->at;
    k->normalize(&norm, x, ROWS, x);
}

static void try_activate(const struct row_kernels *k, struct trial *t)
{
    k->activate(t->bits % 3, t->x + t->at, t->bits & 4 ? t->y + t->at : NULL,
                t->n);
}

static void try_soft_cap(const struct row_kernels *k, struct trial *t)
{
    k->soft_cap(t->x + t->at, t->same, t->n);
}

static void try_scale(const struct row_kernels *k, struct trial *t)
{
    k->scale(t->x + t->at, t->same, t->n);
}

static void try_add_scaled(const struct row_kernels *k, struct trial *t)
{
    k->add_scaled(t->x + t->at, t->y + t->at, t->same, t->n);
}

static void try_exponentials(const struct row_kernels *k, struct trial *t)
{
    k->exponentials(t->x + t->at, t->same, t->n);
}

/* Heads of n numbers, of which some turn. */
static void try_turn(const struct row_kernels *k, struct trial *t)
{
    size_t half = t->n / 2;
    const struct row_turn turn = {.head_dim = t->n,
                                  .pairs = t->bits & 2 ? half : half / 2,
                                  .neighbours = t->bits & 1,
                                  .cosines = t->y + t->at,
                                  .sines = t->z + t->at};
    k->turn(&turn, t->x + t->at, ROWS);
}

struct named_trial {
    const char *name;
    trial_function *run;
};

static const struct named_trial trials[] = {
    {"normalize", try_normalize},       {"activate", try_activate},
    {"soft_cap", try_soft_cap},         {"scale", try_scale},
    {"add_scaled", try_add_scaled},     {"turn", try_turn},
    {"exponentials", try_exponentials},
};

static uint32_t random_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static const float edges[] = {
    0,          -0.0f,     1,         -1,      88.72283f, 88.73f, -87.3f,
    -87.300003f, 0.625f,   -0.625f,   1e-45f,  -1e-39f,   20,     -13.3f,
    3.4e38f,    -3.4e38f,  INFINITY,  1e-20f,  100,       -100,
};

/* An ordinary number; now and then, for some trials, one of any size. */
static float random_number(bool is_wild)
{
    uint32_t bits = random_bits();
    float x = ((float)(bits >> 8) / (float)(1 << 23) - 1) * 6;
    if (!is_wild || random_bits() % 4)
        return x;
    if (bits % 2)
        return edges[bits / 2 % (sizeof edges / sizeof *edges)];
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? 1 : x;
}

static struct trial random_trial(bool is_wild)
{
    struct trial t = {.n = 1 + random_bits() % LONGEST,
                      .at = random_bits() % 16,
                      .bits = random_bits(),
                      .same = 0.5f + random_number(false) / 16};
    for (size_t i = 0; i < ROOM; i++) {
        t.x[i] = random_number(is_wild);
        t.y[i] = random_number(is_wild);
        t.z[i] = random_number(is_wild);
    }
    return t;
}

/* Which of all its bits a number that is none has, each machine chooses. */
static void settle_nans(struct trial *t)
{
    for (size_t i = 0; i < ROOM; i++)
        t->x[i] = isnan(t->x[i]) ? NAN : t->x[i];
}

/* Run a trial with set `i`; false where the processor lacks it. */
static bool run_trial(size_t i, const struct named_trial *named,
                      struct trial *t)
{
    const struct cpu_set *set = cpu_set_row(i);
    if (!set->is_here())
        return false;
    named->run(set->rows, t);
    settle_nans(t);
    return true;
}

/* The first set, the fastest, counts as what is expected of the others. */
static void assert_sets_agree(const struct named_trial *named,
                              const struct trial *given)
{
    static struct trial first, other;
    bool is_first = true;
    for (size_t i = 0; cpu_set_row(i); i++) {
        other = *given;
        if (!run_trial(i, named, &other))
            continue;
        if (is_first)
            first = other;
        is_first = false;
        if (memcmp(&first, &other, sizeof first) != 0)
            print_error("%s of %zu numbers at %zu, bits %#x: %s differs\n",
                        named->name, given->n, given->at, given->bits,
                        cpu_set_row(i)->name);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

static void sets_give_the_same_bits(void **state)
{
    const struct named_trial *named = *state;
    for (int i = 0; i < 2000; i++) {
        struct trial t = random_trial(i % 4 == 3);
        assert_sets_agree(named, &t);
    }
}

/* What stands before and behind the numbers is not touched, in any set. */
static void nothing_else_is_written(void **state)
{
    const struct named_trial *named = *state;
    const struct cpu_set *set;
    struct error e;
    assert_int_equal(cpu_choose(&set, &e), 0);
    for (int i = 0; i < 300; i++) {
        struct trial given = random_trial(false), t = given;
        size_t end = given.at + ROWS * given.n;
        named->run(set->rows, &t);
        assert_memory_equal(t.x, given.x, given.at * sizeof *t.x);
        assert_memory_equal(t.x + end, given.x + end,
                            (ROOM - end) * sizeof *t.x);
        assert_memory_equal(t.y, given.y, sizeof t.y);
        assert_memory_equal(t.z, given.z, sizeof t.z);
    }
}

enum n_trials {
    N_TRIALS = sizeof trials / sizeof trials[0]
};

int main(void)
{
    struct CMUnitTest tests[2 * N_TRIALS];
    for (size_t i = 0; i < N_TRIALS; i++) {
        void *trial = (void *)&trials[i];
        tests[2 * i] = (struct CMUnitTest){
            trials[i].name, sets_give_the_same_bits, NULL, NULL, trial};
        tests[2 * i + 1] = (struct CMUnitTest){
            trials[i].name, nothing_else_is_written, NULL, NULL, trial};
    }
    return cmocka_run_group_tests_name("kernel_rows", tests, NULL, NULL);
}
