/* The decoder: tokens become text again.
 *
 * A chain of steps, and the tokens flow through it one by one: what a step
 * cannot be sure of yet it holds back, so that the same code decodes a whole
 * text and a stream.  A step may glue all tokens into one that only the end
 * of the text ends; so what flows are fragments of tokens. */
#ifndef DECODER_H
#define DECODER_H

#include "buffer.h"
#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

struct decoder_step;

struct decoder {
    struct decoder_step *steps; /* (n_steps,), owned */
    size_t n_steps, capacity;
};

/* Read the file's "decoder" into *d, which starts as {0}. */
int decoder_read(const struct node *node, struct decoder *d, struct error *e);
void decoder_free(struct decoder *d);

/* One text's way through a decoder. */
struct decoder_run;

/* NULL when there is no memory.  The decoder must outlive it. */
struct decoder_run *decoder_run_new(const struct decoder *d);
void decoder_run_free(struct decoder_run *run);

/* Feed one token's spelling; end the text.  What is certain by now is
 * appended to `out`. */
int decoder_run_put(struct decoder_run *run, const char *token, size_t size,
                    struct bytes *out, struct error *e);
int decoder_run_end(struct decoder_run *run, struct bytes *out,
                    struct error *e);

/* Append the bytes that a token stands for inside a text, as far as it alone
 * tells. */
int decoder_bytes(const struct decoder *d, const char *token, size_t size,
                  struct bytes *out, struct error *e);

#endif
