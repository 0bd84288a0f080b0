/* Attention: see attention.h. */
#include "attention.h"

#include "ops.h"
#include "rope.h"

#include <math.h>

/* The key of position p for the head whose numbers begin at `at`, and the
 * value: (head_dim,). */
static const float *key_of(const struct visible *seen, size_t p, size_t at)
{
    return cache_key(seen->past, p) + at;
}

static const float *value_of(const struct visible *seen, size_t p, size_t at)
{
    return cache_value(seen->past, p) + at;
}

/* First pass: the scores (end - first,) of one query head q (head_dim,), and
 * the largest of them.  `at` is where its keys begin in a row of keys. */
static float score_positions(const struct attention *a, const float *q,
                             const struct visible *seen, size_t at,
                             float *scores)
{
    float most = -INFINITY;
    for (size_t p = seen->first; p < seen->end; p++, scores++) {
        *scores = dot(q, key_of(seen, p, at), a->head_dim) * a->scale;
        soft_cap(scores, a->soft_cap, 1);
        most = *scores > most ? *scores : most;
    }
    return most;
}

/* Second pass: scores become weights, and out (head_dim,) the weighted average
 * of the values. */
static void average_values(const struct attention *a,
                           const struct visible *seen, size_t at, float most,
                           float *scores, float *out)
{
    size_t n = seen->end - seen->first;
    float sum = 0;
    for (size_t i = 0; i < a->head_dim; i++)
        out[i] = 0;
    for (size_t i = 0; i < n; i++) {
        scores[i] = expf(scores[i] - most);
        sum += scores[i];
        add_scaled(out, value_of(seen, seen->first + i, at), scores[i],
                   a->head_dim);
    }
    for (size_t i = 0; i < a->head_dim; i++)
        out[i] /= sum;
    for (size_t i = 0; i < n; i++)
        scores[i] /= sum;
}

void attend(const struct attention *a, const float *q,
            const struct visible *seen, float *weights, float *out)
{
    size_t sharing = a->n_heads / a->n_kv_heads; /* heads to one kv head */
    for (size_t h = 0; h < a->n_heads; h++) {
        size_t at = h / sharing * a->head_dim;
        float *scores = weights + h * (seen->end - seen->first);
        float most = score_positions(a, q + h * a->head_dim, seen, at, scores);
        average_values(a, seen, at, most, scores, out + h * a->head_dim);
    }
}

/* What the token at a position may look at: no later one, and none before its
 * window. */
static struct visible visible_from(const struct cache_layer *past,
                                   size_t position)
{
    struct visible seen = {past, 0, position + 1};
    if (past->window > 0 && seen.end > past->window)
        seen.first = seen.end - past->window;
    return seen;
}

/* Turn where each of n tokens stands into its queries and keys. */
static void turn_heads(const struct model *m, const struct attention *a,
                       struct state *s, size_t n)
{
    const struct rope *rope = &m->ropes[a->rope];
    const struct angles *angles = &s->angles[a->rope];
    size_t q_size = a->n_heads * a->head_dim;
    size_t kv_size = a->n_kv_heads * a->head_dim;
    for (size_t t = 0; t < n; t++) {
        rotate(rope, angles, t, s->q + t * q_size, a->n_heads, a->head_dim);
        rotate(rope, angles, t, s->k + t * kv_size, a->n_kv_heads,
               a->head_dim);
    }
}

/* Queries, keys and values of n tokens, from s->normed. */
static void project(const struct model *m, const struct attention *a,
                    struct state *s, size_t n)
{
    struct compute *c = &s->compute;
    size_t q_count = n * a->n_heads * a->head_dim;
    size_t kv_count = n * a->n_kv_heads * a->head_dim;

    linear(c, &a->q, s->normed, n, s->q);
    linear(c, &a->k, s->normed, n, s->k);
    linear(c, &a->v, s->normed, n, s->v);
    if (a->turns_first)
        turn_heads(m, a, s, n);
    normalize_rows(c, &a->q_norm, s->q, q_count, s->q);
    normalize_rows(c, &a->k_norm, s->k, kv_count, s->k);
    normalize_rows(c, &a->v_norm, s->v, kv_count, s->v);
    if (!a->turns_first)
        turn_heads(m, a, s, n);
}

void mix(const struct model *m, size_t l, struct state *s,
         const struct pass *p, const struct observer *o)
{
    const struct attention *a = &m->layers[l].attention;
    struct cache_layer *past = &p->cache->layers[l];
    size_t q_size = a->n_heads * a->head_dim;
    project(m, a, s, p->n);
    cache_store(past, p->from, p->n, s->k, s->v);
    for (size_t t = 0; t < p->n; t++) {
        struct visible seen = visible_from(past, s->positions[t]);
        attend(a, s->q + t * q_size, &seen, s->attention_weights,
               s->heads + t * q_size);
        observe(o, "attention", (int)l, s->attention_weights, a->n_heads,
                seen.end - seen.first);
    }
    linear(&s->compute, &a->o, s->heads, p->n, s->out);
}
