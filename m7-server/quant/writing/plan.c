/* The plan of a quantized model: see plan.h. */
#include "plan.h"

#include "unpacked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- which tensors are matrices ------------------------------------------ */

/* Whether a weight's numbers are those of this part. */
static bool is_weight(const struct part *p, const struct weight *w)
{
    if (p->quantized)
        return w->quantized == p->quantized;
    return w->data && !w->quantized && p->source->count > 0 &&
           w->data == p->source->data;
}

static bool is_layer_matrix(const struct part *p, const struct layer *l)
{
    const struct attention *a = &l->attention;
    const struct linear *const all[] = {
        &a->q, &a->k, &a->v, &a->o, &l->mlp.gate, &l->mlp.up, &l->mlp.down};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is_weight(p, &all[i]->weight))
            return true;
    return false;
}

/* What becomes of a part, as far as the user and the model say. */
static enum fate fate_of(const struct part *p, const struct model *m,
                         const struct choice *c)
{
    bool embedding = is_weight(p, &m->embedding);
    bool head = is_weight(p, &m->head);
    if ((embedding && c->keep_embedding) || (head && c->keep_head))
        return FATE_ASKED;
    if (embedding || head)
        return FATE_ROUNDED;
    for (size_t l = 0; l < m->config.n_layers; l++)
        if (is_layer_matrix(p, &m->layers[l]))
            return FATE_ROUNDED;
    return FATE_OTHER;
}

/* --- which group --------------------------------------------------------- */

static const size_t groups[] = {128, 64, 32};

enum plan_limits { SMALLEST_GROUP = 32 };

/* The largest group that divides the rows of every matrix that has one; 0
 * when no matrix has. */
static size_t largest_group(const struct plan *p)
{
    size_t n_groups = sizeof groups / sizeof *groups, at = 0;
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        const struct part *one = &p->parts[i];
        if (one->fate != FATE_ROUNDED || one->cols % SMALLEST_GROUP)
            continue;
        any = true;
        while (at + 1 < n_groups && one->cols % groups[at])
            at++;
    }
    return any ? groups[at] : 0;
}

/* A matrix whose rows no group divides stays; one whose rows another group
 * divides is a mistake. */
static int settle_group(struct plan *p, struct error *e)
{
    size_t best = largest_group(p);
    if (best == 0)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: there is no matrix to quantize: either all are to be "
                    "kept, or no rows divide into groups of 32",
                    p->model->checkpoint.files[0].path);
    if (p->rounding.group == 0)
        p->rounding.group = best;
    for (size_t i = 0; i < p->n; i++) {
        struct part *one = &p->parts[i];
        if (one->fate == FATE_ROUNDED && one->cols % SMALLEST_GROUP)
            one->fate = FATE_COLUMNS;
        else if (one->fate == FATE_ROUNDED &&
                 one->cols % p->rounding.group)
            return fail(e, ERROR_UNSUPPORTED,
                        "%s: tensor %s: rows of %zu values do not divide into "
                        "groups of %zu; --group %zu does for all of this "
                        "model",
                        one->source->file->path, one->source->name,
                        one->cols, p->rounding.group, best);
    }
    return 0;
}

/* --- what it will be called ---------------------------------------------- */

/* The source's name with another end: "a.b" of "a.b.weight_packed", and then
 * `suffix`.  A tensor that stays as it is keeps its name. */
static char *new_name(const struct part *p, const char *suffix)
{
    const char *name = p->source->name, *dot = strrchr(name, '.');
    bool whole = p->fate != FATE_ROUNDED && !p->quantized;
    size_t length = whole || !dot ? strlen(name) : (size_t)(dot - name);
    char *full = malloc(length + strlen(suffix) + 1);
    if (full) {
        memcpy(full, name, length);
        strcpy(full + length, whole ? "" : suffix);
    }
    return full;
}

static struct new_tensor new_matrix(char *name, enum dtype dtype, size_t rows,
                                    size_t cols)
{
    return (struct new_tensor){.name = name,
                               .dtype = dtype,
                               .rank = 2,
                               .shape = {rows, cols},
                               .bytes = rows * cols * dtype_bits(dtype) / 8};
}

/* Codes and scales, as scheme_rung.c will look for them. */
static void plan_rounded(struct part *p, const struct rounding *r)
{
    bool wide = r->format->bits == 8;
    p->tensors[0] =
        new_matrix(new_name(p, ".weight"), wide ? DTYPE_I8 : DTYPE_U32,
                   p->rows, wide ? p->cols : p->cols / 8);
    p->tensors[1] = new_matrix(new_name(p, ".scales"), DTYPE_F32, p->rows,
                               p->cols / r->group);
    p->n_tensors = 2;
}

