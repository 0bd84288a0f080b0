/* Vectors of a model as floats: see model_pack_vectors in model.h. */
#include "model.h"

#include <stdlib.h>

/* A list of vectors: those of a layer, or what stands behind the last. */
enum vector_sizes { LAYER_VECTORS = 21 };

struct vectors {
    struct weight *list[LAYER_VECTORS];
    size_t n;
};

static void list_vector(struct vectors *v, struct weight *w)
{
    if (w->data)
        v->list[v->n++] = w;
}

static void list_norm(struct vectors *v, struct norm *norm)
{
    list_vector(v, &norm->weight);
    list_vector(v, &norm->bias);
}

static void list_layer(struct vectors *v, struct layer *l)
{
    struct attention *a = &l->attention;
    struct norm *const norms[] = {&l->mix_norm,  &a->q_norm,    &a->k_norm,
                                  &a->v_norm,    &l->mix_after, &l->feed_norm,
                                  &l->feed_after};
    struct linear *const linears[] = {&a->q, &a->k, &a->v, &a->o,
                                      &l->mlp.gate, &l->mlp.up, &l->mlp.down};
    for (size_t i = 0; i < sizeof norms / sizeof *norms; i++)
        list_norm(v, norms[i]);
    for (size_t i = 0; i < sizeof linears / sizeof *linears; i++)
        list_vector(v, &linears[i]->bias);
}

/* Number l of a model's lists; behind the layers' there is one more. */
static struct vectors vectors_of(struct model *m, size_t l)
{
    struct vectors v = {.n = 0};
    if (l < m->config.n_layers)
        list_layer(&v, &m->layers[l]);
    else
        list_norm(&v, &m->norm);
    return v;
}

static size_t count_numbers(struct model *m)
{
    size_t count = 0;
    for (size_t l = 0; l <= m->config.n_layers; l++) {
        struct vectors v = vectors_of(m, l);
        for (size_t i = 0; i < v.n; i++)
            count += v.list[i]->rows;
    }
    return count;
}

/* Make the copy of a vector at `to`; returns where the next begins. */
static float *copy_vector(struct weight *w, float *to)
{
    struct compute c = {0};
    for (size_t i = 0; i < w->rows; i++)
        weight_row(&c, w, i, to + i);
    w->floats = to;
    return to + w->rows;
}

int model_pack_vectors(struct model *m, struct error *e)
{
    size_t count = count_numbers(m);
    float *to = m->vectors = malloc((count + 1) * sizeof *to);
    if (!to)
        return fail_memory(e, "the vectors of a model");
    for (size_t l = 0; l <= m->config.n_layers; l++) {
        struct vectors v = vectors_of(m, l);
        for (size_t i = 0; i < v.n; i++)
            to = copy_vector(v.list[i], to);
    }
    return 0;
}

void model_unpack_vectors(struct model *m)
{
    for (size_t l = 0; m->vectors && l <= m->config.n_layers; l++) {
        struct vectors v = vectors_of(m, l);
        for (size_t i = 0; i < v.n; i++)
            v.list[i]->floats = NULL;
    }
    free(m->vectors);
    m->vectors = NULL;
}
