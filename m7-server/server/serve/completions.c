/* POST /v1/completions: texts go on. */
#include "routes.h"

#include "asking.h"
#include "echo.h"
#include "text_answer.h"
#include "text_request.h"
#include "told_tokens.h"

#include <math.h>
#include <stdlib.h>

struct completion_part {
    struct bytes text; /* so far; of a stream, not yet sent */
    size_t characters; /* of text, before what comes next */
    struct echo echo;  /* the tokens of the prompt that were told */
    struct told_tokens told;
    double logprob;  /* of all tokens that came, where somebody asks for it */
    size_t n_tokens; /* they */
    bool sent;       /* it is in the answer */
    enum finish_reason finish;
};

enum completion_values {
    CHOICE_VALUES = 6 /* of JSON, of a choice; what made it is as much */
};

struct completion_work {
    struct completion_request asked;
    struct prompt_ids *prompts;    /* (asked.prompts.n,) */
    struct completion_part *parts; /* (n,), as the answering's */
};

/* --- what comes of the engine -------------------------------------------- */

static struct completion_choice choice_of(size_t index,
                                          struct completion_part *p)
{
    return (struct completion_choice){index, p->text.data, p->text.size,
                                      told_take(&p->told), p->finish};
}

/* Send what there is of a part; nothing, while it goes on, is not sent. */
static int send_part(struct answering *a, size_t index)
{
    struct completion_work *w = a->work;
    struct completion_part *p = &w->parts[index];
    if (p->text.failed || p->told.failed)
        return answering_fail_memory(a);
    if (p->text.size == 0 && p->finish == FINISH_NONE)
        return 0;
    struct completion_choice choice = choice_of(index, p);
    p->text.size = 0;
    return answering_send(a, completion_chunk(&a->head, &choice, NULL));
}

static void add_part_text(struct completion_part *p, const char *text,
                          size_t size)
{
    bytes_add(&p->text, text, size);
    p->characters += characters_of(text, size);
}

/* A token of the prompt, whose text is there already. */
static int take_prompt_token(struct answering_part *part,
                             const struct rung_token_event *t)
{
    struct answering *a = part->whole;
    struct completion_part *p = part->work;
    size_t before = echo_pass(&p->echo, a->model->engine, t->id, p->text.data,
                              p->text.size);
    told_add(&p->told, a->model->engine, t, before);
    return p->told.failed || p->echo.failed ? answering_fail_memory(a) : 0;
}

/* Only the prompt is of interest, and the engine gives no fewer than one. */
static bool wants_no_token(const struct completion_work *w)
{
    return w->asked.generation.max_tokens == 0;
}

static int take_completion_token(struct answering_part *part,
                                 const struct rung_token_event *t)
{
    struct answering *a = part->whole;
    struct completion_work *w = a->work;
    struct completion_part *p = part->work;
    if (wants_no_token(w))
        return 1;
    p->logprob += t->logprob;
    p->n_tokens++;
    if (w->asked.generation.logprobs)
        told_add(&p->told, a->model->engine, t, p->characters);
    add_part_text(p, t->text, t->size);
    return a->stream ? send_part(a, part->index) : 0;
}

static int take_completion_end(struct answering_part *part,
                               const struct rung_result *r)
{
    struct answering *a = part->whole;
    struct completion_work *w = a->work;
    struct completion_part *p = part->work;
    bool none = wants_no_token(w);
    if (!none)
        add_part_text(p, r->text, r->size);
    p->finish = none ? FINISH_LENGTH : finish_of(r);
    a->usage.completion += none ? 0 : r->new_tokens;
    if (part->index % w->asked.best_of == 0) {
        a->usage.prompt += r->prompt_tokens;
        a->usage.cached += r->cached_tokens;
    }
    if (p->text.failed || p->told.failed)
        return answering_fail_memory(a);
    return a->stream ? send_part(a, part->index) : 0;
}

static int send_completion_usage(struct answering *a)
{
    if (!a->head.include_usage)
        return 0;
    return answering_send(a, completion_chunk(&a->head, NULL, &a->usage));
}

/* The log probability of its tokens in the mean.  Nothing said is the last
 * choice. */
static double likelihood(const struct completion_part *p)
{
    return p->n_tokens ? p->logprob / (double)p->n_tokens : -INFINITY;
}

/* Of parts (n,) to one prompt the best that is not yet sent; the first, where
 * all are. */
static struct completion_part *take_best(struct completion_part *parts,
                                         size_t n, bool all)
{
    struct completion_part *best = NULL;
    for (size_t i = 0; i < n && !(all && best); i++)
        if (!parts[i].sent &&
            (!best || likelihood(&parts[i]) > likelihood(best)))
            best = &parts[i];
    best->sent = true;
    return best;
}

