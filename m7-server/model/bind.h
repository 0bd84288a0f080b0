/* Binding: each weight that a model describes gets its place in the files. */
#ifndef BIND_H
#define BIND_H

#include "error.h"
#include "family.h"
#include "model.h"

/* Point every weight of *m that has a shape to the tensor that has its name in
 * the family *f.  A tensor that is missing, is not of that shape, is of a type
 * that cannot be multiplied, or that nothing uses, is an error that names
 * it. */
int bind_weights(struct model *m, const struct family *f, struct error *e);

#endif
