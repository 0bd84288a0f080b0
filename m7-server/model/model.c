/* Opening a model: see model.h.  From switches to layers; knows neither the
 * names of families nor those of weights. */
#include "model.h"

#include "bind.h"
#include "family.h"
#include "switches.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A weight that the model has, of this shape; bind.c finds its place. */
static struct weight weight_of(size_t rows, size_t cols)
{
    return (struct weight){.rows = rows, .cols = cols};
}

static struct linear describe_linear(size_t in, size_t out, bool bias)
{
    return (struct linear){.weight = weight_of(out, in),
                           .bias = weight_of(bias ? out : 0, 1)};
}

/* A norm over `width` numbers, where the model has one. */
static struct norm describe_norm(const struct switches *s, bool present,
                                 size_t width)
{
    struct norm norm = s->norm;
    if (!present)
        return (struct norm){.kind = NORM_NONE};
    norm.width = width;
    norm.weight = weight_of(width, 1);
    norm.bias = weight_of(norm.kind == NORM_LAYER ? width : 0, 1);
    return norm;
}

/* The norms of queries, keys and values. */
static void describe_qkv_norms(const struct family *f,
                               const struct switches *s, struct attention *a)
{
    bool present = f->qk_norm != QK_NORM_NONE;
    bool all = f->qk_norm == QK_NORM_ALL;
    size_t head = a->head_dim;
    size_t q_width = all ? a->n_heads * head : head;
    size_t k_width = all ? a->n_kv_heads * head : head;
    a->q_norm = describe_norm(s, present, q_width);
    a->k_norm = describe_norm(s, present, k_width);
    a->turns_first = f->qk_norm == QK_NORM_TURNED;
    a->v_norm = describe_norm(s, f->v_norm, head);
    a->v_norm.weight = weight_of(0, 1);
}

static struct attention describe_attention(const struct family *f,
                                           const struct config *c,
                                           const struct switches *s,
                                           const struct layer_switches *own)
{
    double usual = 1 / sqrt((double)own->head_dim);
    double scale = s->score_scale != 0 ? s->score_scale : usual;
    struct attention a = {.n_heads = c->n_heads,
                          .n_kv_heads = own->n_kv_heads,
                          .head_dim = own->head_dim,
                          .rope = own->rope,
                          .window = own->window,
                          .scale = (float)scale,
                          .soft_cap = (float)s->score_cap};
    size_t q_size = a.n_heads * a.head_dim;
    size_t kv_size = a.n_kv_heads * a.head_dim;
    a.q = describe_linear(c->hidden_size, q_size, s->qkv_bias);
    a.k = describe_linear(c->hidden_size, kv_size, s->qkv_bias);
    if (!own->values_are_keys)
        a.v = describe_linear(c->hidden_size, kv_size, s->qkv_bias);
    a.o = describe_linear(q_size, c->hidden_size, s->o_bias);
    describe_qkv_norms(f, s, &a);
    return a;
}

static struct mlp describe_mlp(const struct family *f, const struct config *c,
                               const struct switches *s)
{
    struct mlp m = {.activate = s->activate};
    size_t in = c->hidden_size, inside = c->intermediate_size;
    m.gate = describe_linear(in, inside, s->mlp_bias);
    if (f->names->up)
        m.up = describe_linear(in, inside, s->mlp_bias);
    m.down = describe_linear(inside, in, s->mlp_bias);
    return m;
}

static int describe_layer(const struct family *f, const struct switches *s,
                          struct model *m, size_t l, struct error *e)
{
    const struct config *c = &m->config;
    const struct weight_names *has = f->names;
    struct layer *layer = &m->layers[l];
    struct layer_switches own;
    if (switches_layer(f, c, s, l, &own, e))
        return -1;
    layer->mix_norm = describe_norm(s, has->mix_norm, c->hidden_size);
    layer->attention = describe_attention(f, c, s, &own);
    layer->mix_after = describe_norm(s, has->mix_after, c->hidden_size);
    layer->feed_norm = describe_norm(s, has->feed_norm, c->hidden_size);
    layer->mlp = describe_mlp(f, c, s);
    layer->feed_after = describe_norm(s, has->feed_after, c->hidden_size);
    layer->parallel = s->parallel;
    layer->residual = (float)s->residual;
    layer->scale = weight_of(f->layer_scale ? 1 : 0, 1);
    return 0;
}

