/* One matrix of two models, as floats in both, however it is stored: as
 * numbers, as blocks of codes, or as codes with scales in other tensors. */
#ifndef MATRIX_PAIR_H
#define MATRIX_PAIR_H

#include "error.h"
#include "guard.h"
#include "model.h"
#include "quantized.h"
#include "tensor.h"

#include <stddef.h>

struct stored_matrix {
    const struct tensor *tensor;       /* with its values, or its codes */
    const struct quantized *quantized; /* NULL: the tensor is numbers */
    size_t rows, cols;
};

/* The matrix `name` of an open model: "model.layers.0.mlp.up_proj", with or
 * without the ".weight" or ".qweight" behind it that its files have.  `path`
 * stands for the model in messages. */
int find_stored(struct stored_matrix *s, const struct model *m,
                const char *path, const char *name, struct error *e);

/* Row `row` of it, as floats (cols,). */
void stored_row(const struct stored_matrix *s, size_t row, float *out);

/* Lives where matrix_pair_open filled it in and must not be copied. */
struct matrix_pair {
    struct model models[2];
    struct guard guards[2];
    struct stored_matrix a, b; /* of the same shape */
    float *row_a, *row_b;      /* (cols,): room for a row of each; owned */
};

/* Open the models at two paths and find the matrix in both.  Fails where one
 * has no such matrix, or another shape.  After an error *p holds nothing. */
int matrix_pair_open(struct matrix_pair *p, const char *a, const char *b,
                     const char *name, struct error *e);
void matrix_pair_close(struct matrix_pair *p);

/* Read row `row` of both into p->row_a and p->row_b. */
void matrix_pair_read(struct matrix_pair *p, size_t row);

#endif
