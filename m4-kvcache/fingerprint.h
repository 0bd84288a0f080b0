/* Fingerprints: which model a file belongs to. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "error.h"
#include "model.h"

#include <stdint.h>

/* A number that differs, as good as certainly, when two models compute
 * differently: a hash (XXH3) of config.json, of every tensor's name, type and
 * shape, and of up to twelve kilobytes of each one's numbers: from its
 * beginning, its middle and its end.  All of them would mean to read the whole
 * file; training changes every part of a tensor that it touches. */
int model_fingerprint(const struct model *m, uint64_t *out, struct error *e);

#endif
