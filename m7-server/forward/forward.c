/* The forward pass: see forward.h. */
#include "forward.h"

#include "attention.h"
#include "ops.h"
#include "rope.h"
#include "rows.h"
#include "sizes.h"

#include <string.h>

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

/* Every token begins as its row of the embedding: those of a span in the rows
 * from `row` on. */
static void embed(const struct model *m, struct state *s,
                  const struct span *span, size_t row)
{
    size_t width = m->embedding.cols;
    float *x = s->x + row * width;
    for (size_t t = 0; t < span->n; t++)
        weight_row(&s->compute, &m->embedding, (size_t)span->ids[t],
                   x + t * width);
    scale_rows(&s->compute, x, m->embedding_scale, span->n * width);
}

/* Where the tokens of a span stand in their text, and their angles there. */
static void find_angles(const struct model *m, struct state *s,
                        const struct span *span, size_t row)
{
    size_t *positions = s->positions + row;
    for (size_t t = 0; t < span->n; t++)
        positions[t] = span->cache->length + t;
    for (size_t i = 0; i < m->n_ropes; i++) {
        size_t at = row * (m->ropes[i].dim / 2);
        struct angles angles = {s->angles[i].cosines + at,
                                s->angles[i].sines + at};
        rope_angles(&m->ropes[i], span->cache->rotated, positions, span->n,
                    &angles);
    }
}

/* Feed n tokens, each by itself: s->out from s->normed, (n, hidden_size). */
static void feed(const struct mlp *f, struct state *s, size_t n)
{
    struct compute *c = &s->compute;
    const struct linear *const both[] = {&f->gate, &f->up};
    float *const out[] = {s->gate, s->up};
    size_t count = n * f->gate.weight.rows;
    bool gated = f->up.weight.rows > 0;
    linears(c, both, gated ? 2 : 1, s->normed, n, out);
    activate_rows(c, f->activate, s->gate, gated ? s->up : NULL, count);
    linear(c, &f->down, s->gate, n, s->out);
}

/* One layer: what its two halves find is added to s->x. */
static void run_layer(const struct model *m, size_t l, struct state *s,
                      const struct pass *p, const struct observer *o)
{
    const struct layer *layer = &m->layers[l];
    struct compute *c = &s->compute;
    size_t width = m->config.hidden_size, count = p->n * width;

    normalize_rows(c, &layer->mix_norm, s->x, count, s->normed);
    mix(m, l, s, p, o);
    normalize_rows(c, &layer->mix_after, s->out, count, s->out);

    if (layer->parallel) /* feed with what was there before the mixing */
        normalize_rows(c, &layer->feed_norm, s->x, count, s->normed);
    add_scaled_rows(c, s->x, s->out, layer->residual, count);
    if (!layer->parallel)
        normalize_rows(c, &layer->feed_norm, s->x, count, s->normed);

    feed(&layer->mlp, s, p->n);
    normalize_rows(c, &layer->feed_after, s->out, count, s->out);
    add_scaled_rows(c, s->x, s->out, layer->residual, count);

    if (layer->scale.data) {
        float factor;
        weight_row(c, &layer->scale, 0, &factor);
        scale_rows(c, s->x, factor, count);
    }
    observe(o, "layer", (int)l, s->x, p->n, width);
}

/* The tokens of a pass, at most s->capacity, through all layers; then they are
 * held. */
static void run_chunk(const struct model *m, struct state *s,
                      const struct pass *p, const struct observer *o)
{
    size_t width = m->config.hidden_size;
    for (size_t i = 0, row = 0; i < p->n_spans; row += p->spans[i++].n) {
        embed(m, s, &p->spans[i], row);
        find_angles(m, s, &p->spans[i], row);
    }
    observe(o, "embedding", -1, s->x, p->n, width);

    for (size_t l = 0; l < m->config.n_layers; l++)
        run_layer(m, l, s, p, o);

    normalize_rows(&s->compute, &m->norm, s->x, p->n * width, s->normed);
    observe(o, "norm", -1, s->normed, p->n, width);
    for (size_t i = 0; i < p->n_spans; i++)
        p->spans[i].cache->length += p->spans[i].n;
    s->rows = p->n;
}

