/* A batch for the picture of the timeline: see timeline_run.h. */
#include "timeline_run.h"

#include "served.h"

#include <string.h>

const struct timeline_request timeline_requests[TIMELINE_REQUESTS] = {
    {.prompt = 12, .answer = 34},
    {.prompt = 9, .answer = 12, .comes = 2},
    {.prompt = 110, .answer = 6, .comes = 4},
    {.prompt = 24, .answer = 30, .comes = 6, .leaves = 17},
    {.prompt = 16, .answer = 8, .comes = 8},
    {.prompt = 30, .answer = 9, .comes = 10},
};

enum batch_sizes {
    MOST_PROMPT = 110
};

/* What prompts are cut from. */
static const char story[] =
    "Once upon a time there was a small lighthouse on a rock in the sea. A "
    "keeper lived in it with her grey cat. Every evening she climbed the "
    "stairs and lit the lamp, so that ships would find their way home.";

struct batch {
    struct rung_model *model;
    struct timeline_run *run;
    int *story; /* (n_story,), the library's to free */
    size_t n_story;
    struct rung_ticket *tickets[TIMELINE_REQUESTS]; /* NULL: not there */
    struct rung_error error; /* of one that could not come */
};

/* Every prompt begins at a place of its own, so that none has been read for
 * another. */
static void choose_prompt(const struct batch *b, size_t i, int *ids)
{
    for (size_t t = 0; t < timeline_requests[i].prompt; t++)
        ids[t] = b->story[(7 * i + t) % b->n_story];
}

static int submit(struct batch *b, size_t i, rung_token_function *on_token)
{
    int ids[MOST_PROMPT];
    struct rung_stats now;
    struct rung_request r;
    choose_prompt(b, i, ids);
    rung_request_init(&r);
    r.ids = ids;
    r.n_ids = timeline_requests[i].prompt;
    r.max_tokens = timeline_requests[i].answer;
    r.sampling.temperature = 0;
    r.ignore_eos = true;
    r.on_token = on_token;
    r.context = b;
    rung_stats(b->model, &now);
    b->run->came[i] = now.steps;
    b->tickets[i] = rung_submit(b->model, &r, &b->error);
    return b->tickets[i] ? 0 : -1;
}

/* The first request has a token: who comes now, and who leaves? */
static int let_others_come(void *context, const struct rung_token_event *t)
{
    struct batch *b = context;
    for (size_t i = 1; i < TIMELINE_REQUESTS; i++) {
        if (timeline_requests[i].comes == t->index + 1 && submit(b, i, NULL))
            return -1;
        if (timeline_requests[i].leaves == t->index + 1)
            rung_cancel(b->tickets[i]);
    }
    return 0;
}

/* Wait for the first, which is there, then for those that have come. */
static int finish(struct batch *b, struct error *e)
{
    for (size_t i = 0; i < TIMELINE_REQUESTS; i++) {
        struct rung_result end;
        if (!b->tickets[i])
            continue;
        rung_wait(b->tickets[i], &end);
        rung_release(b->tickets[i]);
        if (end.reason == RUNG_FAILED)
            b->error = end.error;
    }
    return b->error.code == RUNG_OK ? 0 : fail_engine(e, &b->error);
}

static int run_batch(struct batch *b, struct error *e)
{
    if (rung_encode(b->model, story, strlen(story), NULL, &b->story,
                    &b->n_story, &b->error) ||
        submit(b, 0, let_others_come) || finish(b, e))
        return fail_engine(e, &b->error);
    b->run->n = rung_timeline(b->model, b->run->parts, TIMELINE_MOST);
    return 0;
}

int timeline_run(struct timeline_run *r, const struct settings *s,
                 struct error *e)
{
    const struct rung_options o = {.threads = number_or(s->threads, 0),
                                   .exact = s->exact,
                                   .requests = TIMELINE_PLACES,
                                   .step_tokens = TIMELINE_ROWS,
                                   .context = 2 * MOST_PROMPT};
    struct batch b = {.run = r};
    b.model = rung_open(s->model, &o, &b.error);
    int result = b.model ? run_batch(&b, e) : fail_engine(e, &b.error);
    rung_free_ids(b.story);
    rung_close(b.model);
    return result;
}
