/* Growing arrays: of bytes (text) and of token ids.
 *
 * Start one as {0}; free it with bytes_free or ids_free.  A failed allocation
 * is remembered in `failed` and later additions do nothing, so that a long
 * computation can add freely and check once, at its end. */
#ifndef BUFFER_H
#define BUFFER_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct bytes {
    char *data; /* (size,), not ended by a zero; NULL while empty */
    size_t size, capacity;
    bool failed;
};

struct ids {
    int *data; /* (size,) */
    size_t size, capacity;
    bool failed;
};

void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_add_string(struct bytes *b, const char *string);
void bytes_free(struct bytes *b);

/* Add all that is left to read in `f`; `name` stands for it in messages. */
int bytes_read(struct bytes *b, FILE *f, const char *name, struct error *e);

void ids_add(struct ids *list, int id);
void ids_free(struct ids *list);

/* Grow `array`, of *capacity elements of `width` bytes, to hold at least
 * `needed`.  Returns the array, perhaps moved, or NULL when there is no
 * memory; then the old array is still there. */
void *grow(void *array, size_t *capacity, size_t needed, size_t width);

#endif
