/* From words to tokens: see encode_words.h. */
#include "encode_words.h"

#include "bytelevel.h"
#include "symbols.h"

int word_encoder_new(struct word_encoder *w, const struct bpe_model *model,
                     size_t size, struct ids *out, struct error *e)
{
    *w = (struct word_encoder){.model = model, .out = out};
    w->bpe.model = model;
    return word_cache_new(&w->cache, size) ? fail_memory(e, "words") : 0;
}

void word_encoder_free(struct word_encoder *w)
{
    word_cache_free(&w->cache);
    bpe_free(&w->bpe);
}

/* The token that the word as a whole is, or -1. */
static int whole_token(const struct word_encoder *w, const char *word,
                       size_t size, int *token, struct error *e)
{
    struct bytes spelled = {0};
    if (w->model->of_bytes)
        bytelevel_spell(word, size, &spelled);
    else
        bytes_add(&spelled, word, size);
    int result = spelled.failed ? fail_memory(e, "a word") : 0;
    if (result == 0)
        *token = vocabulary_find_model(w->model->vocabulary, spelled.data,
                                       spelled.size);
    bytes_free(&spelled);
    return result;
}

/* The long way: symbols, merged. */
static int encode_anew(struct word_encoder *w, const char *word, size_t size,
                       struct error *e)
{
    int whole = -1;
    if (w->model->ignore_merges && whole_token(w, word, size, &whole, e))
        return -1;
    if (whole >= 0) {
        ids_add(w->out, whole);
        return 0;
    }
    if (symbols_start(&w->bpe, word, size, e) || bpe_merge(&w->bpe, e))
        return -1;
    for (size_t i = 0; i < w->bpe.n_symbols; i++)
        ids_add(w->out, (int)w->bpe.symbols[i]);
    return 0;
}

int encode_word(struct word_encoder *w, const char *word, size_t size,
                struct error *e)
{
    size_t before = w->out->size;
    if (size > CACHED_SIZE_MAX)
        return encode_anew(w, word, size, e);
    struct cached_word *slot = word_cache_slot(&w->cache, word, size);
    if (cached_word_is(slot, word, size)) {
        for (int i = 0; i < slot->n_tokens; i++)
            ids_add(w->out, slot->tokens[i]);
        return 0;
    }
    if (encode_anew(w, word, size, e))
        return -1;
    if (!w->out->failed && w->out->size > before)
        cached_word_keep(slot, word, size, w->out->data + before,
                         w->out->size - before);
    return 0;
}
