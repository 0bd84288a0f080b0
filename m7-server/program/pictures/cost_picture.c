/* The picture of what a token costs: see cost_picture.h. */
#include "cost_picture.h"

#include "curves.h"
#include "forward.h"
#include "input.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

/* Read token i and score what follows.  A pass over all tokens so far would be
 * made of the same steps, one for each of them, except that only the last
 * would be scored. */
static void count_token(struct costs *c, struct state *s, struct cache *past,
                        struct trace *t, size_t i, int id, double *before)
{
    const struct model *m = t->model;
    struct observer o = {trace_observe, t};
    double head = 2 * (double)m->head.rows * (double)m->head.cols;
    t->n = t->ids.size = 0;
    decode(m, s, past, id, &o);
    forward_logits(m, s, 0, &o);
    if (t->failed)
        return;
    double alone = (double)t->steps[t->n - 1].flops;
    c->cached[i] = (double)trace_total(t).flops;
    c->again[i] = *before + alone;
    *before += alone - head;
}

static int count_costs(struct costs *c, const struct model *m, const int *ids,
                       struct error *e)
{
    struct state s;
    struct cache past;
    double before = 0;
    if (state_init_chunked(&s, m, c->n, 1, e))
        return -1;
    int result = cache_init(&past, m, c->n, 1, e);
    struct trace t = {.model = m, .state = &s, .cache = &past};
    for (size_t i = 0; i < c->n && result == 0; i++)
        count_token(c, &s, &past, &t, i, ids[i], &before);
    if (t.failed)
        result = fail_memory(e, "the trace");
    trace_free(&t);
    cache_free(&past);
    state_free(&s);
    return result;
}

int costs_init(struct costs *c, const struct model *m, const int *ids,
               size_t n, struct error *e)
{
    *c = (struct costs){calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                        n};
    int result = c->cached && c->again ? count_costs(c, m, ids, e)
                                       : fail_memory(e, "the costs");
    if (result)
        costs_free(c);
    return result;
}

void costs_free(struct costs *c)
{
    free(c->cached);
    free(c->again);
    *c = (struct costs){0};
}

static void scale_to_millions(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] /= 1e6;
}

static int draw_costs(const struct costs *c, const char *path, struct error *e)
{
    char title[120];
    double share = c->again[c->n - 1] / c->cached[c->n - 1];
    struct curve cached = {"with a cache", c->cached, colour_signed(-0.8f)};
    struct curve again = {"without: all of the text again", c->again,
                          colour_signed(0.8f)};
    snprintf(title, sizeof title,
             "what token t costs: %.0f times less at the last", share);
    struct curves curves = {
        .title = title,
        .x_axis = "t: tokens of the text so far",
        .panels = {{"millions of operations", {cached, again}, 2},
                   {"the same, enlarged", {cached}, 1}},
        .n_panels = 2,
        .n = c->n};
    return picture_curves(&curves, path, e);
}

int draw_cost(const struct settings *s, char **arguments, struct error *e)
{
    struct input in;
    struct costs c;
    if (input_open(&in, s->model, arguments[0], 0, e))
        return -1;
    int result = costs_init(&c, &in.model, in.ids.data, in.ids.size, e);
    if (result == 0) {
        scale_to_millions(c.cached, c.n);
        scale_to_millions(c.again, c.n);
        result = draw_costs(&c, s->output, e);
        costs_free(&c);
    }
    input_close(&in);
    return result;
}
