/* tokenizer.ggml.pre: a name for what stands before the merges in a
 * tokenizer.json. */
#ifndef GGUF_PRE_H
#define GGUF_PRE_H

#include <stdbool.h>
#include <stddef.h>

enum gguf_pre_limits {
    GGUF_PRE_SPLITS = 3
};

struct gguf_pre {
    const char *names;      /* of tokenizer.ggml.pre, with spaces between */
    const char *normalizer; /* "NFC", or NULL: none */
    bool digits;            /* each digit is a word */
    const char *splits[GGUF_PRE_SPLITS]; /* expressions that cut a text, one
                                            after another; none: GPT-2's */
    bool ignore_merges; /* a word that is a token is that token */
    bool adds_bos;      /* where the file does not say */
};

/* Row `i` of the table; NULL past the last. */
const struct gguf_pre *gguf_pre_row(size_t i);

/* The row that has this name, or NULL. */
const struct gguf_pre *gguf_pre_named(const char *name);

#endif
