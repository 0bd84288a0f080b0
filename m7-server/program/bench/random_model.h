/* A model with the shape of a published one and random weights: it says
 * nothing, as fast as the real one. */
#ifndef RANDOM_MODEL_H
#define RANDOM_MODEL_H

#include "error.h"
#include "model.h"
#include "shapes.h"

/* Make *m, whose matrices are packed as `kind`, with the head as `head`; the
 * rows of its embedding are all alike.  After an error *m holds nothing. */
int random_model_open(struct model *m, const struct model_shape *shape,
                      enum packed_kind kind, enum packed_kind head,
                      struct threads *t, struct error *e);

void random_model_close(struct model *m);

#endif
