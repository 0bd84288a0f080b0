/* The decoder: see decoder.h.  This file runs the chain; the steps themselves
 * are in decoder_steps.c. */
#include "decoder.h"

#include "decoder_steps.h"

#include <stdlib.h>

struct decoder_run {
    size_t n_steps;
    struct stage stages[]; /* (n_steps + 1,): the last collects the text */
};

static const struct decoder_step collect_step = {.type = &decoder_collect};

struct decoder_run *decoder_run_new(const struct decoder *d)
{
    size_t n = d->n_steps;
    struct decoder_run *run =
        calloc(1, sizeof *run + (n + 1) * sizeof run->stages[0]);
    if (!run)
        return NULL;
    run->n_steps = n;
    for (size_t i = 0; i < n; i++) {
        run->stages[i].step = &d->steps[i];
        run->stages[i].next = &run->stages[i + 1];
    }
    run->stages[n].step = &collect_step;
    return run;
}

void decoder_run_free(struct decoder_run *run)
{
    if (!run)
        return;
    for (struct stage *s = run->stages; s; s = s->next) {
        bytes_free(&s->held);
        bytes_free(&s->made);
    }
    free(run);
}

/* Hand over what has been collected. */
static int deliver(struct decoder_run *run, int result, struct bytes *out,
                   struct error *e)
{
    struct stage *last = &run->stages[run->n_steps];
    bytes_add(out, last->held.data, last->held.size);
    out->failed = out->failed || last->held.failed;
    last->held.size = 0;
    if (result == 0 && out->failed)
        return fail_memory(e, "the decoded text");
    return result;
}

int decoder_run_put(struct decoder_run *run, const char *token, size_t size,
                    struct bytes *out, struct error *e)
{
    struct fragment whole = {token, size, true, true};
    return deliver(run, stage_put(run->stages, whole, e), out, e);
}

int decoder_run_end(struct decoder_run *run, struct bytes *out,
                    struct error *e)
{
    int result = 0;
    for (struct stage *s = run->stages; s && result == 0; s = s->next)
        if (s->step->type->end)
            result = s->step->type->end(s, e);
    return deliver(run, result, out, e);
}

int decoder_bytes(const struct decoder *d, const char *token, size_t size,
                  struct bytes *out, struct error *e)
{
    struct bytes now = {0}, then = {0};
    bytes_add(&now, token, size);
    int result = 0;
    for (size_t i = 0; i < d->n_steps && result == 0; i++) {
        const struct decoder_step *step = &d->steps[i];
        if (!step->type->alone)
            continue;
        then.size = 0;
        result = step->type->alone(step, now.data, now.size, &then, e);
        struct bytes swap = now;
        now = then;
        then = swap;
    }
    bytes_add(out, now.data, now.size);
    if (result == 0 && (now.failed || then.failed || out->failed))
        result = fail_memory(e, "a token's bytes");
    bytes_free(&now);
    bytes_free(&then);
    return result;
}
