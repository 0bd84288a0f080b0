/* Nobody starves, nobody waits longer than is promised, and no step is too
 * large, with guesses and without: over 10,000 random loads, with a clock that
 * counts steps and a model that only says when a text ends, and which guesses
 * are right. */
#include "schedule.h"

#include "random.h"
#include "test_numbers.h"

#include <stdint.h>

enum sizes {
    LOADS = 10000,
    MOST_JOBS = 40, /* of a load */
    MOST_PLACES = 16,
    LONG_PROMPT = 400,
    NEVER = 1000000 /* a step that does not come */
};

/* What becomes of a job. */
enum fate {
    TO_COME,
    WAITING,
    RUNNING,
    ENDED,
    CANCELLED,
    REFUSED
};

struct fake_job {
    size_t comes;   /* at this step */
    size_t leaves;  /* at this step its client does */
    size_t n, held; /* tokens of its prompt; of them, found in a cache */
    size_t k, ends; /* new tokens at most, and as the model has it */
    enum fate fate;
    size_t read, said; /* so far */
    size_t wait;       /* steps, at most, by the schedule's word */
    size_t started;
};

struct load {
    struct schedule schedule;
    struct fake_job jobs[MOST_JOBS];
    size_t n, step;
    size_t wanted;        /* guesses, by each job in each step, at most */
    size_t right;         /* of ten guesses */
    size_t guessed, kept; /* of all: that were read; and right */
    struct random random; /* for them */
};

static size_t below(struct random *r, size_t n)
{
    return (size_t)(random_bits(r) % n);
}

static void make_job(struct random *r, struct fake_job *j)
{
    bool is_long = below(r, 4) == 0;
    *j = (struct fake_job){.comes = below(r, 60), .leaves = NEVER};
    j->n = 1 + below(r, is_long ? LONG_PROMPT : 20);
    j->held = below(r, 3) == 0 ? below(r, j->n) : 0;
    j->k = 1 + below(r, 30);
    j->ends = 1 + below(r, j->k);
    if (below(r, 5) == 0)
        j->leaves = j->comes + below(r, 80);
}

static void make_load(struct random *r, struct load *l)
{
    struct error e;
    struct schedule_limits limits = {.places = 1 + below(r, MOST_PLACES)};
    limits.rows = limits.places + below(r, 64);
    limits.queue = below(r, 30);
    limits.positions = 430 + below(r, 2000);
    limits.guessing = below(r, 3) ? below(r, 40) : 0;
    *l = (struct load){.n = 1 + below(r, MOST_JOBS),
                       .wanted = below(r, 8),
                       .right = below(r, 11)};
    random_init(&l->random, random_bits(r), 0);
    assert_ok(schedule_init(&l->schedule, &limits, &e), &e);
    for (size_t i = 0; i < l->n; i++)
        make_job(r, &l->jobs[i]);
}

/* --- what is promised ---------------------------------------------------- */

/* Places and room are those of the jobs that have them. */
static void assert_within_limits(const struct load *l)
{
    const struct schedule *s = &l->schedule;
    size_t running = 0, waiting = 0, positions = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct fake_job *j = &l->jobs[i];
        running += j->fate == RUNNING;
        waiting += j->fate == WAITING;
        positions += j->fate == RUNNING ? j->n + j->k - 1 : 0;
    }
    assert_int_equal(s->n_running, running);
    assert_int_equal(s->n, running + waiting);
    assert_int_equal(s->positions, positions);
    assert_true(running <= s->limits.places);
    assert_true(positions <= s->limits.positions);
}

/* Guesses come behind the last token, as many as are wanted, and never where
 * the last new token would be: what the job is to say, and its place in the
 * caches, end there. */
static void assert_guesses(const struct fake_job *j,
                           const struct schedule_share *share, size_t wanted)
{
    assert_true(share->guesses <= wanted);
    assert_true(share->guesses == 0 || share->decodes);
    assert_true(share->guesses == 0 || j->said + share->guesses < j->k);
}

/* Everyone who runs has a share, and it is as large as it must be: what
 * guesses have is what would be left over. */
