/* A pair: two models that know the same tokens, so that a row of logits means
 * the same in both, and a text as tokens. */
#ifndef PAIR_H
#define PAIR_H

#include "subject.h"

/* Must not be copied, as its subjects must not. */
struct pair {
    struct subject a, b;
    struct ids ids; /* of the text, the same by both tokenizers */
};

/* Open the models at two paths, which may be the same, and read the text
 * (size,).  Fails, and names the first difference, when the two do not know
 * the same tokens by the same ids, or cut this text otherwise.  After an error
 * *p holds nothing. */
int pair_open(struct pair *p, const char *a, const char *b, const char *text,
              size_t size, struct error *e);
void pair_close(struct pair *p);

#endif
