/* Schemes: how the files of a model hold its quantized matrices, and which of
 * them they are.  Each program that quantizes has its own; config.json says
 * which it was, mostly. */
#ifndef SCHEME_H
#define SCHEME_H

#include "checkpoint.h"
#include "config.h"
#include "error.h"
#include "quantized.h"

#include <stddef.h>

struct scheme;

/* What config.json says about a model's quantization. */
struct quantization {
    const struct scheme *scheme; /* NULL: none, all numbers are plain */
    struct node said;            /* its object in config.json */
    size_t bits, group;          /* where one number holds for all; else 0 */
};

/* A matrix that is looked for: its name without ".weight", and the shape that
 * it should have by config.json. */
struct sought {
    const struct checkpoint *checkpoint;
    const char *name; /* "model.layers.0.mlp.up_proj" */
    size_t rows, cols;
};

struct scheme {
    const char *method; /* quant_method in config.json */

    /* Read and check what config.json says, beyond the method. */
    int (*read)(struct quantization *s, struct error *e);

    /* Fill in *q, checked against the files.  1: found; 0: this matrix is not
     * quantized; -1: an error, which names file and tensor. */
    int (*find)(const struct quantization *s, const struct sought *wanted,
                struct quantized *q, struct error *e);
};

/* What the configuration of a model says.  A method that is not known is an
 * error that names it. */
int quantization_read(struct quantization *s, const struct config *c,
                      struct error *e);

/* Look for a matrix: 1, 0 or -1 as above. */
int quantization_find(const struct quantization *s,
                      const struct sought *wanted, struct quantized *q,
                      struct error *e);

/* For the schemes: the tensor wanted->name + suffix, noted among the parts of
 * *q; NULL when there is none. */
const struct tensor *take_part(const struct sought *wanted,
                               const char *suffix, struct quantized *q);

/* Fail unless the tensor has this type and this shape (rows, cols). */
int check_part(const struct tensor *t, enum dtype dtype, size_t rows,
               size_t cols, struct error *e);

/* The schemes; each is the one thing that its file shows. */
extern const struct scheme scheme_rung; /* this program's own */
extern const struct scheme scheme_mlx, scheme_gptq, scheme_awq, scheme_fp8;
extern const struct scheme scheme_compressed;
extern const struct scheme scheme_gguf; /* GGUF files */

#endif
