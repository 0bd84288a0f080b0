/* Attention: see attention.h. */
#include "attention.h"

#include "ops.h"
#include "rope.h"
#include "rows.h"
#include "sizes.h"

#include <math.h>

static size_t count_seen(const struct visible *seen)
{
    return seen->end - seen->first;
}

static bool sees(const struct visible *seen, size_t p)
{
    return p >= seen->first && p < seen->end;
}

/* The scores of one token's heads q (n_heads, head_dim) for the keys
 * (n_kv_heads, head_dim) of position p. */
static void score_keys(const struct attention *a, const float *q,
                       const float *keys, size_t p, const struct visible *seen)
{
    size_t n = count_seen(seen);
    size_t sharing = a->n_heads / a->n_kv_heads; /* heads to one kv head */
    float *scores = seen->weights + (p - seen->first);
    for (size_t h = 0; h < a->n_heads; h++) {
        const float *key = keys + h / sharing * a->head_dim;
        float score = dot(q + h * a->head_dim, key, a->head_dim);
        scores[h * n] = score * a->scale;
        soft_cap(scores + h * n, a->soft_cap, 1);
    }
}

/* First pass: the scores of the queries q (n, n_heads, head_dim). */
static void score_positions(const struct attention *a, const float *q,
                            const struct visible *seen, size_t n)
{
    size_t q_size = a->n_heads * a->head_dim;
    for (size_t p = seen[0].first; p < seen[n - 1].end; p++) {
        const float *keys = cache_key(seen->past, p, seen->row);
        for (size_t t = 0; t < n; t++)
            if (sees(&seen[t], p))
                score_keys(a, q + t * q_size, keys, p, &seen[t]);
    }
}

/* The scores (n,) of a head become exp(score - the largest). */
static void exponentiate(float *scores, size_t n)
{
    float most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        most = scores[i] > most ? scores[i] : most;
    for (size_t i = 0; i < n; i++)
        scores[i] = expf(scores[i] - most);
}

/* To one token's sums (n_heads, head_dim) the values (n_kv_heads, head_dim) of
 * position p, each times its weight. */
static void take_values(const struct attention *a, const float *values,
                        size_t p, const struct visible *seen, float *sums)
{
    size_t n = count_seen(seen);
    size_t sharing = a->n_heads / a->n_kv_heads;
    const float *weights = seen->weights + (p - seen->first);
    for (size_t h = 0; h < a->n_heads; h++)
        add_scaled(sums + h * a->head_dim, values + h / sharing * a->head_dim,
                   weights[h * n], a->head_dim);
}

/* Second pass: out (n, n_heads, head_dim), the sums of the values, each times
 * its weight. */
static void weigh_values(const struct attention *a, const struct visible *seen,
                         size_t n, float *out)
{
    size_t q_size = a->n_heads * a->head_dim;
    for (size_t i = 0; i < n * q_size; i++)
        out[i] = 0;
    for (size_t p = seen[0].first; p < seen[n - 1].end; p++) {
        const float *values = cache_value(seen->past, p, seen->row);
        for (size_t t = 0; t < n; t++)
            if (sees(&seen[t], p))
                take_values(a, values, p, &seen[t], out + t * q_size);
    }
}

/* A head's weights (n,) are to add up to 1; so out (head_dim,), a sum with
 * these weights, becomes an average. */
static void divide_by_sum(float *weights, size_t n, float *out,
                          size_t head_dim)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    for (size_t i = 0; i < head_dim; i++)
        out[i] /= sum;
    for (size_t i = 0; i < n; i++)
        weights[i] /= sum;
}

void attend(const struct attention *a, const float *q,
            const struct visible *seen, size_t n, float *out)
{
    score_positions(a, q, seen, n);
    for (size_t t = 0; t < n; t++)
        for (size_t h = 0; h < a->n_heads; h++)
            exponentiate(seen[t].weights + h * count_seen(&seen[t]),
                         count_seen(&seen[t]));
    weigh_values(a, seen, n, out);
    for (size_t t = 0; t < n; t++)
        for (size_t h = 0; h < a->n_heads; h++, out += a->head_dim)
            divide_by_sum(seen[t].weights + h * count_seen(&seen[t]),
                          count_seen(&seen[t]), out, a->head_dim);
}

