/* What a request for text says becomes what the engine is asked. */
#ifndef ASKING_H
#define ASKING_H

#include "answering.h"
#include "generation_request.h"
#include "text_request.h"

/* The ids of a prompt. */
struct prompt_ids {
    const int *ids; /* (n,) */
    size_t n;
    int *owned; /* the same, or NULL */
};

/* Cut a text into tokens; the field `param` held it.  encoding as in rung.h.
 */
int prompt_encode(struct prompt_ids *prompt, const struct served *m,
                  const char *text, size_t size,
                  const struct rung_encoding *encoding, const char *param,
                  struct api_error *e);

/* The same of what a client sent, a text or ids, which stay its own. */
int prompt_read(struct prompt_ids *prompt, const struct served *m,
                const struct text_input *in, const char *param,
                struct api_error *e);
void prompt_free(struct prompt_ids *prompt);

/* What a generation is asked with its model: its biases are of the model's
 * tokens, and it has a seed, of chance when none was said. */
int ask_model(struct answering *a, struct generation_request *g,
              struct served *model, struct bytes *unknown,
              struct api_error *e);

/* Ask for a text after a prompt; both are kept until the part has ended.
 * `choice` counts those after one prompt: each has random numbers of its own.
 * param: the field that held the prompt. */
int ask_text(struct answering_part *part, const struct generation_request *g,
             const struct prompt_ids *prompt, size_t choice, const char *param,
             struct api_error *e);

/* The words of the engine for a client; `param` names what held the prompt,
 * `wanted` is max_tokens, or 0 when nobody said it. */
int fail_rung(struct api_error *a, const char *param, size_t wanted,
              const struct rung_error *why);

#endif
