/* The vocabulary: from a token's spelling to its id, and back. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "buffer.h"
#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest id that is accepted.  The largest vocabularies have a quarter
 * of a million tokens; a file that jumps to id 4,000,000,000 is broken, and
 * must not make us reserve room up to there. */
#define TOKEN_ID_MAX 0xFFFFFF

struct token {
    size_t at; /* its spelling in `spellings`; ended by a zero byte */
    uint32_t size;
    bool used;     /* false: no token has this id */
    bool in_model; /* false: only the list of added tokens has it */
};

struct vocabulary {
    struct token *tokens;   /* (size,), by id */
    size_t size, capacity;  /* one more than the largest id */
    size_t n_used;          /* how many ids are in use */
    struct bytes spellings; /* of all tokens, one after another */
    uint32_t *slots;        /* (n_slots,) hash table of ids */
    size_t n_slots;         /* a power of two, more than twice n_used */
};

/* Read the object "vocab" into *v, which starts as {0}. */
int vocabulary_read(const struct node *vocab, struct vocabulary *v,
                    struct error *e);
void vocabulary_free(struct vocabulary *v);

/* Add one token; neither its id nor its spelling may be in use. */
int vocabulary_add(struct vocabulary *v, const char *text, size_t size,
                   uint32_t id, bool in_model, struct error *e);

/* The id of a spelling, or -1. */
int vocabulary_find(const struct vocabulary *v, const char *text, size_t size);

/* The same, only among the model's own tokens. */
int vocabulary_find_model(const struct vocabulary *v, const char *text,
                          size_t size);

/* The spelling of an id and its size, or NULL when no token has the id. */
const char *vocabulary_text(const struct vocabulary *v, int id, size_t *size);

#endif
