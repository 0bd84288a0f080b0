/* Reading: what every command does that runs a model on a text.  Opens the
 * model and its tokenizer, turns the text into tokens, and refuses, before any
 * work, what could not be run. */
#ifndef READING_H
#define READING_H

#include "buffer.h"
#include "error.h"
#include "guard.h"
#include "model.h"
#include "tokenizer.h"

#include <stddef.h>

/* Lives where reading_open filled it in and must not be copied: its model
 * points into itself, and its guard is known by its address. */
struct reading {
    struct model model;
    struct tokenizer *tokenizer; /* owned */
    struct ids ids;              /* of the text */
    struct guard guard;          /* of the model's files */
};

/* Open the model at the path `model`, and read `text`; "-" is standard input.
 * Special tokens in the text count as such.  Fails when there is no token, or
 * when the model could not hold the text and `more` tokens after it.  After an
 * error *r holds nothing. */
int reading_open(struct reading *r, const char *model, const char *text,
                 size_t more, struct error *e);

/* Read another text in place of the one before.  Fails as reading_open does,
 * and leaves *r open. */
int reading_next(struct reading *r, const char *text, size_t more,
                 struct error *e);
void reading_close(struct reading *r);

#endif
