/* Where a model's chat templates stand, and the tokens that they are given. */
#ifndef CHAT_SOURCES_H
#define CHAT_SOURCES_H

#include "error.h"

#include <jansson.h>

struct chat_sources {
    json_t *templates; /* an object: name to text; empty: there is none */
    json_t *tokens;    /* an object: "bos_token" and so on to text */
};

/* Read them from a model's folder, a file in it, or a GGUF model:
 * chat_template.jinja and additional_chat_templates/NAME.jinja go before
 * chat_template.json, and that before what tokenizer_config.json says.  The
 * one that has no name is called "default".  After an error *s holds
 * nothing. */
int chat_sources_read(struct chat_sources *s, const char *model,
                      struct error *e);
void chat_sources_free(struct chat_sources *s);

#endif
