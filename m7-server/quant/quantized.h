/* A quantized matrix: codes of a few bits, and scales that groups of them
 * share.  It stays where its file is mapped; a row of it becomes floats when
 * it is asked for.
 *
 * Whoever multiplies it unpacks a row and goes on as with floats (math/ops).
 * Kernels that multiply codes as they are will read the same struct: nothing
 * else knows where codes and scales stand. */
#ifndef QUANTIZED_H
#define QUANTIZED_H

#include "tensor.h"

#include <stdbool.h>
#include <stddef.h>

struct quantized;

/* Row `row` of a matrix, as floats (cols,). */
typedef void unpack_function(const struct quantized *q, size_t row,
                             float *out);

/* A way to store a matrix: a row of the table in formats.c. */
struct format {
    const char *name; /* "int4", "Q4_K" */
    size_t bits;      /* of a code, as far as codes have a number of bits */
    size_t block;     /* values of a row that are stored together: the columns
                         are a multiple of it */
    unpack_function *unpack;
};

enum quantized_limits { QUANTIZED_PARTS = 6 };

struct quantized {
    const struct format *format;
    size_t rows, cols;
    size_t group; /* how many values of a row share a scale; divides cols */

    const unsigned char *codes; /* (rows, row_bytes); any alignment */
    size_t row_bytes;

    const struct tensor *scales;  /* (rows, cols / group), where they stand
                                     apart from the codes */
    const struct tensor *offsets; /* the same: what is added */

    /* What only some layouts have (schemes/). */
    const struct tensor *zeros;       /* the codes that stand for 0 */
    int zero_more;                    /* what is added to each of them */
    const struct tensor *group_index; /* I32 (cols,): the group of each
                                         column; NULL: they stand in order */
    size_t group_rows;                /* how many rows share a scale, too */
    enum dtype dtype;                 /* of codes that are numbers */

    /* The tensors of the files that it consists of. */
    const struct tensor *parts[QUANTIZED_PARTS];
    size_t n_parts;
};

/* How many bytes of its files a row takes: what is fetched for it. */
size_t quantized_row_bytes(const struct quantized *q);

/* The row as floats (cols,). */
void quantized_row(const struct quantized *q, size_t row, float *out);

/* Code `i` of a stream of codes that have `bits` bits each, the lowest bits of
 * the lowest byte first; bits is at most 8. */
unsigned code_at(const unsigned char *stream, size_t bits, size_t i);

/* The number of group `g` of a row, of (rows, groups): its scale, or what is
 * added. */
float group_value(const struct quantized *q, const struct tensor *t,
                  size_t row, size_t g);

#endif
