/* A checkpoint: the weights of a model, as named tensors in one or several
 * safetensors files.
 *
 * Nothing is read but the tables of contents: a tensor's data points into the
 * mapped file.  A checkpoint does not change after it is opened, so threads
 * may share it. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "dtype.h"
#include "error.h"
#include "mapping.h"

#include <stddef.h>

enum {
    TENSOR_MAX_RANK = 8
};

struct tensor {
    char *name; /* owned by the checkpoint */
    enum dtype dtype;
    int rank;                      /* 0 for a single number */
    size_t shape[TENSOR_MAX_RANK]; /* (rank,), row-major: last runs fastest */
    size_t count;                  /* of values: the product of the shape */
    size_t bytes;                  /* of data: count * bits / 8 */

    const struct mapping *file; /* where it stands; owned by the checkpoint */
    size_t offset;              /* of its first byte, from the file's start */
    const unsigned char *data;  /* (bytes,) in the mapping; any alignment */
};

struct checkpoint {
    struct mapping *files; /* (n_files,) */
    size_t n_files;
    struct tensor *tensors; /* (n_tensors,), in the order of tensor_order */
    size_t n_tensors;
};

/* Open a model's weights.  `path` is one .safetensors file, or a folder with
 *   model.safetensors.index.json    the files that it names, or else
 *   model.safetensors               this one, or else
 *   *.safetensors                   all of them.
 * Every table is checked before this returns, so that no tensor can reach
 * outside its file.  After an error *c holds nothing. */
int checkpoint_open(struct checkpoint *c, const char *path, struct error *e);
void checkpoint_close(struct checkpoint *c);

/* The tensor of that name, or NULL. */
const struct tensor *checkpoint_find(const struct checkpoint *c,
                                     const char *name);

/* Fail when one of the files has shrunk since it was opened; to be called
 * before work that reads the weights. */
int checkpoint_check(const struct checkpoint *c, struct error *e);

/* Names in the order that people count: layers.2 stands before layers.10. */
int tensor_order(const char *a, const char *b);

/* A shape as text, "[4096, 256]", in `out` of `size` bytes; 200 always do. */
void tensor_shape(const struct tensor *t, char *out, size_t size);

/* Values first .. first + n - 1, as floats (n,).  The dtype must be real. */
void tensor_read(const struct tensor *t, size_t first, size_t n, float *out);

#endif
