/* The plan of a quantized model: what becomes of each tensor.
 *
 * Rounded are the matrices that the forward pass multiplies with, found
 * through the model that bind.c has put together, so that no name needs to be
 * known here.  Norms and biases stay: they are few, and every error in them
 * reaches all tokens.  A matrix stays, too, when it is asked for, or when no
 * group divides its rows.  What stays is copied byte for byte.
 *
 * The model may be quantized already, in whatever way this program reads.  Its
 * matrices are unpacked row by row and rounded again; one that is to stay
 * becomes F32, which holds what its codes stand for without another error.  In
 * a GGUF file rows may stand in another order, or values have something added;
 * here they are as their names say. */
#ifndef PLAN_H
#define PLAN_H

#include "error.h"
#include "model.h"
#include "quantize.h"
#include "safetensors_write.h"

#include <stdbool.h>
#include <stddef.h>

/* What becomes of a tensor. */
enum fate {
    FATE_ROUNDED,
    FATE_ASKED,   /* a matrix that stays since it was asked for */
    FATE_COLUMNS, /* one whose rows no group divides */
    FATE_OTHER,   /* stays, being no matrix that is multiplied with */
    N_FATES
};

/* A tensor of the model, or a quantized matrix, which is several. */
struct part {
    enum fate fate;
    const struct tensor *source;       /* or the first of several */
    const struct quantized *quantized; /* as which it is to be read, or NULL */
    size_t rows, cols;                 /* of a matrix; a vector is one row */
    bool copied; /* stays byte for byte; else, if it stays, as F32 */

    struct new_tensor tensors[2]; /* (n_tensors,): itself, or codes and
                                     scales */
    size_t n_tensors;

    float *importance; /* (cols,), by calibrate.h, or NULL; owned */
};

struct plan {
    const struct model *model;
    struct rounding rounding;
    struct part *parts; /* (n,), in the order in which they are written */
    size_t n;
};

/* What the user chose. */
struct choice {
    struct rounding rounding; /* group 0: the largest of 128, 64 and 32 that
                                 divides the rows of every matrix */
    bool keep_embedding, keep_head; /* where both are one, either keeps it */
};

/* Plan for an open model, which must outlive the plan.  Fails when the group
 * does not divide the rows of a matrix, but another would; and when there is
 * nothing to round.  After an error *p holds nothing. */
int plan_make(struct plan *p, const struct model *m, const struct choice *c,
              struct error *e);
void plan_free(struct plan *p);

/* How many bytes the tensors of a part will have. */
size_t part_bytes(const struct part *p);

/* Row `row` of a part as floats (cols,). */
void part_row(const struct part *p, size_t row, float *out);

#endif
