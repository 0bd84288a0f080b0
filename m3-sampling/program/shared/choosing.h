/* What the command line says about choosing, as a struct sampling. */
#ifndef CHOOSING_H
#define CHOOSING_H

#include "error.h"
#include "options.h"
#include "reading.h"
#include "sample.h"

#include <stdbool.h>
#include <stdint.h>

/* `how` points to the settings. */
struct choosing {
    struct sampling how;
    struct ids ends; /* --stop-id */
    uint64_t seed;
};

/* Fails when a bias or a stop id is none of the model's tokens.  `chance`: a
 * temperature that is not said is 1; else it is 1 only when another option
 * says that something is left to chance, and otherwise 0.  A seed that is not
 * said is 32 bits of /dev/urandom; where that is missing, the time. */
int choosing_init(struct choosing *c, const struct settings *s,
                  const struct reading *r, bool chance, struct error *e);
void choosing_free(struct choosing *c);

#endif
