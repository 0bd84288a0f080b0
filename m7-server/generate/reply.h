/* A reply: new tokens become text, as far as it is certain, up to a stop
 * string.  What a token says may depend on the next one twice over: half a
 * character is held back by the decoder, half a stop string by stop.h. */
#ifndef REPLY_H
#define REPLY_H

#include "stop.h"
#include "tokenizer.h"

struct reply {
    struct stream *stream; /* owned */
    struct stop stop;
};

/* After an error *r holds nothing. */
int reply_init(struct reply *r, const struct tokenizer *t,
               const char *const *stops, size_t n_stops, struct error *e);
void reply_free(struct reply *r);

/* Take a token, and append to `out` the text that is certain.  r->stop.found
 * tells whether the reply has ended. */
int reply_put(struct reply *r, int id, struct bytes *out, struct error *e);

/* No more tokens come: append what was held back. */
int reply_end(struct reply *r, struct bytes *out, struct error *e);

#endif