static void assert_fair(const struct load *l,
                        const struct schedule_share *shares,
                        const size_t *wanted, size_t n)
{
    const struct schedule_limits *limits = &l->schedule.limits;
    size_t least = limits->rows / limits->places, rows = 0, unread = 0;
    size_t guesses = 0;
    assert_int_equal(n, l->schedule.n_running);
    for (size_t i = 0; i < n; i++) {
        const struct fake_job *j = shares[i].job;
        size_t left = j->n - j->read;
        assert_int_equal(j->fate, RUNNING);
        assert_int_equal(shares[i].decodes, left == 0);
        if (left == 0)
            assert_int_equal(shares[i].n, 1 + shares[i].guesses);
        else
            assert_in_range(shares[i].n, left < least ? left : least, left);
        assert_guesses(j, &shares[i], wanted[i]);
        rows += shares[i].n;
        guesses += shares[i].guesses;
        unread += left > 0 ? left - shares[i].n : 0;
    }
    assert_true(rows <= limits->rows);
    assert_true(rows == limits->rows || unread == 0);
    assert_true(guesses == 0 || rows <= limits->guessing);
    assert_true(guesses == 0 || unread == 0);
}

/* --- a load, step by step ------------------------------------------------ */

static void come(struct load *l, struct fake_job *j)
{
    struct schedule *s = &l->schedule;
    bool full = s->n == s->limits.places + s->limits.queue;
    j->wait = schedule_backlog(s);
    enum schedule_answer answer = schedule_add(s, j, j->n, j->k);
    assert_int_equal(answer, full ? SCHEDULE_FULL : SCHEDULE_ACCEPTED);
    j->fate = full ? REFUSED : WAITING;
    j->comes = l->step;
}

static void leave(struct load *l, struct fake_job *j, enum fate fate)
{
    assert_true(schedule_end(&l->schedule, j));
    assert_false(schedule_end(&l->schedule, j));
    j->fate = fate;
}

static void come_and_go(struct load *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct fake_job *j = &l->jobs[i];
        if (j->fate == TO_COME && j->comes <= l->step)
            come(l, j);
        if ((j->fate == WAITING || j->fate == RUNNING) &&
            j->leaves <= l->step)
            leave(l, j, CANCELLED);
    }
}

static void admit(struct load *l)
{
    struct fake_job *j;
    while ((j = schedule_admit(&l->schedule))) {
        assert_int_equal(j->fate, WAITING);
        assert_true(l->step - j->comes <= j->wait);
        for (size_t i = 0; i < l->n; i++)
            assert_true(l->jobs[i].fate != WAITING ||
                        l->jobs[i].comes >= j->comes);
        schedule_found(&l->schedule, j, j->held, 0);
        j->read = j->held;
        j->fate = RUNNING;
        j->started = l->step;
    }
}

/* The first guesses that are right, by chance. */
static size_t count_right(struct load *l, size_t guesses)
{
    size_t right = 0;
    while (right < guesses && below(&l->random, 10) < l->right)
        right++;
    l->guessed += guesses;
    l->kept += right;
    return right;
}

/* What the model makes of a share: a new token, where all was read, and
 * another one behind each guess that is right. */
static void read_share(struct load *l, const struct schedule_share *share)
{
    struct fake_job *j = share->job;
    size_t right = count_right(l, share->guesses);
    if (!share->decodes)
        j->read += share->n;
    if (j->read < j->n)
        return;
    j->said += 1 + right;
    if (j->said < j->ends) {
        schedule_guessed(&l->schedule, j, right);
        return;
    }
    assert_true(l->step + 1 - j->started <=
                schedule_steps(&l->schedule.limits, j->n - j->held, j->k));
    leave(l, j, ENDED);
}

static void run_step(struct load *l)
{
    struct schedule_share shares[MOST_PLACES];
    size_t wanted[MOST_PLACES];
    come_and_go(l);
    admit(l);
    assert_within_limits(l);
    size_t n = schedule_plan(&l->schedule, shares);
    assert_true(n > 0 || l->schedule.n == 0);
    for (size_t i = 0; i < n; i++)
        wanted[i] = below(&l->random, l->wanted + 1);
    schedule_guess(&l->schedule, wanted, shares, n);
    assert_fair(l, shares, wanted, n);
    schedule_done(&l->schedule, shares, n);
    for (size_t i = 0; i < n; i++)
        read_share(l, &shares[i]);
    l->step++;
}

static bool is_over(const struct load *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->jobs[i].fate < ENDED)
            return false;
    return true;
}

static void every_promise_holds_over_random_loads(void **state)
{
    (void)state;
    size_t refused = 0, cancelled = 0, waited = 0, guessed = 0, kept = 0;
    struct random r;
    random_init(&r, 7, 0);
    for (size_t i = 0; i < LOADS; i++) {
        struct load l;
        make_load(&r, &l);
        while (!is_over(&l)) {
            assert_true(l.step < MOST_JOBS * (LONG_PROMPT + 30) + 60);
            run_step(&l);
        }
        assert_int_equal(l.schedule.n, 0);
        assert_int_equal(l.schedule.positions, 0);
        guessed += l.guessed;
        kept += l.kept;
        for (size_t k = 0; k < l.n; k++) {
            refused += l.jobs[k].fate == REFUSED;
            cancelled += l.jobs[k].fate == CANCELLED;
            waited += l.jobs[k].started > l.jobs[k].comes;
        }
        schedule_free(&l.schedule);
    }
    assert_true(refused > LOADS / 10); /* they were no easy loads */
    assert_true(cancelled > LOADS / 10);
    assert_true(waited > LOADS);
    assert_true(guessed > LOADS && kept > LOADS);
}

