/* All packed matrices of a model, in one block: in memory, or mapped from a
 * file that keeps them.
 *
 *   bytes  what
 *   8      "RUNGPACK"
 *   4, 4   the version of this layout, 1; zeros
 *   8      the key: what the matrices were made from
 *   8      how many bytes the block has
 *   8      its checksum: the XXH3 of those of each MiB
 *   24     zeros
 *          the block: one matrix after another, panels and factors (packed.h),
 *          and as many zeros as kernels may ask for early
 *
 * Numbers are little-endian, and every instruction set reads the same bytes.
 * Where a matrix stands follows from the kinds and shapes of all, so that the
 * file says nothing that could lead a reader astray.
 *
 * Whoever changes what packing makes of any matrix gives the layout another
 * version. */
#ifndef STORE_H
#define STORE_H

#include "error.h"
#include "guard.h"
#include "mapping.h"
#include "packed.h"
#include "threads.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct store {
    unsigned char *bytes; /* (size,), at a multiple of 64 */
    size_t size;
    struct mapping file; /* whose pages these bytes are, read-only; of no
                            data: they are memory of the store's own */
    struct guard guard;  /* of the file; where the store's owner began it, it
                            ends with the store, which must stay in place */
};

/* Give matrices (n,), which have kinds and shapes, places in memory.  After an
 * error *s holds nothing. */
int store_reserve(struct store *s, struct packed *list, size_t n,
                  struct error *e);

/* Give them their places in the file `path`.  Fails, in words that say what
 * the file is, when it was made from another model, by another version of this
 * program, or is damaged: every byte of it is read, each thread reading its
 * part.  After an error *s holds nothing, and no matrix has a place. */
int store_map(struct store *s, const char *path, uint64_t key,
              struct packed *list, size_t n, struct threads *t,
              struct error *e);

/* Write the file, which is there whole or not at all.  It gets these
 * permissions, unless it replaces one: then it has that one's. */
int store_write(const struct store *s, const char *path, uint64_t key,
                mode_t mode, struct threads *t, struct error *e);

void store_close(struct store *s);

#endif
