/* Drafting: what a command does about --draft. */
#ifndef DRAFTING_H
#define DRAFTING_H

#include "choosing.h"
#include "error.h"
#include "guard.h"
#include "options.h"
#include "reading.h"
#include "speculate.h"

#include <stddef.h>

/* Lives where drafting_open filled it in and must not be copied:
 * `speculation` points to `small`, and the guard to the model. */
struct drafting {
    struct model model; /* of --draft MODEL */
    struct guard guard; /* of its files */
    struct small_model small;
    struct speculation speculation; /* propose NULL: there is no --draft */
};

/* Heed --draft and --draft-tokens, for texts of up to `most` tokens.  The
 * small model chooses as `how` says.  Fails when it has other tokens than the
 * large one, or cannot hold so long a text.  After an error *d holds
 * nothing. */
int drafting_open(struct drafting *d, const struct settings *s,
                  const struct reading *r, const struct choosing *how,
                  size_t most, struct error *e);
void drafting_close(struct drafting *d);

/* Say on standard error what was proposed and kept. */
void drafting_print(const struct drafting *d);

#endif