/* What stands before and after the layers. */
static void describe_ends(const struct switches *s, struct model *m)
{
    const struct config *c = &m->config;
    m->embedding = weight_of(c->vocab_size, c->hidden_size);
    m->embedding_scale = (float)s->embedding_scale;
    m->norm = describe_norm(s, true, c->hidden_size);
    m->head = m->embedding;
    m->tied = c->tie_word_embeddings;
    m->logit_scale = (float)(1 / s->logits_divisor);
    m->logit_cap = (float)s->logit_cap;
}

/* Dynamic scaling, of whichever layers, is for texts that are longer than in
 * training. */
static size_t longest_text(const struct config *c, const struct switches *s)
{
    double factor = 1;
    for (size_t i = 0; i < s->n_ropes; i++)
        if (s->ropes[i].scaling == ROPE_DYNAMIC)
            factor = fmax(factor, s->ropes[i].factor);
    double most = factor * (double)c->max_positions;
    return most < INT_MAX ? (size_t)most : INT_MAX;
}

/* Set every switch and the shape of every weight. */
static int describe_model(const struct family *f, struct model *m,
                          struct error *e)
{
    const struct config *c = &m->config;
    struct switches s = {0};
    if (switches_read(f, c, &s, e))
        return -1;
    m->layers = calloc(c->n_layers, sizeof *m->layers);
    m->ropes = calloc(s.n_ropes, sizeof *m->ropes);
    if (!m->layers || !m->ropes)
        return fail_memory(e, "the layers of the model");

    describe_ends(&s, m);
    m->max_positions = longest_text(c, &s);
    for (size_t l = 0; l < c->n_layers; l++)
        if (describe_layer(f, &s, m, l, e))
            return -1;
    for (; m->n_ropes < s.n_ropes; m->n_ropes++) /* so many to be freed */
        if (rope_init(&m->ropes[m->n_ropes], &s.ropes[m->n_ropes], e))
            return -1;
    return 0;
}

/* All but the weights; returns the model's family. */
static const struct family *open_config(struct model *m, const char *path,
                                        struct error *e)
{
    struct config *c = &m->config;
    if (config_open(c, path, e) || !family_named(c, e) ||
        config_read(c, path, e) || quantization_read(&m->quantization, c, e))
        return NULL;
    const struct family *family = family_find(c, e);
    return family && describe_model(family, m, e) == 0 ? family : NULL;
}

static int open_parts(struct model *m, const char *path, struct error *e)
{
    const struct family *family = open_config(m, path, e);
    if (!family || checkpoint_open(&m->checkpoint, path, e))
        return -1;
    return bind_weights(m, family, e);
}

int model_describe(struct model *m, const char *path, struct error *e)
{
    *m = (struct model){0};
    if (open_config(m, path, e))
        return 0;
    model_close(m);
    return -1;
}

int model_open(struct model *m, const char *path, struct error *e)
{
    *m = (struct model){0};
    int result = open_parts(m, path, e);
    if (result)
        model_close(m);
    return result;
}

void model_close(struct model *m)
{
    model_unpack(m);
    for (size_t i = 0; i < m->n_ropes; i++)
        rope_free(&m->ropes[i]);
    free(m->ropes);
    free(m->layers);
    free(m->quantized);
    checkpoint_close(&m->checkpoint);
    config_free(&m->config);
    *m = (struct model){0};
}

int model_check_length(const struct model *m, size_t n, size_t more,
                       struct error *e)
{
    size_t most = m->max_positions;
    if (n <= most && more <= most - n)
        return 0;
    if (more == 0)
        return fail(e, ERROR_INPUT,
                    "the text has %zu tokens; this model can hold %zu", n,
                    most);
    return fail(e, ERROR_INPUT,
                "the text has %zu tokens, and %zu more were asked for; this "
                "model can hold %zu",
                n, more, most);
}
