/* Opening a model: see model.h.  From switches to layers; knows neither the
 * names of families nor those of weights. */
#include "model.h"

#include "bind.h"
#include "family.h"
#include "switches.h"

#include <math.h>
#include <stdlib.h>

/* A weight that the model has, of this shape; bind.c finds its place. */
static struct weight shape(size_t rows, size_t cols)
{
    return (struct weight){.rows = rows, .cols = cols};
}

static struct linear describe_linear(size_t in, size_t out, bool bias)
{
    return (struct linear){.weight = shape(out, in),
                           .bias = shape(bias ? out : 0, 1)};
}

static struct norm describe_norm(const struct switches *s, size_t width)
{
    return (struct norm){.kind = NORM_RMS,
                         .width = width,
                         .eps = s->eps,
                         .weight = shape(width, 1)};
}

static struct attention describe_attention(const struct switches *s,
                                           const struct config *c)
{
    struct attention a = {.n_heads = c->n_heads,
                          .n_kv_heads = c->n_kv_heads,
                          .head_dim = c->head_dim};
    size_t q_size = c->n_heads * c->head_dim;
    size_t kv_size = c->n_kv_heads * c->head_dim;
    a.q = describe_linear(c->hidden_size, q_size, s->qkv_bias);
    a.k = describe_linear(c->hidden_size, kv_size, s->qkv_bias);
    a.v = describe_linear(c->hidden_size, kv_size, s->qkv_bias);
    a.o = describe_linear(q_size, c->hidden_size, s->o_bias);
    if (s->qk_norm) {
        a.q_norm = describe_norm(s, c->head_dim);
        a.k_norm = describe_norm(s, c->head_dim);
    }
    a.scale = (float)(1 / sqrt((double)c->head_dim));
    return a;
}

static struct mlp describe_mlp(const struct switches *s,
                               const struct config *c)
{
    struct mlp m = {.activate = s->activate};
    size_t in = c->hidden_size, inside = c->intermediate_size;
    m.gate = describe_linear(in, inside, s->mlp_bias);
    m.up = describe_linear(in, inside, s->mlp_bias);
    m.down = describe_linear(inside, in, s->mlp_bias);
    return m;
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
    m->ropes = calloc(1, sizeof *m->ropes);
    if (!m->layers || !m->ropes)
        return fail_memory(e, "the layers of the model");

    for (size_t l = 0; l < c->n_layers; l++) {
        struct layer *layer = &m->layers[l];
        layer->mix_norm = describe_norm(&s, c->hidden_size);
        layer->attention = describe_attention(&s, c);
        layer->feed_norm = describe_norm(&s, c->hidden_size);
        layer->mlp = describe_mlp(&s, c);
        if (switches_window(f, c, l, &layer->attention.window, e))
            return -1;
    }
    m->embedding = shape(c->vocab_size, c->hidden_size);
    m->norm = describe_norm(&s, c->hidden_size);
    m->head = m->embedding;
    m->n_ropes = 1;
    return rope_init(&m->ropes[0], &s.rope, e);
}

static int open_parts(struct model *m, const char *path, struct error *e)
{
    if (config_load(&m->config, path, e))
        return -1;
    const struct family *family = family_find(&m->config, e);
    if (!family || describe_model(family, m, e))
        return -1;
    if (checkpoint_open(&m->checkpoint, path, e))
        return -1;
    return bind_weights(m, e);
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
    for (size_t i = 0; i < m->n_ropes; i++)
        rope_free(&m->ropes[i]);
    free(m->ropes);
    free(m->layers);
    checkpoint_close(&m->checkpoint);
    config_free(&m->config);
    *m = (struct model){0};
}