int run_spans(const struct model *m, struct state *s,
              const struct span *spans, size_t n_spans,
              const struct observer *o)
{
    struct pass p = {spans, n_spans, 0};
    if (s->cancelled && s->cancelled(s->cancel_context))
        return 1;
    for (size_t i = 0; i < n_spans; i++)
        p.n += spans[i].n;
    run_chunk(m, s, &p, o);
    return 0;
}

bool still_valid(const struct model *m, const struct cache *c, size_t length)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        if (!rope_same_angles(&m->ropes[i], c->rotated, length))
            return false;
    return true;
}

/* From now on the text has `length` tokens: when that changes its angles,
 * nothing that is held is true any more. */
static void forget_invalid(const struct model *m, struct cache *c,
                           size_t length)
{
    if (!still_valid(m, c, length))
        cache_truncate(c, 0);
    c->rotated = length;
}

size_t longest_chunk(const struct state *s, const struct cache *c)
{
    return s->capacity < c->chunk ? s->capacity : c->chunk;
}

void extend_text(const struct model *m, const struct span *span)
{
    struct cache *c = span->cache;
    size_t end = c->length + span->n;
    memcpy(c->ids + c->length, span->ids, span->n * sizeof *span->ids);
    forget_invalid(m, c, larger_size(span->length, end));
}

int read_until(const struct model *m, struct state *s, struct cache *c,
               size_t end, const struct observer *o)
{
    size_t most = longest_chunk(s, c);
    while (c->length < end) {
        size_t n = smaller_size(end - c->length, most);
        struct span chunk = {c, c->ids + c->length, n, 0};
        if (run_spans(m, s, &chunk, 1, o))
            return 1;
    }
    return 0;
}

/* Read n tokens behind those that are held; and before them, chunk by chunk
 * from the first, what has become invalid, whose ids the cache still has. */
static int read_tokens(const struct model *m, struct state *s, struct cache *c,
                       const int *ids, size_t n, const struct observer *o)
{
    size_t end = c->length + n;
    extend_text(m, &(struct span){c, ids, n, 0});
    return read_until(m, s, c, end, o);
}

int prefill(const struct model *m, struct state *s, struct cache *c,
            const int *ids, size_t n, const struct observer *o)
{
    s->decodes = false;
    return read_tokens(m, s, c, ids, n, o);
}

int decode(const struct model *m, struct state *s, struct cache *c, int id,
           const struct observer *o)
{
    s->decodes = true;
    return read_tokens(m, s, c, &id, 1, o);
}

size_t reuse_prefix(const struct model *m, struct cache *c, const int *ids,
                    size_t n)
{
    forget_invalid(m, c, n);
    size_t same = cache_common(c, ids, n);
    return cache_truncate(c, same < n ? same : n - 1);
}

int forward(const struct model *m, struct state *s, const int *ids, size_t n,
            const struct observer *o, struct error *e)
{
    struct cache c;
    if (n > s->longest)
        return fail(e, ERROR_INPUT,
                    "the text has %zu tokens; there is room for %zu", n,
                    s->longest);
    if (check_ids(m, ids, n, e) ||
        cache_init_form(&c, m, s->cache_form, n, s->capacity, e))
        return -1;
    int result = prefill(m, s, &c, ids, n, o);
    cache_free(&c);
    return result;
}

const float *logits_of_rows(const struct model *m, struct state *s,
                            const size_t *rows, size_t n,
                            const struct observer *o)
{
    size_t width = m->config.hidden_size, count = n * m->head.rows;
    for (size_t i = 0; i < n; i++)
        memcpy(s->out + i * width, s->normed + rows[i] * width,
               width * sizeof *s->out);
    matmul(&s->compute, s->out, n, &m->head, s->logits);
    scale_rows(&s->compute, s->logits, m->logit_scale, count);
    soft_cap_rows(&s->compute, s->logits, m->logit_cap, count);
    observe(o, "logits", -1, s->logits, n, m->head.rows);
    return s->logits;
}

const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o)
{
    return logits_of_rows(m, s, &t, 1, o);
}
