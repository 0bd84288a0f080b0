/* The forward pass: see forward.h. */
#include "forward.h"

#include "attention.h"
#include "ops.h"
#include "rope.h"

/* What is no row of the embedding would be read from behind it. */
static int check_ids(const struct model *m, const int *ids, size_t n,
                     struct error *e)
{
    for (size_t t = 0; t < n; t++)
        if (ids[t] < 0 || (size_t)ids[t] >= m->embedding.rows)
            return fail(e, ERROR_INPUT,
                        "token %zu of the text has the id %d; the model has "
                        "the ids 0 to %zu",
                        t, ids[t], m->embedding.rows - 1);
    return 0;
}

/* Every token begins as its row of the embedding. */
static void embed(const struct model *m, struct state *s, const int *ids,
                  size_t n)
{
    size_t width = m->embedding.cols;
    for (size_t t = 0; t < n; t++)
        weight_row(&s->compute, &m->embedding, (size_t)ids[t],
                   s->x + t * width);
    scale(s->x, m->embedding_scale, n * width);
}

/* Feed n tokens, each by itself: s->out from s->normed, (n, hidden_size). */
static void feed(const struct mlp *f, struct state *s, size_t n)
{
    struct compute *c = &s->compute;
    size_t count = n * f->gate.weight.rows;
    linear(c, &f->gate, s->normed, n, s->gate);
    f->activate(s->gate, count);
    if (f->up.weight.data) {
        linear(c, &f->up, s->normed, n, s->up);
        multiply(s->gate, s->up, count);
    }
    linear(c, &f->down, s->gate, n, s->out);
}

/* One layer: what its two halves find is added to s->x. */
static void run_layer(const struct model *m, size_t l, struct state *s,
                      size_t n, const struct observer *o)
{
    const struct layer *layer = &m->layers[l];
    struct compute *c = &s->compute;
    size_t width = m->config.hidden_size, count = n * width;

    normalize_rows(c, &layer->mix_norm, s->x, count, s->normed);
    mix(m, l, s, n, o);
    normalize_rows(c, &layer->mix_after, s->out, count, s->out);

    if (layer->parallel) /* feed with what was there before the mixing */
        normalize_rows(c, &layer->feed_norm, s->x, count, s->normed);
    add_scaled(s->x, s->out, layer->residual, count);
    if (!layer->parallel)
        normalize_rows(c, &layer->feed_norm, s->x, count, s->normed);

    feed(&layer->mlp, s, n);
    normalize_rows(c, &layer->feed_after, s->out, count, s->out);
    add_scaled(s->x, s->out, layer->residual, count);

    if (layer->scale.data) {
        float factor;
        weight_row(c, &layer->scale, 0, &factor);
        scale(s->x, factor, count);
    }
    observe(o, "layer", (int)l, s->x, n, width);
}

/* Run the text ids (n,), for which there is room. */
static void run_text(const struct model *m, struct state *s, const int *ids,
                     size_t n, const struct observer *o)
{
    size_t width = m->config.hidden_size;
    embed(m, s, ids, n);
    observe(o, "embedding", -1, s->x, n, width);

    for (size_t t = 0; t < n; t++)
        s->positions[t] = t;
    for (size_t i = 0; i < m->n_ropes; i++)
        rope_angles(&m->ropes[i], n, s->positions, n, &s->angles[i]);
    for (size_t l = 0; l < m->config.n_layers; l++)
        run_layer(m, l, s, n, o);

    normalize_rows(&s->compute, &m->norm, s->x, n * width, s->normed);
    observe(o, "norm", -1, s->normed, n, width);
    s->rows = n;
}

int forward(const struct model *m, struct state *s, const int *ids, size_t n,
            const struct observer *o, struct error *e)
{
    if (n > s->capacity)
        return fail(e, ERROR_INPUT,
                    "the text has %zu tokens; there is room for %zu", n,
                    s->capacity);
    if (check_ids(m, ids, n, e))
        return -1;
    run_text(m, s, ids, n, o);
    return 0;
}

const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o)
{
    const float *x = s->normed + t * m->config.hidden_size;
    matmul(&s->compute, x, 1, &m->head, s->logits);
    scale(s->logits, m->logit_scale, m->head.rows);
    soft_cap(s->logits, m->logit_cap, m->head.rows);
    observe(o, "logits", -1, s->logits, 1, m->head.rows);
    return s->logits;
}