/* What the token at a position may look at: no later one, and none before its
 * window. */
static struct visible visible_from(const struct cache_layer *past,
                                   size_t position, float *row)
{
    struct visible seen = {past, 0, position + 1, row, NULL};
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
    struct compute *c = &s->compute;
    rotate_rows(c, rope, angles, s->q, n, a->n_heads, a->head_dim);
    rotate_rows(c, rope, angles, s->k, n, a->n_kv_heads, a->head_dim);
}

/* Queries, keys and values of n tokens, from s->normed. */
static void project(const struct model *m, const struct attention *a,
                    struct state *s, size_t n)
{
    struct compute *c = &s->compute;
    size_t q_count = n * a->n_heads * a->head_dim;
    size_t kv_count = n * a->n_kv_heads * a->head_dim;

    const struct linear *const all[] = {&a->q, &a->k, &a->v};
    float *const out[] = {s->q, s->k, s->v};
    linears(c, all, 3, s->normed, n, out);
    if (a->turns_first)
        turn_heads(m, a, s, n);
    normalize_rows(c, &a->q_norm, s->q, q_count, s->q);
    normalize_rows(c, &a->k_norm, s->k, kv_count, s->k);
    normalize_rows(c, &a->v_norm, s->v, kv_count, s->v);
    if (!a->turns_first)
        turn_heads(m, a, s, n);
}

/* The rows first .. first + n - 1 of a span attend, at most
 * STATE_ATTENDING. */
static void attend_together(const struct attention *a,
                            const struct cache_layer *past, struct state *s,
                            size_t first, size_t n, struct visible *seen)
{
    size_t q_size = a->n_heads * a->head_dim;
    float *weights = s->attention_weights;
    for (size_t t = 0; t < n; t++) {
        seen[t] =
            visible_from(past, s->positions[first + t], s->compute.row);
        seen[t].weights = weights;
        weights += a->n_heads * count_seen(&seen[t]);
    }
    attend(a, s->q + first * q_size, seen, n, s->heads + first * q_size);
}

/* All tokens of a span, and so that the weights of each can be looked at. */
static void attend_each(const struct attention *a, size_t l, struct state *s,
                        const struct span *span, size_t row,
                        const struct observer *o)
{
    const struct cache_layer *past = &span->cache->layers[l];
    struct visible seen[STATE_ATTENDING];
    for (size_t first = 0; first < span->n; first += STATE_ATTENDING) {
        size_t n = smaller_size(span->n - first, STATE_ATTENDING);
        attend_together(a, past, s, row + first, n, seen);
        for (size_t t = 0; t < n; t++)
            observe(o, "attention", (int)l, seen[t].weights, a->n_heads,
                    count_seen(&seen[t]));
    }
}

/* What threads do before and after kernels: each some of the heads. */
struct heads_job {
    const struct attention *attention;
    size_t layer;
    struct state *state;
    const struct pass *pass;
};

static struct cache_layer *past_of(const struct heads_job *j, size_t i)
{
    return &j->pass->spans[i].cache->layers[j->layer];
}

static void store_share(void *work, size_t index, size_t count)
{
    const struct heads_job *j = work;
    const struct span *spans = j->pass->spans;
    size_t first, end;
    for (size_t i = 0, row = 0; i < j->pass->n_spans; row += spans[i++].n) {
        const struct cache_layer *past = past_of(j, i);
        size_t at = row * past->width;
        threads_share(past->width / past->head_dim, 1, index, count, &first,
                      &end);
        cache_store_heads(past, first, end, spans[i].cache->length,
                          spans[i].n, j->state->k + at, j->state->v + at);
    }
}

