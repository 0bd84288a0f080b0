/* What a GGUF file says of its model, as the config.json that the model's
 * folder would have had. */
#ifndef GGUF_CONFIG_H
#define GGUF_CONFIG_H

#include "gguf.h"

/* config.json's value, from a model's files (n,), of which the first says what
 * it is.  A key of the model that is not known here is an error that names it:
 * it may change what is computed.  NULL after an error; else the caller frees
 * it. */
json_t *gguf_config(const struct gguf *files, size_t n, struct error *e);

#endif