static json_t *make_completion_body(struct answering *a)
{
    struct completion_work *w = a->work;
    size_t n = w->asked.generation.n, made = w->asked.best_of;
    size_t count = w->asked.prompts.n * n;
    struct completion_choice *choices = calloc(count, sizeof *choices);
    if (!choices)
        return NULL;
    for (size_t i = 0; i < count; i++)
        choices[i] = choice_of(
            i, take_best(w->parts + i / n * made, made, made == n));
    json_t *body = completion_answer(&a->head, choices, count, &a->usage);
    free(choices);
    return body;
}

static void free_completion(void *work, size_t n)
{
    struct completion_work *w = work;
    for (size_t i = 0; w->prompts && i < w->asked.prompts.n; i++)
        prompt_free(&w->prompts[i]);
    for (size_t i = 0; w->parts && i < n; i++) {
        bytes_free(&w->parts[i].text);
        json_decref(w->parts[i].told.list);
    }
    free(w->prompts);
    free(w->parts);
    completion_request_free(&w->asked);
    free(w);
}

static const struct answering_kind completions = {
    .prefix = "cmpl-",
    .prompt = take_prompt_token,
    .token = take_completion_token,
    .end = take_completion_end,
    .close = send_completion_usage,
    .body = make_completion_body,
    .free = free_completion,
};

/* --- what it is asked ---------------------------------------------------- */

/* The text of a prompt comes before the answers to it. */
static int echo_prompt(struct answering *a, const struct text_input *in,
                       struct completion_part *p, struct api_error *e)
{
    struct rung_error why;
    char *text;
    size_t size;
    if (in->text) {
        add_part_text(p, in->text, in->size);
        return 0;
    }
    if (rung_decode(a->model->engine, in->ids, in->n, true, &text, &size,
                    &why))
        return fail_rung(e, "prompt", 0, &why);
    add_part_text(p, text, size);
    rung_free_text(text);
    return 0;
}

/* How likely the prompt was is told with its echo; of its first token nobody
 * knows. */
static void echo_tokens(struct answering_part *part,
                        const struct prompt_ids *prompt)
{
    const struct rung_model *m = part->whole->model->engine;
    struct completion_part *p = part->work;
    part->asks_prompt = true;
    told_add_first(&p->told, m, prompt->ids[0]);
    echo_pass(&p->echo, m, prompt->ids[0], p->text.data, p->text.size);
}

static int ask_completion_part(struct answering *a, size_t index,
                               struct api_error *e)
{
    struct completion_work *w = a->work;
    const struct generation_request *g = &w->asked.generation;
    size_t made = w->asked.best_of;
    const struct text_input *in = &w->asked.prompts.items[index / made];
    struct prompt_ids *prompt = &w->prompts[index / made];
    struct answering_part *part = &a->parts[index];
    struct completion_part *p = part->work = &w->parts[index];
    p->told.completion = true;
    if (!prompt->ids && prompt_read(prompt, a->model, in, "prompt", e))
        return -1;
    if (w->asked.echo && echo_prompt(a, in, p, e))
        return -1;
    if (w->asked.echo && g->logprobs)
        echo_tokens(part, prompt);
    if (ask_text(part, g, prompt, index % made, "prompt", e))
        return -1;
    part->request.logprobs |= made > g->n;
    part->request.max_tokens += wants_no_token(w);
    return 0;
}

static int prepare_completion(struct answering *a, struct server *s,
                              struct api_error *e)
{
    struct completion_work *w = a->work;
    struct generation_request *g = &w->asked.generation;
    struct served *model = served_find(&s->models, g->model, false, e);
    if (ask_model(a, g, model, &w->asked.body.unknown, e))
        return -1;
    w->prompts = calloc(w->asked.prompts.n, sizeof *w->prompts);
    w->parts = calloc(a->n, sizeof *w->parts);
    a->values = a->n * CHOICE_VALUES;
    if (!w->prompts || !w->parts)
        return api_fail(e, 500, "out of memory");
    for (size_t i = 0; i < a->n; i++)
        if (ask_completion_part(a, i, e))
            return -1;
    completion_request_release(&w->asked);
    http_reply_forget_body(a->from.reply, 0);
    return 0;
}

void route_completions(struct server *s,
                       const struct answering_arrival *arrival)
{
    struct api_error e;
    struct completion_work *w = calloc(1, sizeof *w);
    if (!w) {
        reply_with(arrival->reply, NULL, "");
        return;
    }
    if (completion_request_read(&w->asked, arrival->http->body,
                                arrival->http->body_size, &e)) {
        reply_refused(arrival->reply, &e);
        free(w);
        return;
    }
    size_t n = w->asked.prompts.n * w->asked.best_of;
    struct answering *a = answering_new(&completions, arrival, n, w);
    if (a && prepare_completion(a, s, &e))
        answering_refuse(a, &e);
    else if (a)
        answering_begin(a);
}
