/* Pooling: how a model's files say that a text becomes one vector.
 *
 * sentence-transformers writes modules.json, a list of steps, and for its step
 * Pooling a folder with a config.json of its own.  Where neither is there, a
 * model whose tokenizer ends a text with an end token is read as Qwen's
 * embedding models are: by its last token. */
#ifndef POOLING_H
#define POOLING_H

#include "error.h"
#include "rung.h"

#include <stdbool.h>

struct pooling {
    enum rung_pooling how;
    bool said;            /* by the files */
    struct error refused; /* why no vector can be made as they say; code
                             ERROR_NONE: it can */
};

/* Read what the folder of a model says.  What is malformed or unknown there
 * ends up in p->refused: the model may still write. */
void pooling_read(struct pooling *p, const char *model);

#endif
