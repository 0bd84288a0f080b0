/* Packing a model: see model_pack in model.h. */
#include "model.h"

#include "sizes.h"

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

enum releasing { RELEASED = 1 << 16 }; /* bytes; no page is larger */

/* Bytes of a file, of which thread `index` gives back its part: some whole
 * pages. */
static void release_part(const struct mapping *file, const unsigned char *data,
                         size_t bytes, size_t index, size_t count)
{
    size_t before = (uintptr_t)data % RELEASED, first, end;
    threads_share(before + bytes, RELEASED, index, count, &first, &end);
    first = larger_size(first, before);
    if (first < end)
        mapping_release(file, data + first - before, end - first);
}

/* What a matrix was read from is not needed while there is its copy.  Of plain
 * numbers, whose tensor others may share, these are the bytes from its first
 * row to its last. */
static void release_weight(const struct model *m, const struct weight *w,
                           size_t index, size_t count)
{
    const struct quantized *q = w->quantized;
    for (size_t i = 0; q && i < q->n_parts; i++)
        release_part(q->parts[i]->file, q->parts[i]->data, q->parts[i]->bytes,
                     index, count);
    size_t bytes = w->cols * dtype_bits(w->dtype) / 8;
    size_t first = place_of(w, 0), last = place_of(w, w->rows - 1);
    for (size_t i = 0; !q && i < m->checkpoint.n_files; i++)
        release_part(&m->checkpoint.files[i], w->data + first * bytes,
                     (last + 1 - first) * bytes, index, count);
}

/* Packings that are done, or not needed. */
struct releasing_job {
    const struct model *model;
    size_t first, end;
};

static void release_share(void *work, size_t index, size_t count)
{
    const struct releasing_job *j = work;
    for (size_t i = j->first; i < j->end; i++)
        release_weight(j->model, j->model->packings[i].weight, index, count);
}

/* To forget pages takes the system three quarters of the time that it takes
 * to find them: the threads share this as they share packing, or all but one
 * would wait. */
static void release_weights(const struct model *m, size_t first, size_t end)
{
    struct releasing_job j = {m, first, end};
    threads_run(m->threads, release_share, &j);
}

static void plan_one(struct model *m, struct weight *w)
{
    if (!w->data)
        return;
    w->packed = &m->packed[m->n_packed];
    m->packings[m->n_packed] = packing_plan(w, &m->packed[m->n_packed]);
    m->n_packed++;
}

static void plan_layer(struct model *m, struct layer *l)
{
    struct weight *list[LAYER_MATRICES];
    list_matrices(l, list);
    for (size_t i = 0; i < LAYER_MATRICES; i++) {
        if (i > 0 && is_same(list[i], list[i - 1]))
            list[i]->packed = list[i - 1]->packed;
        else
            plan_one(m, list[i]);
    }
}

static int plan_all(struct model *m, struct error *e)
{
    size_t most = m->config.n_layers * LAYER_MATRICES + 1;
    m->packed = calloc(most, sizeof *m->packed);
    m->packings = calloc(most, sizeof *m->packings);
    if (!m->packed || !m->packings)
        return fail_memory(e, "the list of packed matrices");
    for (size_t l = 0; l < m->config.n_layers; l++)
        plan_layer(m, &m->layers[l]);
    plan_one(m, &m->head);
    return 0;
}

/* Whether angles are to be the same on every machine. */
static void set_angles(struct model *m, bool same)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        m->ropes[i].same_anywhere = same;
}

int model_pack_begin(struct model *m, struct threads *t, struct error *e)
{
    if (cpu_choose(&m->set, e))
        return -1;
    m->threads = t;
    set_angles(m, true);
    return model_pack_vectors(m, e) ? -1 : plan_all(m, e);
}

/* A few matrices at a time, and then their files' pages are given back: of
 * most of a model there is never more in memory than the file or the copy. */
int model_pack_fill(struct model *m, struct error *e)
{
    if (store_reserve(&m->store, m->packed, m->n_packed, e))
        return -1;
    for (size_t i = 0; i < m->n_packed; i += LAYER_MATRICES) {
        size_t end = smaller_size(i + LAYER_MATRICES, m->n_packed);
        if (packings_run(m->packings + i, end - i, m->threads, e))
            return -1;
        release_weights(m, i, end);
    }
    return 0;
}

void model_pack_release(struct model *m)
{
    release_weights(m, 0, m->n_packed);
}

void model_pack_end(struct model *m)
{
    free(m->packings);
    m->packings = NULL;
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
    store_close(&m->store);
    free(m->packings);
    free(m->packed);
    model_unpack_vectors(m);
    set_angles(m, false);
    m->packings = NULL;
    m->packed = NULL;
    m->n_packed = 0;
    m->threads = NULL;
    m->set = NULL;
}

int model_pack(struct model *m, struct threads *t, struct error *e)
{
    if (model_pack_begin(m, t, e) || model_pack_fill(m, e)) {
        model_unpack(m);
        return -1;
    }
    model_pack_end(m);
    return 0;
}
