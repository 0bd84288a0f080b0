/* The drafter: what guesses the next tokens for the model, as --draft says. */
#ifndef DRAFTER_H
#define DRAFTER_H

#include "error.h"
#include "guard.h"
#include "input.h"
#include "options.h"
#include "sampling_options.h"
#include "speculate.h"

#include <stddef.h>

/* Lives where drafter_open filled it in and must not be copied:
 * `speculation` points to `small`, and the guard to the model. */
struct drafter {
    struct model model; /* of --draft MODEL */
    struct guard guard; /* of its files */
    struct small_model small;
    struct speculation speculation; /* propose NULL: there is no --draft */
};

/* Heed --draft and --draft-tokens, for texts of up to `most` tokens.  The
 * small model chooses by the same options.  Fails when it has other tokens
 * than the large one, or cannot hold so long a text.  After an error *d holds
 * nothing. */
int drafter_open(struct drafter *d, const struct settings *s,
                 const struct input *in,
                 const struct sampling_options *options, size_t most,
                 struct error *e);
void drafter_close(struct drafter *d);

/* Say on standard error what was proposed and kept. */
void drafter_print(const struct drafter *d);

#endif
