/* Fingerprints: which model a file belongs to. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "error.h"
#include "model.h"

#include <stdint.h>

/* A number that differs, as good as certainly, when two models compute
 * differently: a hash (XXH3) of config.json, and of every tensor's name, type,
 * shape and numbers.  All of these are looked at, since two models may differ
 * in the row of a single token.  That takes as long as to read the weights
 * once from memory, and each token that is decoded reads them, too. */
int model_fingerprint(const struct model *m, uint64_t *out, struct error *e);

#endif
