/* One safetensors file: a table of contents, then the numbers.
 *
 *     8 bytes   the length of the table, little-endian
 *     table     JSON: {"name": {"dtype": "BF16", "shape": [4096, 256],
 *                               "data_offsets": [0, 2097152]}, ...
 *                      "__metadata__": {"key": "text", ...}}
 *     data      the tensors; the offsets count from here
 *
 * https://huggingface.co/docs/safetensors describes the format.  Files come
 * from strangers: every number in the table is checked before it is used. */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include "error.h"
#include "mapping.h"
#include "tensor.h"

#include <stddef.h>

/* Read the table of a file.  *tensors (*n,) is in the order of the data, and
 * the caller's to free with tensors_free; `file` must outlive it.  The data
 * of the tensors lies in the file, covers all of it behind the table, and
 * does not overlap.  An error names file, tensor and byte offset; offsets in
 * messages count from the start of the file. */
int safetensors_read(const struct mapping *file, struct tensor **tensors,
                     size_t *n, struct error *e);

#endif