/* Turn the heads x (n, head_dim) of a thread. */
static void turn_share(head_turn_function *turn, float *x, size_t n,
                       size_t head_dim, size_t index, size_t count)
{
    size_t first, end;
    threads_share(n, 1, index, count, &first, &end);
    for (size_t h = first; turn && h < end; h++)
        turn(x + h * head_dim, head_dim);
}

static void turn_queries(void *work, size_t index, size_t count)
{
    const struct heads_job *j = work;
    const struct attention *a = j->attention;
    float *q = j->state->q;
    for (size_t i = 0; i < j->pass->n_spans; i++) {
        size_t n = j->pass->spans[i].n * a->n_heads;
        turn_share(past_of(j, i)->key_form->turn, q, n, a->head_dim, index,
                   count);
        q += n * a->head_dim;
    }
}

static void turn_sums_back(void *work, size_t index, size_t count)
{
    const struct heads_job *j = work;
    const struct attention *a = j->attention;
    float *heads = j->state->heads;
    for (size_t i = 0; i < j->pass->n_spans; i++) {
        size_t n = j->pass->spans[i].n * a->n_heads;
        turn_share(past_of(j, i)->value_form->turn_back, heads, n,
                   a->head_dim, index, count);
        heads += n * a->head_dim;
    }
}

/* What kernels do for a span. */
static struct attention_work work_of(const struct heads_job *j, size_t i,
                                     size_t row)
{
    const struct attention *a = j->attention;
    const struct cache_layer *past = past_of(j, i);
    const struct span *span = &j->pass->spans[i];
    size_t at = row * a->n_heads * a->head_dim;
    return (struct attention_work){.keys = &past->key_panels,
                                   .values = &past->value_panels,
                                   .n_heads = a->n_heads,
                                   .from = span->cache->length,
                                   .n = span->n,
                                   .window = past->window,
                                   .scale = a->scale,
                                   .soft_cap = a->soft_cap,
                                   .q = j->state->q + at,
                                   .out = j->state->heads + at};
}

/* All tokens together, by kernels.  Where keys were turned before they became
 * codes, queries are turned instead of turning them back. */
static void attend_by_kernels(struct heads_job *j)
{
    struct state *s = j->state;
    const struct pass *p = j->pass;
    bool keys_turn = false, values_turn = false;
    for (size_t i = 0, row = 0; i < p->n_spans; row += p->spans[i++].n) {
        s->works[i] = work_of(j, i, row);
        keys_turn |= past_of(j, i)->key_form->turn != NULL;
        values_turn |= past_of(j, i)->value_form->turn_back != NULL;
    }
    if (keys_turn)
        threads_run(s->attender.threads, turn_queries, j);
    attend_works(&s->attender, s->works, p->n_spans);
    if (values_turn)
        threads_run(s->attender.threads, turn_sums_back, j);
}

/* Keep the keys and values of a pass; threads share those of many tokens. */
static void store_pass(struct heads_job *j)
{
    const struct pass *p = j->pass;
    if (p->n == 1)
        store_share(j, 0, 1);
    else
        threads_run(j->state->attender.threads, store_share, j);
    for (size_t i = 0; i < p->n_spans; i++)
        cache_stored(past_of(j, i),
                     p->spans[i].cache->length + p->spans[i].n);
}

void mix(const struct model *m, size_t l, struct state *s,
         const struct pass *p, const struct observer *o)
{
    const struct attention *a = &m->layers[l].attention;
    struct heads_job j = {a, l, s, p};
    bool by_kernels = cache_in_panels(past_of(&j, 0));
    project(m, a, s, p->n);
    store_pass(&j);
    for (size_t i = 0, row = 0; i < p->n_spans; row += p->spans[i++].n)
        if (!by_kernels || o)
            attend_each(a, l, s, &p->spans[i], row, o);
    if (by_kernels)
        attend_by_kernels(&j);
    linear(&s->compute, &a->o, s->heads, p->n, s->out);
}
