/* The models that are meant where the command line names none: those of a
 * folder. */
#ifndef FOUND_MODELS_H
#define FOUND_MODELS_H

#include "error.h"

#include <stddef.h>

enum found_limits {
    MOST_MODELS = 64 /* that are found in a folder */
};

struct found_models {
    char *paths[MOST_MODELS]; /* (n,), by their names; owned */
    size_t n;
    char *draft; /* what guesses for all of them, and is not among them; NULL:
                    none does; owned */
};

/* Find them in $RUNG_MODELS, else among what came with the program.  Where one
 * is called NAME-draft, and all others NAME- and something else, that is their
 * draft.  After an error, as where there are none, *f holds nothing. */
int found_models_read(struct found_models *f, struct error *e);
void found_models_free(struct found_models *f);

#endif
