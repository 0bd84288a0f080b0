/* Steps: how a tokenizer.json writes down a chain of them.
 *
 * The normalizer, the pre-tokenizer, the post-processor and the decoder are
 * each null, or one step {"type": ...}, or a "Sequence" of steps, which may
 * hold sequences again.  Each of the four has a table of the types it knows;
 * a type that is not in it, and an option that its row does not name, are
 * refused: a step left out would give wrong ids, and nobody would notice. */
#ifndef STEPS_H
#define STEPS_H

#include "error.h"
#include "json.h"

#include <stddef.h>

struct step_type {
    const char *name; /* "Replace" */
    const char
        *options; /* its options, one space between: "pattern content" */

    /* Read the step and add it to the chain. */
    int (*read)(const struct node *n, void *chain, struct error *e);
};

struct step_table {
    const char *what; /* "normalizer", for messages */
    const char *list; /* how its Sequence calls its steps: "normalizers" */
    const struct step_type *types; /* (n_types,) */
    size_t n_types;
};

/* Read a chain; null and an absent value are an empty one. */
int steps_read(const struct node *n, const struct step_table *table,
               void *chain, struct error *e);

/* Fail when the object has a member that is not one of `options`. */
int options_known(const struct node *n, const char *options, struct error *e);

#endif
