/* Texts of which one must come: which of them still can, and what agrees with
 * one that can.
 *
 * There may be hundreds, which begin alike, and a vocabulary is asked of at
 * each token: so they are sorted once, and a token is compared with few.
 * Knows neither tokens nor tools. */
#ifndef REQUIRED_TEXTS_H
#define REQUIRED_TEXTS_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct required_texts {
    struct bytes *texts; /* (n,), owned */
    size_t n, room;
    bool sorted; /* they are, and none begins with another */
    bool failed; /* no memory */
};

/* What may come next: the rest of one of these texts. */
struct required_rests {
    const struct bytes *texts; /* (n,), sorted, borrowed */
    size_t n;
    size_t had;      /* bytes of each that were said */
    bool begin[256]; /* the bytes that a rest begins with */
    size_t compared; /* how often a token and a rest were, so far */
};

/* Add one, which is copied. */
void required_texts_add(struct required_texts *r, const struct bytes *text);
void required_texts_free(struct required_texts *r);

/* Sort them, before the questions that follow. */
void required_texts_sort(struct required_texts *r);

/* Does what was said (size,) begin with one of them? */
bool required_text_has_come(const struct required_texts *r, const char *said,
                            size_t size);

/* Of those that go on with what was said (size,), the rests.  None has come
 * yet. */
struct required_rests required_rests_after(const struct required_texts *r,
                                           const char *said, size_t size);

/* Does a token (size,) agree with one of them as far as both go? */
bool required_rests_agree(struct required_rests *r, const char *token,
                          size_t size);

#endif
