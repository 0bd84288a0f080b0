/* Input: what a command has to work with that runs a model on a text.  Opens
 * the model and its tokenizer, turns the text into tokens, and refuses, before
 * any work, what could not be run. */
#ifndef INPUT_H
#define INPUT_H

#include "buffer.h"
#include "error.h"
#include "guard.h"
#include "model.h"
#include "options.h"
#include "tokenizer.h"

#include <stddef.h>

/* Lives where input_open filled it in and must not be copied: its model
 * points into itself, and its guard is known by its address. */
struct input {
    struct model model;
    struct tokenizer *tokenizer; /* owned */
    struct ids non_tokens;       /* rows of logits that are none of its */
    struct ids ids;              /* of the text; a command that goes on with it
                                    adds the new ones behind */
    struct guard guard;          /* of the model's files */
    struct threads *threads;     /* that compute, since input_pack; owned */
};

/* Open the model at the path `model`, and read `text`; "-" is standard input.
 * Special tokens in the text count as such.  Fails when there is no token, or
 * when the model could not hold the text and `more` tokens after it.  After an
 * error *in holds nothing. */
int input_open(struct input *in, const char *model, const char *text,
               size_t more, struct error *e);

/* Read another text in place of the one before.  Fails as input_open does,
 * and leaves *in open. */
int input_next(struct input *in, const char *text, size_t more,
               struct error *e);
void input_close(struct input *in);

/* Let kernels compute with the model, unless the command line says --exact,
 * and with as many threads as it says. */
int input_pack(struct input *in, const struct settings *s, struct error *e);

/* The same for models (n,) that were opened otherwise: *t, which must outlive
 * them, are the threads, or NULL. */
int speed_up(const struct settings *s, struct model *const *models, size_t n,
             struct threads **t, struct error *e);

/* For one model, and threads that are there.  With --keep-packed its packed
 * copy is kept on disk; one that is there is used anyhow.  Says on standard
 * error what has become of it. */
int pack_model(struct model *m, const struct settings *s, struct threads *t,
               struct error *e);

/* Append the text that a command's argument stands for: "-" is what comes from
 * standard input. */
int input_text(const char *text, struct bytes *out, struct error *e);

#endif
