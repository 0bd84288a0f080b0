/* For the tests of switches: ways to set one switch of an opened model
 * otherwise, as a program would that had it wrong.
 *
 * tests/oracle/forward/families_flips.py has the same, by the same names. */
#ifndef TEST_FLIP_H
#define TEST_FLIP_H

#include "model.h"
#include "test_numbers.h"

/* Change a part of a model; true when that makes a difference. */
typedef bool flip_model(struct model *m);
typedef bool flip_layer(struct layer *l);
typedef bool flip_norm(struct norm *n);

static inline bool set_float(float *at, float value)
{
    bool changes = *at < value || *at > value;
    *at = value;
    return changes;
}

static inline bool set_size(size_t *at, size_t value)
{
    bool changes = *at != value;
    *at = value;
    return changes;
}

static inline bool drop_weight(struct weight *w)
{
    bool changes = w->data;
    *w = (struct weight){0};
    return changes;
}

static inline bool drop_norm(struct norm *n)
{
    bool changes = n->kind != NORM_NONE;
    n->kind = NORM_NONE;
    return changes;
}

/* --- norms --------------------------------------------------------------- */

static inline bool add_one_or_not(struct norm *n)
{
    return set_float(&n->weight_offset, 1 - n->weight_offset);
}

/* Only a large one is missed. */
static inline bool forget_eps(struct norm *n)
{
    return n->kind != NORM_NONE && n->eps >= 1e-3f &&
           set_float(&n->eps, 1e-6f);
}

static inline bool keep_mean(struct norm *n)
{
    bool changes = n->kind == NORM_LAYER;
    n->kind = NORM_RMS;
    return changes;
}

static inline bool drop_norm_bias(struct norm *n)
{
    return drop_weight(&n->bias);
}

static inline bool drop_mix_norm(struct layer *l)
{
    return drop_norm(&l->mix_norm);
}

static inline bool drop_mix_after(struct layer *l)
{
    return drop_norm(&l->mix_after);
}

static inline bool drop_feed_norm(struct layer *l)
{
    return drop_norm(&l->feed_norm);
}

static inline bool drop_feed_after(struct layer *l)
{
    return drop_norm(&l->feed_after);
}

static inline bool drop_last_norm(struct model *m)
{
    return drop_norm(&m->norm);
}

/* --- norms of heads ------------------------------------------------------ */

static inline bool forget_qk_eps(struct layer *l)
{
    bool q = forget_eps(&l->attention.q_norm);
    return forget_eps(&l->attention.k_norm) || q;
}

static inline bool forget_v_eps(struct layer *l)
{
    return forget_eps(&l->attention.v_norm);
}

static inline bool drop_qk_norm(struct layer *l)
{
    bool q = drop_norm(&l->attention.q_norm);
    return drop_norm(&l->attention.k_norm) || q;
}

static inline bool drop_v_norm(struct layer *l)
{
    return drop_norm(&l->attention.v_norm);
}

/* Make a norm one over `width` numbers, whose weights begin anew after each
 * head. */
static inline void widen_norm(struct norm *n, size_t width, size_t head_dim)
{
    n->width = n->weight.rows = width;
    n->weight.run = head_dim;
    n->weight.stride = 0;
}

/* The norm is one of each head. */
static inline bool has_norms_of_heads(const struct attention *a)
{
    return a->q_norm.kind != NORM_NONE && a->q_norm.width == a->head_dim;
}

static inline bool normalize_heads_together(struct layer *l)
{
    struct attention *a = &l->attention;
    if (!has_norms_of_heads(a))
        return false;
    widen_norm(&a->q_norm, a->n_heads * a->head_dim, a->head_dim);
    widen_norm(&a->k_norm, a->n_kv_heads * a->head_dim, a->head_dim);
    return true;
}

static inline bool normalize_turned_heads(struct layer *l)
{
    bool used = has_norms_of_heads(&l->attention) && !l->attention.turns_first;
    l->attention.turns_first |= used;
    return used;
}

static inline bool normalize_before_turning(struct layer *l)
{
    bool used = l->attention.turns_first;
    l->attention.turns_first = false;
    return used;
}

static inline bool normalize_heads_apart(struct layer *l)
{
    struct attention *a = &l->attention;
    if (a->q_norm.kind == NORM_NONE || a->q_norm.width == a->head_dim)
        return false;
    a->q_norm.width = a->k_norm.width = a->head_dim;
    return true;
}

/* --- attention ----------------------------------------------------------- */

static inline bool drop_qkv_bias(struct layer *l)
{
    struct attention *a = &l->attention;
    bool q = drop_weight(&a->q.bias), k = drop_weight(&a->k.bias);
    return drop_weight(&a->v.bias) || q || k;
}

static inline bool drop_o_bias(struct layer *l)
{
    return drop_weight(&l->attention.o.bias);
}

static inline bool scale_by_head(struct layer *l)
{
    return set_float(&l->attention.scale,
                     (float)(1 / sqrt((double)l->attention.head_dim)));
}

static inline bool drop_score_cap(struct layer *l)
{
    return set_float(&l->attention.soft_cap, 0);
}

