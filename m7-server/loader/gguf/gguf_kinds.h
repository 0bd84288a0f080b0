/* The types of numbers that tensors of GGUF files have. */
#ifndef GGUF_KINDS_H
#define GGUF_KINDS_H

#include "gguf.h"

/* The type that the files number so, or NULL when there is no such type. */
const struct gguf_kind *gguf_kind(uint32_t number);

#endif
