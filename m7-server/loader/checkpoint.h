/* A checkpoint: the weights of a model, as named tensors in one or several
 * safetensors or GGUF files.
 *
 * Nothing is read but the tables of contents: a tensor's data points into the
 * mapped file.  A checkpoint does not change after it is opened, so threads
 * may share it. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "error.h"
#include "mapping.h"
#include "tensor.h"

#include <stddef.h>

struct checkpoint {
    struct mapping *files; /* (n_files,) */
    size_t n_files;
    struct tensor *tensors; /* (n_tensors,), sorted by tensor_order */
    size_t n_tensors;
};

/* Open a model's weights.  `path` is one .safetensors file, or a folder, or
 * another file in it; of a folder
 *   model.safetensors.index.json    the files that it names, or else
 *   model.safetensors               this one, or else
 *   *.safetensors                   all of them;
 * or it is a .gguf file, or a folder that holds one and no .safetensors: its
 * parts, if it is split, and its tensors by the names that others have.
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

#endif
