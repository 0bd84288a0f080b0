/* Packing a model: see model_pack in model.h. */
#include "model.h"

#include <stdlib.h>

void list_matrices(struct layer *l, struct weight **list)
{
    struct attention *a = &l->attention;
    struct weight *all[LAYER_MATRICES] = {
        &a->q.weight,      &a->k.weight,    &a->v.weight,   &a->o.weight,
        &l->mlp.gate.weight, &l->mlp.up.weight, &l->mlp.down.weight};
    for (size_t i = 0; i < LAYER_MATRICES; i++)
        list[i] = all[i];
}

/* Keys and values may be one matrix. */
static bool is_same(const struct weight *a, const struct weight *b)
{
    return a->data == b->data && a->first == b->first && a->run == b->run &&
           a->rows == b->rows;
}

/* What a matrix was read from is not needed while there is its copy.  Of plain
 * numbers, whose tensor others may share, these are the bytes from its first
 * row to its last. */
static void release_weight(const struct model *m, const struct weight *w)
{
    const struct quantized *q = w->quantized;
    for (size_t i = 0; q && i < q->n_parts; i++)
        mapping_release(q->parts[i]->file, q->parts[i]->data,
                        q->parts[i]->bytes);
    size_t bytes = w->cols * dtype_bits(w->dtype) / 8;
    size_t first = place_of(w, 0), last = place_of(w, w->rows - 1);
    for (size_t i = 0; !q && i < m->checkpoint.n_files; i++)
        mapping_release(&m->checkpoint.files[i], w->data + first * bytes,
                        (last + 1 - first) * bytes);
}

static int pack_one(struct model *m, struct weight *w, struct error *e)
{
    if (!w->data)
        return 0;
    if (weight_pack(w, m->threads, &m->packed[m->n_packed], e))
        return -1;
    w->packed = &m->packed[m->n_packed++];
    release_weight(m, w);
    return 0;
}

static int pack_layer(struct model *m, struct layer *l, struct error *e)
{
    struct weight *list[LAYER_MATRICES];
    list_matrices(l, list);
    for (size_t i = 0; i < LAYER_MATRICES; i++) {
        if (i > 0 && is_same(list[i], list[i - 1]))
            list[i]->packed = list[i - 1]->packed;
        else if (pack_one(m, list[i], e))
            return -1;
    }
    return 0;
}

static int pack_all(struct model *m, struct error *e)
{
    size_t most = m->config.n_layers * LAYER_MATRICES + 1;
    m->packed = calloc(most, sizeof *m->packed);
    if (!m->packed)
        return fail_memory(e, "the list of packed matrices");
    if (model_pack_vectors(m, e))
        return -1;
    for (size_t l = 0; l < m->config.n_layers; l++)
        if (pack_layer(m, &m->layers[l], e))
            return -1;
    return pack_one(m, &m->head, e);
}

/* Whether angles are to be the same on every machine. */
static void set_angles(struct model *m, bool same)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        m->ropes[i].same_anywhere = same;
}

void model_unpack(struct model *m)
{
    struct weight *list[LAYER_MATRICES];
    for (size_t l = 0; m->packed && l < m->config.n_layers; l++) {
        list_matrices(&m->layers[l], list);
        for (size_t i = 0; i < LAYER_MATRICES; i++)
            list[i]->packed = NULL;
    }
    m->head.packed = NULL;
    for (size_t i = 0; i < m->n_packed; i++)
        packed_free(&m->packed[i]);
    free(m->packed);
    model_unpack_vectors(m);
    set_angles(m, false);
    m->packed = NULL;
    m->n_packed = 0;
    m->threads = NULL;
    m->set = NULL;
}

int model_pack(struct model *m, struct threads *t, struct error *e)
{
    const struct cpu_set *set;
    if (cpu_choose(&set, e))
        return -1;
    m->threads = t;
    int result = pack_all(m, e);
    if (result) {
        model_unpack(m);
        return result;
    }
    m->set = set;
    set_angles(m, true);
    return 0;
}
