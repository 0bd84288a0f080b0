/* A model's values while they are translated; for gguf_config.c and
 * gguf_rope.c only. */
#ifndef GGUF_WORDS_H
#define GGUF_WORDS_H

#include "gguf_family.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

struct gguf_words {
    const struct gguf *files; /* (n_files,) */
    size_t n_files;
    const struct gguf_family *family;
    struct node root;   /* of the first file */
    struct node values; /* "ARCH" in it: its keys, without "ARCH." */
    json_t *config;     /* what was translated */
};

/* The tensor of that name in any of the files, or NULL. */
const struct gguf_tensor *words_tensor(const struct gguf_words *w,
                                       const char *name,
                                       const struct gguf **file);

#endif
