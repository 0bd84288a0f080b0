/* The options of sampling: what the command line says about how to choose, as
 * the settings of a sampler. */
#ifndef SAMPLING_OPTIONS_H
#define SAMPLING_OPTIONS_H

#include "error.h"
#include "input.h"
#include "options.h"
#include "sample.h"

#include <stdbool.h>
#include <stdint.h>

/* `sampling` points into the struct settings that it was made of. */
struct sampling_options {
    struct sampling sampling;
    struct ids ends; /* --stop-id */
    uint64_t seed;
};

/* Fails when a bias or a stop id is none of the model's tokens.  `chance`: a
 * temperature that is not said is 1; else it is 1 only when another option
 * says that something is left to chance, and otherwise 0. */
int sampling_options_init(struct sampling_options *o, const struct settings *s,
                          const struct input *in, bool chance,
                          struct error *e);
void sampling_options_free(struct sampling_options *o);

/* --seed; one that is not said is 32 bits of /dev/urandom, and where that is
 * missing, the time. */
uint64_t sampling_seed(const struct settings *s);

#endif
