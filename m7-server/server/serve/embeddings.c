/* POST /v1/embeddings: texts become vectors. */
#include "routes.h"

#include "asking.h"
#include "list_answer.h"
#include "text_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct embedding_work {
    struct embedding_request asked;
    struct prompt_ids *prompts; /* (n,) */
    float *vectors;             /* (n, width) */
    size_t width;
};

/* No tokens come. */
static int take_no_token(struct answering_part *part,
                         const struct rung_token_event *t)
{
    (void)part;
    (void)t;
    return 0;
}

/* The first numbers of a vector, made as long as 1 again. */
static void shorten_vector(const float *vector, size_t width, float *out)
{
    double squares = 0;
    for (size_t i = 0; i < width; i++)
        squares += (double)vector[i] * (double)vector[i];
    double length = sqrt(squares);
    for (size_t i = 0; i < width; i++)
        out[i] = length > 0 ? (float)((double)vector[i] / length) : 0;
}

static int take_embedding(struct answering_part *part,
                          const struct rung_result *r)
{
    struct answering *a = part->whole;
    struct embedding_work *w = a->work;
    float *out = w->vectors + part->index * w->width;
    a->usage.prompt += r->prompt_tokens;
    if (w->width == a->model->facts->width)
        memcpy(out, r->vector, w->width * sizeof *out);
    else
        shorten_vector(r->vector, w->width, out);
    return 0;
}

static json_t *make_embedding_body(struct answering *a)
{
    struct embedding_work *w = a->work;
    return embedding_answer(a->head.model, w->vectors, a->n, w->width,
                            w->asked.base64, a->usage.prompt);
}

static void free_embedding(void *work, size_t n)
{
    struct embedding_work *w = work;
    for (size_t i = 0; w->prompts && i < n; i++)
        prompt_free(&w->prompts[i]);
    free(w->prompts);
    free(w->vectors);
    embedding_request_free(&w->asked);
    free(w);
}

static const struct answering_kind embeddings = {
    .prefix = "embd-",
    .token = take_no_token,
    .end = take_embedding,
    .body = make_embedding_body,
    .free = free_embedding,
};

static int ask_embedding_part(struct answering *a, size_t i,
                              struct api_error *e)
{
    struct embedding_work *w = a->work;
    struct rung_request *r = &a->parts[i].request;
    size_t context = a->model->facts->context;
    if (prompt_read(&w->prompts[i], a->model, &w->asked.inputs.items[i],
                    "input", e))
        return -1;
    r->ids = w->prompts[i].ids;
    r->n_ids = w->prompts[i].n;
    r->embeds = true;
    if (r->n_ids > context)
        return api_refuse_length(e, "input", r->n_ids, 0, context);
    return 0;
}

static int set_width(struct answering *a, struct api_error *e)
{
    struct embedding_work *w = a->work;
    size_t width = a->model->facts->width;
    w->width = w->asked.dimensions > 0 ? w->asked.dimensions : width;
    if (w->width > width)
        return api_refuse_field(e, "dimensions", "invalid_value",
                                "request: dimensions: the model has %zu, and "
                                "%zu were asked for",
                                width, w->width);
    return 0;
}

static int prepare_embedding(struct answering *a, struct server *s,
                             struct api_error *e)
{
    struct embedding_work *w = a->work;
    struct served *model = served_find(&s->models, w->asked.model, true, e);
    if (answering_describe(a, model, &w->asked.body.unknown, e) ||
        set_width(a, e))
        return -1;
    a->values = a->n * w->width;
    w->prompts = calloc(a->n, sizeof *w->prompts);
    w->vectors = calloc(a->n, w->width * sizeof *w->vectors);
    if (!w->prompts || !w->vectors)
        return api_fail(e, 500, "out of memory");
    for (size_t i = 0; i < a->n; i++)
        if (ask_embedding_part(a, i, e))
            return -1;
    embedding_request_release(&w->asked);
    http_reply_forget_body(a->from.reply, 0);
    return 0;
}

void route_embeddings(struct server *s,
                      const struct answering_arrival *arrival)
{
    struct api_error e;
    struct embedding_work *w = calloc(1, sizeof *w);
    if (!w) {
        reply_with(arrival->reply, NULL, "");
        return;
    }
    if (embedding_request_read(&w->asked, arrival->http->body,
                               arrival->http->body_size, &e)) {
        reply_refused(arrival->reply, &e);
        free(w);
        return;
    }
    struct answering *a =
        answering_new(&embeddings, arrival, w->asked.inputs.n, w);
    if (a && prepare_embedding(a, s, &e))
        answering_refuse(a, &e);
    else if (a)
        answering_begin(a);
}
