/* What a command does for --load and --save; the options themselves are rows
 * in options.c. */
#ifndef SESSION_OPTIONS_H
#define SESSION_OPTIONS_H

#include "error.h"
#include "input.h"
#include "kvcache.h"
#include "options.h"
#include "state.h"

#include <stddef.h>

/* What is known of a session while a command runs; begins as {0}. */
struct session_use {
    bool hashed;    /* whether the model was: that takes as long as to read all
                       its weights once, so it is done once at most */
    uint64_t model; /* then: its fingerprint */
    size_t known;   /* how many tokens of the text need not be read again */
};

/* With --save, fail when the file could not be written as things are: before
 * any work, not behind it. */
int session_options_check(const struct settings *s, struct error *e);

/* With --load, let the cache hold the session.  A session that cannot be used
 * is no error: a note on standard error says why, and the text is read from
 * its first token.  Only when --save names the same file is it an error, and
 * only if another model or a newer program could still use that session:
 * saving would replace it. */
int session_options_load(const struct settings *s, const struct input *in,
                         struct cache *c, struct session_use *use,
                         struct error *e);

/* With --save, write what the input's text, as it is by now, has left in the
 * cache; what of it was not read yet is read. */
int session_options_save(const struct settings *s, const struct input *in,
                         struct state *state, struct cache *c,
                         struct session_use *use, struct error *e);

#endif
