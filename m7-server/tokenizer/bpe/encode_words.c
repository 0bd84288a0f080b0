/* From a word to its tokens: see encode_words.h. */
#include "encode_words.h"

#include "symbols.h"

int encode_word(struct bpe *b, const char *word, size_t size, struct ids *out,
                struct error *e)
{
    const struct bpe_model *m = b->model;
    int whole = m->ignore_merges
                    ? vocabulary_find_model(m->vocabulary, word, size)
                    : -1;
    if (whole >= 0) {
        ids_add(out, whole);
        return 0;
    }
    if (symbols_start(b, word, size, e) || bpe_merge(b, e))
        return -1;
    for (size_t i = 0; i < b->n_symbols; i++)
        ids_add(out, (int)b->symbols[i]);
    return 0;
}
