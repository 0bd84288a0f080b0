/* From a word to its tokens: see encode_words.h. */
#include "encode_words.h"

#include "bytelevel.h"
#include "symbols.h"

/* The token that the word as a whole is, or -1. */
static int whole_token(const struct bpe_model *m, const char *word,
                       size_t size, int *token, struct error *e)
{
    struct bytes spelled = {0};
    if (m->of_bytes)
        bytelevel_spell(word, size, &spelled);
    else
        bytes_add(&spelled, word, size);
    int result = spelled.failed ? fail_memory(e, "a word") : 0;
    if (result == 0)
        *token =
            vocabulary_find_model(m->vocabulary, spelled.data, spelled.size);
    bytes_free(&spelled);
    return result;
}

int encode_word(struct bpe *b, const char *word, size_t size, struct ids *out,
                struct error *e)
{
    int whole = -1;
    if (b->model->ignore_merges &&
        whole_token(b->model, word, size, &whole, e))
        return -1;
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
