/* How a command computes: by kernels and threads, or, with --exact, one
 * operation after another. */
#ifndef SPEED_H
#define SPEED_H

#include "error.h"
#include "model.h"
#include "options.h"
#include "threads.h"

#include <stddef.h>

/* Pack the models (n,), unless the command line says --exact, for as many
 * threads as it says: *t, which must outlive them, or NULL. */
int speed_up(const struct settings *s, struct model *const *models, size_t n,
             struct threads **t, struct error *e);

#endif