static void plan_kept(struct part *p)
{
    const struct tensor *t = p->source;
    struct new_tensor *out = &p->tensors[0];
    p->copied = !p->quantized && !t->block && !t->paired && t->added == 0;
    p->n_tensors = 1;
    if (p->quantized) {
        *out = new_matrix(new_name(p, ".weight"), DTYPE_F32, p->rows, p->cols);
        return;
    }
    *out = (struct new_tensor){.name = new_name(p, ""),
                               .dtype = p->copied ? t->dtype : DTYPE_F32,
                               .rank = t->rank,
                               .bytes = p->copied ? t->bytes : 4 * t->count};
    memcpy(out->shape, t->shape, sizeof out->shape);
}

static int plan_tensors(struct plan *p, struct error *e)
{
    for (size_t i = 0; i < p->n; i++) {
        struct part *one = &p->parts[i];
        if (one->fate == FATE_ROUNDED)
            plan_rounded(one, &p->rounding);
        else
            plan_kept(one);
        for (size_t j = 0; j < one->n_tensors; j++)
            if (!one->tensors[j].name)
                return fail_memory(e, "the names of tensors");
    }
    return 0;
}

/* --- the whole ----------------------------------------------------------- */

/* Whether a layer adds this tensor to what it multiplies. */
static bool is_added(const struct model *m, const struct tensor *t)
{
    for (size_t l = 0; l < m->config.n_layers; l++) {
        const struct attention *a = &m->layers[l].attention;
        const struct mlp *f = &m->layers[l].mlp;
        const struct linear *all[] = {&a->q,    &a->k,  &a->v,   &a->o,
                                      &f->gate, &f->up, &f->down};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (all[i]->bias.data == t->data)
                return true;
    }
    return false;
}

/* The quantized matrix that a tensor is a part of, or NULL.  A bias of zeros
 * is a part of its matrix in files of GPTQ, but where the model adds it. */
static const struct quantized *matrix_of(const struct model *m,
                                         const struct tensor *t)
{
    if (is_added(m, t))
        return NULL;
    for (size_t i = 0; i < m->n_quantized; i++)
        for (size_t j = 0; j < m->quantized[i].n_parts; j++)
            if (m->quantized[i].parts[j] == t)
                return &m->quantized[i];
    return NULL;
}

/* The parts that the model's tensors are, each once. */
static int find_parts(struct plan *p, const struct choice *c, struct error *e)
{
    const struct checkpoint *all = &p->model->checkpoint;
    p->parts = calloc(all->n_tensors + 1, sizeof *p->parts);
    if (!p->parts)
        return fail_memory(e, "the plan of a model");
    for (size_t i = 0; i < all->n_tensors; i++) {
        const struct tensor *t = &all->tensors[i];
        const struct quantized *q = matrix_of(p->model, t);
        struct part *one = &p->parts[p->n];
        if (q && q->parts[0] != t)
            continue;
        if (t->stacked)
            return fail(e, ERROR_UNSUPPORTED,
                        "%s: tensor %s has its parts in another order than "
                        "files that are no GGUF; quantize the model's folder "
                        "of safetensors instead",
                        t->file->path, t->name);
        *one = (struct part){.source = t, .quantized = q};
        one->cols = q ? q->cols : tensor_cols(t);
        one->rows = q ? q->rows : one->cols ? t->count / one->cols : 0;
        one->fate = fate_of(one, p->model, c);
        p->n++;
    }
    return 0;
}

/* What its data must be aligned to: as other writers do, the wide numbers come
 * first, so that each tensor begins at a multiple of its number's size. */
static size_t alignment_of(const struct part *p)
{
    return p->fate == FATE_ROUNDED ? 4
                                   : dtype_bits(p->tensors[0].dtype) / 8;
}

static int by_alignment(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    size_t m = alignment_of(x), n = alignment_of(y);
    return m != n ? (m < n) - (m > n)
                  : tensor_order(x->source->name, y->source->name);
}

int plan_make(struct plan *p, const struct model *m, const struct choice *c,
              struct error *e)
{
    *p = (struct plan){.model = m, .rounding = c->rounding};
    if (find_parts(p, c, e) || settle_group(p, e) || plan_tensors(p, e)) {
        plan_free(p);
        return -1;
    }
    qsort(p->parts, p->n, sizeof *p->parts, by_alignment);
    return 0;
}

void plan_free(struct plan *p)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->parts[i].n_tensors; j++)
            free(p->parts[i].tensors[j].name);
        free(p->parts[i].importance);
    }
    free(p->parts);
    *p = (struct plan){0};
}

size_t part_bytes(const struct part *p)
{
    size_t bytes = 0;
    for (size_t i = 0; i < p->n_tensors; i++)
        bytes += p->tensors[i].bytes;
    return bytes;
}

/* A vector in pairs has its numbers in the order in which a matrix would have
 * its rows. */
static void read_vector(const struct tensor *t, float *out)
{
    for (size_t i = 0; i < t->count; i++) {
        tensor_read(t, paired_place(i, t->paired), 1, &out[i]);
        out[i] -= t->added;
    }
}

void part_row(const struct part *p, size_t row, float *out)
{
    if (p->quantized && !p->source->block)
        quantized_row(p->quantized, row, out);
    else if (p->source->rank < 2 && !p->source->block)
        read_vector(p->source, out);
    else
        tensor_row(p->source, row, out);
}
