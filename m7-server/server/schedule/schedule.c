/* The schedule: see schedule.h. */
#include "schedule.h"

#include "sizes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int schedule_init(struct schedule *s, const struct schedule_limits *l,
                  struct error *e)
{
    *s = (struct schedule){.limits = *l};
    if (l->places == 0 || l->rows < l->places)
        return fail(e, ERROR_INPUT,
                    "a step of %zu tokens is too small for %zu places",
                    l->rows, l->places);
    if (l->queue > SIZE_MAX - l->places)
        return fail(e, ERROR_INPUT, "a queue of %zu is too long", l->queue);
    s->jobs = calloc(l->places + l->queue, sizeof *s->jobs);
    return s->jobs ? 0 : fail_memory(e, "the queue");
}

void schedule_free(struct schedule *s)
{
    free(s->jobs);
    *s = (struct schedule){0};
}

enum schedule_answer schedule_add(struct schedule *s, void *job, size_t n,
                                  size_t k)
{
    if (n > s->limits.positions || k - 1 > s->limits.positions - n)
        return SCHEDULE_TOO_LONG;
    if (s->n == s->limits.places + s->limits.queue)
        return SCHEDULE_FULL;
    s->jobs[s->n++] = (struct schedule_job){
        .job = job, .positions = n + k - 1, .unread = n, .more = k};
    return SCHEDULE_ACCEPTED;
}

/* A later one that would fit does not go first: a job that needs much room
 * would never get it. */
void *schedule_admit(struct schedule *s)
{
    if (s->n_running == s->n || s->n_running == s->limits.places)
        return NULL;
    const struct schedule_job *first = &s->jobs[s->n_running];
    if (first->positions > s->limits.positions - s->positions)
        return NULL;
    s->n_running++;
    s->positions += first->positions;
    return first->job;
}

/* The place of a job; s->n: it is not there. */
static size_t find_job(const struct schedule *s, const void *job)
{
    size_t i = 0;
    while (i < s->n && s->jobs[i].job != job)
        i++;
    return i;
}

void schedule_found(struct schedule *s, const void *job, size_t held,
                    size_t positions)
{
    struct schedule_job *j = &s->jobs[find_job(s, job)];
    size_t more = larger_size(positions, j->positions) - j->positions;
    j->unread -= held;
    j->positions += more;
    s->positions += more;
}

/* Share `rows` equally among the n_left who read their prompts: who needs less
 * than an equal part of what is left leaves more to those behind. */
static size_t share_equally(const struct schedule *s, size_t rows,
                            size_t n_left, struct schedule_share *shares)
{
    for (size_t i = 0; i < s->n_running; i++) {
        if (s->jobs[i].decodes)
            continue;
        shares[i].n = smaller_size(s->jobs[i].unread, rows / n_left);
        rows -= shares[i].n;
        n_left--;
    }
    return rows;
}

/* What is over goes to who came first. */
static void share_rest(const struct schedule *s, size_t rows,
                       struct schedule_share *shares)
{
    for (size_t i = 0; i < s->n_running && rows > 0; i++) {
        size_t more = smaller_size(s->jobs[i].unread - shares[i].n, rows);
        shares[i].n += more;
        rows -= more;
    }
}

size_t schedule_plan(const struct schedule *s, struct schedule_share *shares)
{
    size_t rows = s->limits.rows, n_prompts = 0;
    for (size_t i = 0; i < s->n_running; i++) {
        const struct schedule_job *j = &s->jobs[i];
        size_t last = j->decodes ? 1 : 0;
        shares[i] = (struct schedule_share){j->job, last, j->decodes, 0};
        rows -= last;
        n_prompts += 1 - last;
    }
    rows = share_equally(s, rows, n_prompts, shares);
    share_rest(s, rows, shares);
    return s->n_running;
}

/* One guess more, if the share may have one. */
static bool add_guess(const struct schedule_job *j, size_t wanted,
                      struct schedule_share *share)
{
    size_t more = j->more > 0 ? j->more - 1 : 0;
    if (!share->decodes || share->guesses >= smaller_size(wanted, more))
        return false;
    share->guesses++;
    share->n++;
    return true;
}

void schedule_guess(const struct schedule *s, const size_t *wanted,
                    struct schedule_share *shares, size_t n)
{
    size_t most = smaller_size(s->limits.rows, s->limits.guessing), rows = 0;
    bool added;
    for (size_t i = 0; i < n; i++)
        rows += shares[i].n;
    do {
        added = false;
        for (size_t i = 0; i < n && rows < most; i++)
            if (add_guess(&s->jobs[i], wanted[i], &shares[i])) {
                added = true;
                rows++;
            }
    } while (added);
}

void schedule_done(struct schedule *s, const struct schedule_share *shares,
                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct schedule_job *j = &s->jobs[find_job(s, shares[i].job)];
        j->unread -= shares[i].n - shares[i].guesses;
        if (j->unread > 0)
            continue;
        j->unread = 1;
        j->decodes = true;
        j->more -= j->more > 0;
    }
}

void schedule_guessed(struct schedule *s, const void *job, size_t right)
{
    size_t i = find_job(s, job);
    if (i < s->n)
        s->jobs[i].more -= smaller_size(right, s->jobs[i].more);
}

bool schedule_end(struct schedule *s, const void *job)
{
    size_t i = find_job(s, job);
    if (i == s->n)
        return false;
    if (i < s->n_running) {
        s->n_running--;
        s->positions -= s->jobs[i].positions;
    }
    s->n--;
    memmove(s->jobs + i, s->jobs + i + 1, (s->n - i) * sizeof *s->jobs);
    return true;
}

size_t schedule_steps(const struct schedule_limits *l, size_t n, size_t k)
{
    size_t share = l->rows / l->places;
    return n / share + (n % share > 0) + k - 1;
}

size_t schedule_backlog(const struct schedule *s)
{
    size_t steps = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct schedule_job *j = &s->jobs[i];
        steps += j->decodes ? j->more
                            : schedule_steps(&s->limits, j->unread, j->more);
    }
    return steps;
}
