/* Writing a safetensors file: first the table of contents, then the numbers,
 * in its order.  loader/safetensors.h shows the format, and reads it. */
#ifndef SAFETENSORS_WRITE_H
#define SAFETENSORS_WRITE_H

#include "dtype.h"
#include "error.h"
#include "new_folder.h"

#include <jansson.h>
#include <stddef.h>

enum written_limits {
    WRITTEN_RANK = 8,
    WRITTEN_ALIGNMENT = 64 /* the data begins at a multiple of it */
};

/* A tensor of a file that is to be. */
struct new_tensor {
    char *name; /* owned by whoever planned it */
    enum dtype dtype;
    int rank;
    size_t shape[WRITTEN_RANK]; /* (rank,) */
    size_t bytes;               /* of its data */
};

/* Write the table of tensors (n,), which stand behind each other in this order
 * without a gap; metadata is an object of strings.  What is added to the file
 * from here on is their data. */
int safetensors_write(const struct new_folder *folder, FILE *file,
                      const struct new_tensor *tensors, size_t n,
                      json_t *metadata, struct error *e);

#endif
