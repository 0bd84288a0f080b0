/* From words to tokens: the cache, byte-pair encoding, and what may come
 * before it. */
#ifndef ENCODE_WORDS_H
#define ENCODE_WORDS_H

#include "bpe.h"
#include "bpe_model.h"
#include "buffer.h"
#include "error.h"
#include "word_cache.h"

#include <stddef.h>

/* One thread's, for one text. */
struct word_encoder {
    const struct bpe_model *model; /* not owned */
    struct ids *out;               /* not owned: where the tokens go */
    struct word_cache cache;
    struct bpe bpe;
};

/* `size`: of the whole text that the words will come from. */
int word_encoder_new(struct word_encoder *w, const struct bpe_model *model,
                     size_t size, struct ids *out, struct error *e);
void word_encoder_free(struct word_encoder *w);

/* Append the tokens of one word. */
int encode_word(struct word_encoder *w, const char *word, size_t size,
                struct error *e);

#endif
