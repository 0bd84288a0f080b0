/* Vectors of many texts: see rung.h.  Each is a request like any other; as
 * many are on their way as the queue takes. */
#include "engine.h"
#include "rung_errors.h"

#include <stdlib.h>
#include <string.h>

/* Where one text's vector goes. */
struct vector_place {
    struct rung_ticket *ticket;
    float *out; /* (width,) */
    size_t width;
};

static void take_vector(void *context, const struct rung_result *r)
{
    struct vector_place *p = context;
    if (r->vector)
        memcpy(p->out, r->vector, p->width * sizeof *p->out);
}

static int submit_one(struct rung_model *m, const struct rung_text *text,
                      struct vector_place *place, struct rung_error *e)
{
    struct rung_request r;
    rung_request_init(&r);
    r.ids = text->ids;
    r.n_ids = text->n;
    r.embeds = true;
    r.on_end = take_vector;
    r.context = place;
    place->ticket = rung_submit(m, &r, e);
    return place->ticket ? 0 : -1;
}

static int pass_on(struct rung_error *e, const struct rung_error *why)
{
    *e = *why;
    return -1;
}

/* Wait for one that is on its way. */
static int take_one(struct vector_place *place, struct rung_error *e)
{
    struct rung_result r;
    rung_wait(place->ticket, &r);
    rung_release(place->ticket);
    if (r.reason == RUNG_STOP)
        return 0;
    if (r.reason == RUNG_FAILED)
        return pass_on(e, &r.error);
    return fail_out_with(e, RUNG_INPUT, "the text was cancelled");
}

/* The texts from `done` to `sent` are on their way.  Where the queue is full,
 * the first of them makes room for the next. */
static int embed_all(struct rung_model *m, const struct rung_text *texts,
                     size_t n, struct vector_place *places,
                     struct rung_error *e)
{
    size_t done = 0, sent = 0;
    int result = 0;
    while (result == 0 && done < n) {
        struct rung_error why = {0};
        if (sent < n && submit_one(m, &texts[sent], &places[sent], &why) == 0)
            sent++;
        else if (sent < n && (why.code != RUNG_BUSY || done == sent))
            result = pass_on(e, &why);
        else
            result = take_one(&places[done++], e);
    }
    for (size_t i = done; i < sent; i++)
        rung_cancel(places[i].ticket);
    for (; done < sent; done++) {
        struct rung_error ignored;
        take_one(&places[done], &ignored);
    }
    return result;
}

int rung_embed(struct rung_model *m, const struct rung_text *texts, size_t n,
               float *out, struct rung_error *out_error)
{
    struct rung_error e;
    struct error memory;
    size_t width = m->facts.width;
    struct vector_place *places = calloc(n ? n : 1, sizeof *places);
    if (!places) {
        fail_memory(&memory, "the vectors");
        return fail_out(out_error, &memory);
    }
    for (size_t i = 0; i < n; i++)
        places[i] = (struct vector_place){NULL, out + i * width, width};
    int result = embed_all(m, texts, n, places, &e);
    if (result && out_error)
        *out_error = e;
    free(places);
    return result;
}
