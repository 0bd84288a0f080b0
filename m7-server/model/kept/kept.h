/* The packed copy of a model that is kept on disk, beside the model: mapped
 * when the model is opened again, so that nothing is packed, nothing but
 * vectors and rows of the embedding is read from the model's own files, and
 * programs that run the same model share its memory.
 *
 * It stands beside the first file of the weights, under that file's name with
 * ".rung-packed" behind.  It belongs to the model as long as its key says so:
 * a hash of each file's size and time of change, of where each tensor stands
 * and 4096 bytes from its middle, and of how each matrix is read.  To hash
 * every byte would take as long as not to need them saves. */
#ifndef KEPT_H
#define KEPT_H

#include "error.h"
#include "model.h"

#include <stdbool.h>

/* What was done about the copy. */
enum kept_state {
    KEPT_ABSENT, /* there is none, and none was asked for */
    KEPT_USED,
    KEPT_WRITTEN,
    KEPT_UNUSABLE, /* one is there which cannot be used; why: *why */
    KEPT_UNWRITTEN /* it could not be written; why: *why */
};

/* Do as model_pack, with the copy where there is one that can be used; else
 * pack, and with `write` keep a copy: in place of one that cannot be used,
 * too.  That there is no copy in the end is no error. */
int model_pack_kept(struct model *m, struct threads *t, bool write,
                    enum kept_state *state, struct error *why,
                    struct error *e);

/* The copy's name: to be freed.  NULL: there is no memory. */
char *kept_path(const struct model *m, struct error *e);

#endif
