/* A whole model becomes a folder of codes and scales.
 *
 * The folder is what scheme_rung.c reads, laid out as Hugging Face's are:
 * config.json, the tokenizer, and the weights in model.safetensors or, past a
 * size, in model-00001-of-00002.safetensors and so on with their index.  It
 * opens as fast as any: its codes are multiplied from where the file is
 * mapped.  The weights' files depend on the weights and on the rounding alone,
 * so that quantizing what codes stand for gives the same files. */
#ifndef QUANTIZE_MODEL_H
#define QUANTIZE_MODEL_H

#include "error.h"
#include "plan.h"
#include "work.h"

#include <stddef.h>

#define SHARD_BYTES ((size_t)5000000000) /* of a file, as others split them */

struct quantize_request {
    const char *model; /* a folder, a file in it, or a .gguf */
    const char *out;   /* the new folder; nothing may have that name */
    struct choice choice;
    const char *calibrate; /* a text file, or NULL; needs choice's search */
    size_t shard_bytes;    /* a file has at most so many bytes of tensors,
                              unless one tensor alone has more */
    struct work work;
};

/* What has become of the weights, by fate. */
struct outcome_of {
    size_t tensors, values, before, after; /* the last two in bytes */
};

struct quantize_result {
    struct rounding rounding; /* the group may have been left to be chosen */
    struct outcome_of by_fate[N_FATES];
    size_t quantized_before; /* how many matrices had been quantized already */
};

/* Do it.  0; -1: an error; 1: the work was to end before that.  Unless it
 * returns 0, nothing is there that was not there before. */
int quantize_model(const struct quantize_request *r,
                   struct quantize_result *result, struct error *e);

#endif
