/* The pre-tokenizer: a text is cut into words, which no token crosses.
 *
 * Steps that each cut the pieces of the step before further, or rewrite them:
 * a space put in front, spaces made visible as ▁, bytes spelled as the
 * characters of bytelevel.h. */
#ifndef PRETOKENIZE_H
#define PRETOKENIZE_H

#include "error.h"
#include "json.h"
#include "piece.h"
#include "split.h"

#include <stdbool.h>
#include <stddef.h>

struct cut_step;

struct pretokenizer {
    struct cut_step *steps; /* (n_steps,), owned */
    size_t n_steps, capacity;
    bool leaves_spelling; /* see pretokenizer_leave_spelling */
};

/* Read the file's "pre_tokenizer" into *p, which starts as {0}. */
int pretokenizer_read(const struct node *node, struct pretokenizer *p,
                      struct error *e);
void pretokenizer_free(struct pretokenizer *p);

/* If the last step spells bytes as characters, leave it to whoever gets the
 * words, which then are as they stand in the text. */
void pretokenizer_leave_spelling(struct pretokenizer *p);

/* Cut a piece into words, and give them to the sink, from left to right.  A
 * word's text lasts until the sink returns. */
int pretokenize(const struct pretokenizer *p, struct piece piece,
                piece_sink *sink, void *context, struct error *e);

#endif
