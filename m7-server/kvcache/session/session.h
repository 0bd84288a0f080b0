/* Sessions: what a cache holds, kept in a file, so that a text can go on
 * another day without being read again.
 *
 *   bytes  what
 *   8      "RUNGSESS"
 *   4, 4   the version of this layout, 2; the number of layers
 *   8      the fingerprint of the model
 *   8, 8   the length; the length that the keys were rotated for
 *   4, 4   the arithmetic that computed it (ops.h); the form of the rows
 *   24     for each layer: numbers of a position, window, first position kept;
 *          of the first 8 bytes, the upper 4 are those of a head, unless the
 *          rows are floats
 *   4      for each token: its id
 *          for each layer, of the positions that it kept: keys, then values
 *   8      a checksum (XXH3) of all bytes before it
 *
 * All numbers are little-endian, as the machines are that this program runs
 * on. */
#ifndef SESSION_H
#define SESSION_H

#include "error.h"
#include "kvcache.h"

#include <stdint.h>

struct session {
    uint64_t model;     /* the fingerprint */
    struct cache cache; /* exactly as large as what it holds */
};

/* Write what the cache holds to the file `path`, wholly or not at all. */
int session_save(const char *path, const struct cache *c, uint64_t model,
                 struct error *e);

/* Read a session.  Every size is checked before it is used, and the checksum
 * before anything is believed.  After an error *s holds nothing. */
int session_load(const char *path, struct session *s, struct error *e);
void session_free(struct session *s);

/* Let the cache hold what the session does, as much as there is room for; what
 * it held is forgotten.  Fails when the session, which is from the file
 * `path`, is of another model than `model`, is stored in another form than the
 * cache, or has a token or rows that this cache cannot hold. */
int session_restore(struct session *s, const char *path, uint64_t model,
                    struct cache *c, struct error *e);

#endif
