/* A matrix of two models: see matrix_pair.h. */
#include "matrix_pair.h"

#include "unpacked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a tensor's name is without its last part. */
static size_t base_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

/* Whether `name` is the matrix that this tensor is a part of. */
static bool names_matrix(const char *name, const char *tensor)
{
    size_t length = base_length(tensor);
    return (strlen(name) == length || base_length(name) == length) &&
           memcmp(name, tensor, length) == 0;
}

static const struct quantized *find_quantized(const struct model *m,
                                              const char *name)
{
    for (size_t i = 0; i < m->n_quantized; i++)
        if (names_matrix(name, m->quantized[i].parts[0]->name))
            return &m->quantized[i];
    return NULL;
}

/* The tensor of that name, or of what it begins with and ".weight". */
static const struct tensor *find_numbers(const struct checkpoint *c,
                                         const char *name)
{
    char full[512];
    const struct tensor *t = checkpoint_find(c, name);
    snprintf(full, sizeof full, "%s.weight", name);
    t = t ? t : checkpoint_find(c, full);
    snprintf(full, sizeof full, "%.*s.weight", (int)base_length(name), name);
    return t ? t : checkpoint_find(c, full);
}

int find_stored(struct stored_matrix *s, const struct model *m,
                const char *path, const char *name, struct error *e)
{
    const struct quantized *q = find_quantized(m, name);
    const struct tensor *t =
        q ? q->parts[0] : find_numbers(&m->checkpoint, name);
    if (!t)
        return fail(e, ERROR_INPUT, "%s: no matrix %s (see: rung tensors)",
                    path, name);
    if (!q && (t->rank != 2 || !tensor_is_whole(t)))
        return fail(e, ERROR_INPUT, "%s: tensor %s is no matrix of numbers",
                    path, t->name);
    *s = (struct stored_matrix){t, q, q ? q->rows : t->shape[0],
                                q ? q->cols : t->shape[1]};
    return 0;
}

/* GGUF files may have rows in another order, which is the tensor's to know. */
void stored_row(const struct stored_matrix *s, size_t row, float *out)
{
    if (s->quantized && !s->tensor->block)
        quantized_row(s->quantized, row, out);
    else
        tensor_row(s->tensor, row, out);
}

static int open_side(struct matrix_pair *p, size_t i, const char *path,
                     const char *name, struct stored_matrix *s,
                     struct error *e)
{
    struct checkpoint *c = &p->models[i].checkpoint;
    if (model_open(&p->models[i], path, e))
        return -1;
    guard_begin(&p->guards[i], c->files, c->n_files);
    return checkpoint_check(c, e)
               ? -1
               : find_stored(s, &p->models[i], path, name, e);
}

static int check_shapes(const struct matrix_pair *p, const char *a,
                        const char *b, struct error *e)
{
    if (p->a.rows == p->b.rows && p->a.cols == p->b.cols)
        return 0;
    return fail(e, ERROR_INPUT, "%s: %s is [%zu, %zu], but [%zu, %zu] in %s",
                b, p->a.tensor->name, p->b.rows, p->b.cols, p->a.rows,
                p->a.cols, a);
}

static int reserve_rows(struct matrix_pair *p, struct error *e)
{
    p->row_a = calloc(p->a.cols, sizeof *p->row_a);
    p->row_b = calloc(p->a.cols, sizeof *p->row_b);
    return p->row_a && p->row_b ? 0 : fail_memory(e, "the rows of a matrix");
}

int matrix_pair_open(struct matrix_pair *p, const char *a, const char *b,
                     const char *name, struct error *e)
{
    *p = (struct matrix_pair){.row_a = NULL};
    if (open_side(p, 0, a, name, &p->a, e) == 0 &&
        open_side(p, 1, b, name, &p->b, e) == 0 &&
        check_shapes(p, a, b, e) == 0 && reserve_rows(p, e) == 0)
        return 0;
    matrix_pair_close(p);
    return -1;
}

void matrix_pair_close(struct matrix_pair *p)
{
    for (size_t i = 2; i-- > 0;) {
        if (p->guards[i].n_files > 0)
            guard_end(&p->guards[i]);
        model_close(&p->models[i]);
    }
    free(p->row_a);
    free(p->row_b);
    *p = (struct matrix_pair){.row_a = NULL};
}

void matrix_pair_read(struct matrix_pair *p, size_t row)
{
    stored_row(&p->a, row, p->row_a);
    stored_row(&p->b, row, p->row_b);
}
