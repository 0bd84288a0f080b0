/* Where the pieces of a text, of 8, 4 and 2 bytes, stand for the last time:
 * most texts that do not stand in it have a piece that it has not, and then
 * they need not be looked for.
 *
 * A table of hashes, in which the pieces of one slot count as one: so it may
 * not notice, but is never wrong (Bloom, "Space/time trade-offs in hash coding
 * with allowable errors", 1970). */
#ifndef TEXT_INDEX_H
#define TEXT_INDEX_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_index {
    uint32_t *last; /* (2^bits,), owned: where the last piece begins, plus 1;
                       0: there is none; NULL: no index */
    int bits;
};

/* Of a text (size,), which is not kept.  Of 4 GiB or more there is none. */
int text_index_init(struct text_index *x, const char *text, size_t size,
                    struct error *e);

/* Is it certain that these words (size,) do not stand in the text at `from` or
 * behind it?  Takes a time of the words' size. */
bool text_index_excludes(const struct text_index *x, size_t from,
                         const char *words, size_t size);

void text_index_free(struct text_index *x);

#endif
