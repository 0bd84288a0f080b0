/* One GGUF file: a table of contents in three parts, then the numbers.
 *
 *     "GGUF"     and a version, 2 or 3; how many tensors; how many values
 *     values     what is said of the model: key, type, value
 *     tensors    name, dimensions, type, where the data begins
 *     data       behind the next multiple of the alignment; offsets count
 *                from here, and each tensor begins at such a multiple
 *
 * All numbers are little-endian.  The format is described at
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.  Files come from
 * strangers: every number is checked before it is used.
 *
 * This room knows bytes and JSON only: who maps the file is its user's
 * affair. */
#ifndef GGUF_H
#define GGUF_H

#include "error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum gguf_limits {
    GGUF_RANK = 4,       /* dimensions of a tensor */
    GGUF_DEPTH = 8,      /* arrays in arrays */
    GGUF_NAME = 500,     /* bytes of a name; real ones have 100 at most */
    GGUF_LIST = 1 << 24, /* values of an array that becomes JSON */
    GGUF_ALIGN = 32,     /* where the file does not say */
    GGUF_MOST_ALIGN = 1 << 20
};

/* Types of values, as the files number them. */
enum gguf_type {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64,
    N_GGUF_TYPES
};

/* One thing that is said of the model. */
struct gguf_value {
    char *key; /* owned */
    enum gguf_type type;
    size_t offset; /* of the value, from the file's start */
};

/* A type of numbers: single ones, or blocks of several. */
struct gguf_kind {
    const char *name;     /* "F16", "Q4_K" */
    size_t values, bytes; /* of a block; 0 bytes: not known here */
};

struct gguf_tensor {
    char *name; /* owned */
    const struct gguf_kind *kind;
    int rank;
    size_t shape[GGUF_RANK]; /* (rank,), row-major: the last runs fastest */
    size_t count, bytes;
    size_t offset; /* of its first byte, from the file's start */
};

struct gguf {
    const char *path;          /* for messages; not owned */
    const unsigned char *data; /* (size,), not owned */
    size_t size;
    struct gguf_value *values; /* (n_values,), sorted by key; owned */
    size_t n_values;
    struct gguf_tensor *tensors; /* (n_tensors,), in the order of their data;
                                    owned */
    size_t n_tensors;
};

/* Read the table of the file whose bytes are data (size,); path and data must
 * outlive *g.  The data of the tensors lies in the file, begins where it may,
 * and does not overlap.  An error names file, key or tensor, and byte offset.
 * After it *g holds nothing. */
int gguf_read(struct gguf *g, const char *path, const unsigned char *data,
              size_t size, struct error *e);
void gguf_free(struct gguf *g);

/* The tensor of that name, or NULL. */
const struct gguf_tensor *gguf_tensor(const struct gguf *g, const char *name);

/* The values whose keys begin with `prefix`, and not with `except` (NULL:
 * all), as one JSON object; keys as they are.  NULL and an error for what JSON
 * cannot say: text that is not UTF-8, a number that is not finite.  The caller
 * frees it. */
json_t *gguf_values(const struct gguf *g, const char *prefix,
                    const char *except, struct error *e);

#endif
