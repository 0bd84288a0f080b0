/* Random models: see random_model.h. */
#include "random_model.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* config.json is read from a folder, as every model's is. */
static int describe_shape(struct model *m, const struct model_shape *shape,
                          struct error *e)
{
    char folder[] = "/tmp/rung-shape.XXXXXX", path[64];
    if (!mkdtemp(folder))
        return fail_errno(e, folder);
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    int result = file ? 0 : fail_errno(e, path);
    if (file && (fputs(shape->config, file) < 0 || fclose(file)))
        result = fail_errno(e, path);
    if (result == 0)
        result = model_describe(m, folder, e);
    unlink(path);
    rmdir(folder);
    return result;
}

/* Bytes of chance, eight at a time. */
static void fill_randomly(struct random *r, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t number = random_bits(r);
        memcpy(bytes + i, &number,
               size - i < sizeof number ? size - i : sizeof number);
    }
}

/* Scales near 1/32, so that what comes out of a row has the size of what went
 * in: halves from 0x2800 on. */
static void fill_scales(struct packed *p, unsigned char *pair)
{
    size_t lines = p->kind == PACKED_AFFINE4 ? 2 : 1;
    for (size_t i = 1; i < 64 * lines; i += 2)
        pair[i] = 0x28;
}

static void fill_packed(struct packed *p, struct random *r)
{
    size_t pairs = packed_panels(p) * p->pairs;
    fill_randomly(r, p->bytes, packed_panels(p) * p->panel_bytes);
    for (size_t i = 0; i < pairs; i++)
        fill_scales(p, p->bytes + i * pair_bytes(p->kind));
    for (size_t i = 0; i < packed_panels(p) * PANEL_ROWS; i++)
        p->factors[i] = 1;
}

static void plan_randomly(struct model *m, struct weight *w,
                          enum packed_kind kind)
{
    if (w->rows == 0)
        return;
    packed_shape(&m->packed[m->n_packed], kind, w->rows, w->cols);
    w->packed = &m->packed[m->n_packed++];
}

/* All tokens have the same row of the embedding. */
static int fill_embedding(struct model *m, struct random *r, struct error *e)
{
    size_t bytes = m->embedding.cols * sizeof(float);
    float *row = malloc(bytes);
    if (!row)
        return fail_memory(e, "the embedding");
    for (size_t i = 0; i < m->embedding.cols; i++)
        row[i] = (float)(random_share(r) - 0.5);
    m->embedding.data = (const unsigned char *)row;
    m->embedding.dtype = DTYPE_F32;
    m->embedding.run = 1;
    m->embedding.stride = 0;
    return 0;
}

static int fill_model(struct model *m, enum packed_kind kind,
                      enum packed_kind head, struct error *e)
{
    struct random r;
    struct weight *list[LAYER_MATRICES];
    random_init(&r, 1, 0);
    m->packed = calloc(m->config.n_layers * LAYER_MATRICES + 1,
                       sizeof *m->packed);
    if (!m->packed)
        return fail_memory(e, "the list of packed matrices");
    for (size_t l = 0; l < m->config.n_layers; l++) {
        list_matrices(&m->layers[l], list);
        for (size_t i = 0; i < LAYER_MATRICES; i++)
            plan_randomly(m, list[i], kind);
    }
    plan_randomly(m, &m->head, head);
    if (store_reserve(&m->store, m->packed, m->n_packed, e) ||
        model_pack_vectors(m, e))
        return -1;
    for (size_t i = 0; i < m->n_packed; i++)
        fill_packed(&m->packed[i], &r);
    return fill_embedding(m, &r, e);
}

int random_model_open(struct model *m, const struct model_shape *shape,
                      enum packed_kind kind, enum packed_kind head,
                      struct threads *t, struct error *e)
{
    *m = (struct model){0};
    if (describe_shape(m, shape, e))
        return -1;
    int result = cpu_choose(&m->set, e);
    m->threads = t;
    if (result == 0)
        result = fill_model(m, kind, head, e);
    if (result)
        random_model_close(m);
    return result;
}

void random_model_close(struct model *m)
{
    free((void *)(uintptr_t)m->embedding.data);
    model_close(m);
}
