/* The forward pass: see forward.h. */
#include "forward.h"

#include "attention.h"
#include "ops.h"
#include "rope.h"

#include <string.h>

/* Every token begins as its row of the embedding. */
static void embed(const struct model *m, const int *ids, size_t n, float *x)
{
    for (size_t t = 0; t < n; t++)
        weight_row(&m->embedding, (size_t)ids[t], x + t * m->embedding.cols);
    scale(x, m->embedding_scale, n * m->embedding.cols);
}

/* Feed n tokens, each by itself: s->out from s->normed, (n, hidden_size). */
static void feed(const struct mlp *f, struct state *s, size_t n)
{
    size_t count = n * f->gate.weight.rows;
    linear(&f->gate, s->normed, n, s->gate);
    f->activate(s->gate, count);
    if (f->up.weight.data) {
        linear(&f->up, s->normed, n, s->up);
        multiply(s->gate, s->up, count);
    }
    linear(&f->down, s->gate, n, s->out);
}

/* One layer: what its two halves find is added to s->x. */
static void run_layer(const struct model *m, size_t l, struct state *s,
                      size_t n, const struct observer *o)
{
    const struct layer *layer = &m->layers[l];
    size_t width = m->config.hidden_size, count = n * width;

    normalize_rows(&layer->mix_norm, s->x, count, s->normed);
    mix(m, l, s, n, o);
    normalize_rows(&layer->mix_after, s->out, count, s->out);

    if (layer->parallel) /* feed with what was there before the mixing */
        normalize_rows(&layer->feed_norm, s->x, count, s->normed);
    add_scaled(s->x, s->out, layer->residual, count);
    if (!layer->parallel)
        normalize_rows(&layer->feed_norm, s->x, count, s->normed);

    feed(&layer->mlp, s, n);
    normalize_rows(&layer->feed_after, s->out, count, s->out);
    add_scaled(s->x, s->out, layer->residual, count);

    if (layer->scale.data) {
        float factor;
        weight_row(&layer->scale, 0, &factor);
        scale(s->x, factor, count);
    }
    observe(o, "layer", (int)l, s->x, n, width);
}

/* Run the next n tokens of a text of `length` through all layers, and count
 * them as held. */
static void run_chunk(const struct model *m, struct state *s, size_t n,
                      size_t length, const struct observer *o)
{
    size_t width = m->config.hidden_size, from = s->cache->length;
    embed(m, s->cache->ids + from, n, s->x);
    observe(o, "embedding", -1, s->x, n, width);

    for (size_t i = 0; i < m->n_ropes; i++)
        rope_angles(&m->ropes[i], length, from, n, &s->angles[i]);
    for (size_t l = 0; l < m->config.n_layers; l++)
        run_layer(m, l, s, n, o);

    normalize_rows(&m->norm, s->x, n * width, s->normed);
    observe(o, "norm", -1, s->normed, n, width);
    s->cache->length += n;
    s->rows = n;
}

bool same_angles(const struct model *m, size_t a, size_t b)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        if (!rope_same_angles(&m->ropes[i], a, b))
            return false;
    return true;
}

/* Run the text whose ids the cache has, `length` of them, as far as it is not
 * held.  When its angles have changed with its length, nothing that is held is
 * true any more, and all of it is run again. */
static void catch_up(const struct model *m, struct state *s, size_t length,
                     const struct observer *o)
{
    struct cache *c = s->cache;
    if (!same_angles(m, c->rotated, length))
        cache_truncate(c, 0);
    c->rotated = length;
    while (c->length < length) {
        size_t rest = length - c->length;
        run_chunk(m, s, rest < s->capacity ? rest : s->capacity, length, o);
    }
}

void prefill(const struct model *m, struct state *s, const int *ids, size_t n,
             const struct observer *o)
{
    memcpy(s->cache->ids + s->cache->length, ids, n * sizeof *ids);
    catch_up(m, s, s->cache->length + n, o);
}

void decode(const struct model *m, struct state *s, int id,
            const struct observer *o)
{
    s->cache->ids[s->cache->length] = id;
    catch_up(m, s, s->cache->length + 1, o);
}

size_t reuse(const struct model *m, struct cache *c, const int *ids, size_t n)
{
    size_t same = same_angles(m, c->rotated, n) ? cache_common(c, ids, n) : 0;
    return cache_truncate(c, same < n ? same : n - 1);
}

size_t resume(const struct model *m, struct state *s, const int *ids, size_t n,
              const struct observer *o)
{
    size_t kept = reuse(m, s->cache, ids, n);
    if (n - kept == 1)
        decode(m, s, ids[kept], o);
    else
        prefill(m, s, ids + kept, n - kept, o);
    return kept;
}

void forward(const struct model *m, struct state *s, const int *ids, size_t n,
             const struct observer *o)
{
    cache_truncate(s->cache, 0);
    prefill(m, s, ids, n, o);
}

const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o)
{
    const float *x = s->normed + t * m->config.hidden_size;
    matmul(x, 1, &m->head, s->logits);
    scale(s->logits, m->logit_scale, m->head.rows);
    soft_cap(s->logits, m->logit_cap, m->head.rows);
    observe(o, "logits", -1, s->logits, 1, m->head.rows);
    return s->logits;
}
