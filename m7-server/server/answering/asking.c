/* Requests for text: see asking.h. */
#include "asking.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A prompt that is a little too long is told its length; of one that is much
 * longer the end is not looked at: the desk has others to see to. */
enum prompt_bounds {
    COUNTED_CONTEXTS = 2
};

int fail_rung(struct api_error *a, const char *param, size_t wanted,
              const struct rung_error *why)
{
    struct error e = {ERROR_INPUT, ""};
    snprintf(e.message, sizeof e.message, "%s", why->message);
    switch (why->code) {
    case RUNG_TOO_LONG:
        return api_refuse_length(a, param, why->asked - wanted, wanted,
                                 why->limit);
    case RUNG_BUSY:
        return api_fail(a, 429, "the queue is full: %s", why->message);
    case RUNG_INPUT:
    case RUNG_UNSUPPORTED:
        return api_fail_error(a, param, &e);
    default:
        return api_fail(a, 500, "the server failed");
    }
}

int prompt_encode(struct prompt_ids *prompt, const struct served *m,
                  const char *text, size_t size,
                  const struct rung_encoding *encoding, const char *param,
                  struct api_error *e)
{
    struct rung_error why;
    struct rung_encoding bounded = *encoding;
    bounded.most = COUNTED_CONTEXTS * m->facts->context;
    if (rung_encode(m->engine, text, size, &bounded, &prompt->owned,
                    &prompt->n, &why))
        return why.code == RUNG_TOO_LONG
                   ? api_refuse_prompt(e, param, why.asked,
                                       m->facts->context)
                   : fail_rung(e, param, 0, &why);
    prompt->ids = prompt->owned;
    if (prompt->n == 0)
        return api_refuse_field(e, param, "invalid_value",
                                "request: %s: is empty, and this model begins "
                                "no text by itself",
                                param);
    return 0;
}

int prompt_read(struct prompt_ids *prompt, const struct served *m,
                const struct text_input *in, const char *param,
                struct api_error *e)
{
    static const struct rung_encoding wrapped = {.wrap = true};
    if (in->text)
        return prompt_encode(prompt, m, in->text, in->size, &wrapped, param,
                             e);
    for (size_t i = 0; i < in->n; i++)
        if ((size_t)in->ids[i] >= m->facts->vocab_size)
            return api_refuse_field(e, param, "invalid_value",
                                    "request: %s: %d is the id of no token: "
                                    "the model has %zu",
                                    param, in->ids[i], m->facts->vocab_size);
    *prompt = (struct prompt_ids){.ids = in->ids, .n = in->n};
    return 0;
}

void prompt_free(struct prompt_ids *prompt)
{
    rung_free_ids(prompt->owned);
    *prompt = (struct prompt_ids){0};
}

/* How many tokens may come: what was asked for, or what there is room for. */
static int set_length(struct answering_part *part,
                      const struct generation_request *g, const char *param,
                      struct api_error *e)
{
    const struct served *m = part->whole->model;
    size_t n = part->request.n_ids, context = m->facts->context;
    bool said = g->max_tokens != SIZE_MAX;
    size_t most = said ? g->max_tokens : served_room(m, n);
    if (n >= context || most > context - n)
        return api_refuse_length(e, param, n, said ? most : 1, context);
    part->request.max_tokens = most;
    return 0;
}

/* A seed for who says none. */
static uint64_t any_seed(void)
{
    uint64_t seed = 0;
    FILE *f = fopen("/dev/urandom", "rb");
    if (!f || fread(&seed, sizeof seed, 1, f) != 1)
        seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
    if (f)
        fclose(f);
    return seed;
}

int ask_model(struct answering *a, struct generation_request *g,
              struct served *model, struct bytes *unknown, struct api_error *e)
{
    if (answering_describe(a, model, unknown, e) ||
        generation_check_biases(g, model->facts->vocab_size, e))
        return -1;
    a->stream = g->stream;
    if (g->logprobs) /* of each: its text, its number, and its bytes */
        a->token_values = 9 * (1 + g->top_logprobs);
    a->head.include_usage = g->include_usage;
    if (!g->seeded)
        g->how.seed = any_seed();
    return 0;
}

int ask_text(struct answering_part *part, const struct generation_request *g,
             const struct prompt_ids *prompt, size_t choice, const char *param,
             struct api_error *e)
{
    struct rung_request *r = &part->request;
    r->ids = prompt->ids;
    r->n_ids = prompt->n;
    r->sampling = g->how;
    /* far apart, whatever seeds a client counts through */
    r->sampling.seed += choice * 0x9E3779B97F4A7C15u;
    r->stops = (const char *const *)g->stops;
    r->n_stops = g->n_stops;
    r->logprobs = g->logprobs;
    r->top_logprobs = g->top_logprobs;
    return set_length(part, g, param, e);
}