static inline bool swap_keys_and_values(struct layer *l)
{
    struct linear k = l->attention.k;
    l->attention.k = l->attention.v;
    l->attention.v = k;
    return l->attention.k.weight.data != k.weight.data ||
           l->attention.k.weight.first != k.weight.first;
}

/* Rows that take turns with those of others, copied to stand one behind the
 * other, at most 64 KB in all. */
static inline void gather_rows(struct weight *w)
{
    static unsigned char copies[1 << 16];
    static size_t used;
    size_t bytes = w->cols * dtype_bits(w->dtype) / 8;
    unsigned char *to = copies + used;
    if (!w->data || !w->run)
        return;
    used += w->rows * bytes;
    assert_true(used <= sizeof copies);
    for (size_t i = 0; i < w->rows; i++)
        memcpy(to + i * bytes,
               w->data + (w->first + i / w->run * w->stride + i % w->run) *
                             bytes,
               bytes);
    w->data = to;
    w->run = w->first = 0;
}

/* Make the rows of l those of its first `kv_size` rows, again and again. */
static inline void repeat_rows(struct linear *l, size_t rows, size_t kv_size)
{
    gather_rows(&l->weight);
    gather_rows(&l->bias);
    l->weight.rows = rows;
    l->weight.run = l->bias.run = kv_size;
    l->weight.stride = l->bias.stride = 0;
}

/* Head h shares the keys of head h modulo their number, not of its
 * neighbours. */
static inline bool share_keys_in_turn(struct layer *l)
{
    struct attention *a = &l->attention;
    size_t rows = a->n_heads * a->head_dim;
    if (a->n_kv_heads == 1 || a->n_kv_heads == a->n_heads)
        return false;
    repeat_rows(&a->k, rows, a->n_kv_heads * a->head_dim);
    repeat_rows(&a->v, rows, a->n_kv_heads * a->head_dim);
    a->n_kv_heads = a->n_heads;
    return true;
}

static inline void read_in_blocks(struct weight *q, struct weight *k,
                                  struct weight *v)
{
    q->run = k->run = v->run = 0;
    if (!q->data)
        return;
    k->first = q->rows;
    v->first = q->rows + k->rows;
}

/* All queries first, not those that share a head of keys, that head and its
 * values; unless there is only one such head. */
static inline bool read_stacked_in_blocks(struct layer *l)
{
    struct attention *a = &l->attention;
    bool used = a->q.weight.run > 0 && a->n_kv_heads > 1;
    if (used) {
        read_in_blocks(&a->q.weight, &a->k.weight, &a->v.weight);
        read_in_blocks(&a->q.bias, &a->k.bias, &a->v.bias);
    }
    return used;
}

/* --- windows ------------------------------------------------------------- */

static inline bool drop_window(struct layer *l)
{
    return set_size(&l->attention.window, 0);
}

static inline bool widen_window(struct layer *l)
{
    return l->attention.window > 0 && ++l->attention.window > 0;
}

static inline bool narrow_window(struct layer *l)
{
    return l->attention.window > 0 && l->attention.window-- > 0;
}

static inline bool put_window_everywhere(struct model *m)
{
    size_t window = 0;
    bool used = false;
    for (size_t l = 0; l < m->config.n_layers; l++)
        if (m->layers[l].attention.window > 0)
            window = m->layers[l].attention.window;
    for (size_t l = 0; l < m->config.n_layers; l++)
        used |= set_size(&m->layers[l].attention.window, window);
    return used;
}

/* --- feeding, and the rest ----------------------------------------------- */

static inline bool drop_mlp_bias(struct layer *l)
{
    struct mlp *m = &l->mlp;
    bool gate = drop_weight(&m->gate.bias), up = drop_weight(&m->up.bias);
    return drop_weight(&m->down.bias) || gate || up;
}

static inline bool activate_otherwise(struct layer *l)
{
    l->mlp.activate = l->mlp.activate == gelu ? gelu_tanh : gelu;
    return true;
}

static inline bool swap_gate_and_up(struct layer *l)
{
    struct linear gate = l->mlp.gate;
    bool used = l->mlp.up.weight.data;
    if (used) {
        l->mlp.gate = l->mlp.up;
        l->mlp.up = gate;
    }
    return used;
}

static inline bool run_in_parallel_or_not(struct layer *l)
{
    l->parallel = !l->parallel;
    return true;
}

static inline bool drop_residual(struct layer *l)
{
    return set_float(&l->residual, 1);
}

static inline bool drop_layer_scale(struct layer *l)
{
    return drop_weight(&l->scale);
}

static inline bool drop_embedding_scale(struct model *m)
{
    return set_float(&m->embedding_scale, 1);
}

static inline bool drop_logit_scale(struct model *m)
{
    return set_float(&m->logit_scale, 1);
}

static inline bool drop_logit_cap(struct model *m)
{
    return set_float(&m->logit_cap, 0);
}

static inline bool tie_head(struct model *m)
{
    bool used = m->head.data != m->embedding.data;
    m->head = m->embedding;
    return used;
}

#endif
