/* What a GGUF file says about rotary positions, as config.json would. */
#ifndef GGUF_ROPE_H
#define GGUF_ROPE_H

#include "gguf_words.h"

/* Put theta, the part of a head that turns, and the scaling. */
int gguf_put_rope(struct gguf_words *w, struct error *e);

#endif
