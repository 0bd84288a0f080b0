/* What a tokenizer is made of.  For tokenizer*.c, stream.c and their
 * tests only. */
#ifndef TOKENIZER_PARTS_H
#define TOKENIZER_PARTS_H

#include "added.h"
#include "bpe_model.h"
#include "decoder.h"
#include "normalize.h"
#include "postprocess.h"
#include "pretokenize.h"
#include "tokenizer.h"
#include "vocabulary.h"
#include "word_cuts.h"

struct tokenizer {
    char *path; /* of its file; NULL: it is part of another one; owned */
    struct vocabulary vocabulary;
    struct added added;
    struct normalizer normalizer;
    struct pretokenizer pretokenizer;
    struct bpe_model bpe;
    struct word_cuts cuts; /* none where words are spelled */
    struct postprocessor postprocessor;
    struct decoder decoder;
};

/* tokenizer_load from JSON that is already in memory, and need not outlive
 * this call. */
struct tokenizer *tokenizer_read(const struct node *root, struct error *e);

/* The text of a token as the decoder gets it, or NULL when the id is no
 * token. */
const char *token_text(const struct tokenizer *t, int id, size_t *size);

/* The error of an id that is no token. */
int fail_id(const struct tokenizer *t, int id, struct error *e);

#endif