/* --- single cases -------------------------------------------------------- */

static const struct schedule_limits small = {
    .rows = 8, .places = 2, .queue = 1, .positions = 100};

static struct schedule start(const struct schedule_limits *l)
{
    struct schedule s;
    struct error e;
    assert_ok(schedule_init(&s, l, &e), &e);
    return s;
}

static void a_long_prompt_leaves_room_for_a_short_one(void **state)
{
    (void)state;
    int first, second;
    struct schedule_share shares[2];
    struct schedule s = start(&small);
    schedule_add(&s, &first, 80, 1);
    schedule_add(&s, &second, 5, 10);
    assert_ptr_equal(schedule_admit(&s), &first);
    assert_ptr_equal(schedule_admit(&s), &second);
    assert_int_equal(schedule_plan(&s, shares), 2);
    assert_int_equal(shares[0].n, 4);
    assert_int_equal(shares[1].n, 4);
    schedule_done(&s, shares, 2);
    schedule_plan(&s, shares);
    assert_int_equal(shares[0].n, 7);
    assert_int_equal(shares[1].n, 1);
    assert_false(shares[1].decodes);
    schedule_done(&s, shares, 2);
    schedule_plan(&s, shares);
    assert_int_equal(shares[0].n, 7);
    assert_true(shares[1].decodes);
    schedule_free(&s);
}

static void nobody_overtakes_who_needs_much_room(void **state)
{
    (void)state;
    int first, large, little;
    struct schedule s = start(&small);
    schedule_add(&s, &first, 50, 10);
    schedule_add(&s, &large, 50, 10);
    schedule_add(&s, &little, 1, 1);
    assert_ptr_equal(schedule_admit(&s), &first);
    assert_null(schedule_admit(&s));
    schedule_end(&s, &first);
    assert_ptr_equal(schedule_admit(&s), &large);
    assert_ptr_equal(schedule_admit(&s), &little);
    schedule_free(&s);
}

static void what_can_never_run_is_refused(void **state)
{
    (void)state;
    int job;
    struct schedule s = start(&small);
    assert_int_equal(schedule_add(&s, &job, 101, 1), SCHEDULE_TOO_LONG);
    assert_int_equal(schedule_add(&s, &job, 1, 101), SCHEDULE_TOO_LONG);
    assert_int_equal(schedule_add(&s, &job, 1, SIZE_MAX), SCHEDULE_TOO_LONG);
    assert_int_equal(schedule_add(&s, &job, 1, 100), SCHEDULE_ACCEPTED);
    schedule_free(&s);
}

/* A cache may be larger already than the job needs. */
static void a_cache_counts_as_large_as_it_is(void **state)
{
    (void)state;
    int first, second;
    struct schedule s = start(&small);
    schedule_add(&s, &first, 10, 10);
    schedule_add(&s, &second, 20, 20);
    assert_ptr_equal(schedule_admit(&s), &first);
    schedule_found(&s, &first, 9, 62);
    assert_int_equal(s.positions, 62);
    assert_null(schedule_admit(&s));
    schedule_end(&s, &first);
    assert_int_equal(s.positions, 0);
    assert_ptr_equal(schedule_admit(&s), &second);
    schedule_free(&s);
}

static void limits_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    struct schedule s;
    struct error e;
    struct schedule_limits l = {.rows = 3, .places = 4};
    assert_int_equal(schedule_init(&s, &l, &e), -1);
    assert_string_equal(e.message,
                        "a step of 3 tokens is too small for 4 places");
    l = (struct schedule_limits){.rows = 3, .places = 0};
    assert_int_equal(schedule_init(&s, &l, &e), -1);
    l = (struct schedule_limits){.rows = 3, .places = 1, .queue = SIZE_MAX};
    assert_int_equal(schedule_init(&s, &l, &e), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_promise_holds_over_random_loads),
        cmocka_unit_test(a_long_prompt_leaves_room_for_a_short_one),
        cmocka_unit_test(nobody_overtakes_who_needs_much_room),
        cmocka_unit_test(what_can_never_run_is_refused),
        cmocka_unit_test(a_cache_counts_as_large_as_it_is),
        cmocka_unit_test(limits_that_contradict_each_other_are_refused),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
