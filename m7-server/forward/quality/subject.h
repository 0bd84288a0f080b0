/* A subject: a model and its tokenizer, opened to be asked about texts. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "buffer.h"
#include "error.h"
#include "guard.h"
#include "model.h"
#include "tokenizer.h"

#include <stddef.h>

/* Lives where subject_open filled it in and must not be copied: its model
 * points into itself, and its guard is known by its address. */
struct subject {
    struct model model;
    struct tokenizer *tokenizer; /* owned */
    struct guard guard;          /* of the model's files */
};

/* Open the model at `path`, a folder or a file.  After an error *s holds
 * nothing. */
int subject_open(struct subject *s, const char *path, struct error *e);
void subject_close(struct subject *s);

/* Append the tokens of text (size,), with those that the tokenizer adds; text
 * may be NULL when size is 0.  Fails when one is none of the model's. */
int subject_encode(const struct subject *s, const char *text, size_t size,
                   struct ids *out, struct error *e);

/* How many bytes of text the ids (n,) stand for, each alone, into *bytes. */
int subject_bytes(const struct subject *s, const int *ids, size_t n,
                  size_t *bytes, struct error *e);

#endif
