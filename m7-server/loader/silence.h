/* What the silence of a config.json means.
 *
 * A key that is absent says nothing about a model, and mostly the model is
 * refused.  But some families were published with config.json files that lack
 * keys on purpose: the class that read them first has the same values as
 * defaults, and whoever reads such a file must know them. */
#ifndef SILENCE_H
#define SILENCE_H

#include "error.h"

#include <jansson.h>
#include <stdbool.h>

/* Put into `text`, the part of a config.json that is about texts, the keys
 * that neither it nor the whole, `root`, has and that its model_type, or that
 * of the whole, has a value for: from then on it is as if they stood there.  A
 * few keys are for the whole to say, whatever `text` says: they are put into
 * `root`.
 * Returns the list of these keys, empty for most models; the caller frees it
 * with json_decref.  NULL: memory failed. */
json_t *silence_fill(json_t *root, json_t *text, const char *model_type,
                     struct error *e);

/* Whether a key is true in a model of this type that does not say. */
bool silence_is_on(const char *model_type, const char *key);

#endif
