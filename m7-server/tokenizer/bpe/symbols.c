/* Symbols: see symbols.h.  Knows nothing of merging. */
#include "symbols.h"

#include "unicode.h"

/* A character without a token of its own becomes the tokens of its bytes. */
static bool add_fallback(struct bpe *b, const char *text, size_t size)
{
    const uint32_t *tokens = b->model->fallback;
    for (size_t i = 0; i < size; i++)
        if (tokens[(unsigned char)text[i]] == NO_TOKEN)
            return false;
    for (size_t i = 0; i < size; i++)
        bpe_add(b, tokens[(unsigned char)text[i]]);
    return true;
}

/* Or else the unknown token.  It waits in *waiting until a known character
 * follows, so that its neighbours can join it. */
static int add_unknown(struct bpe *b, const char *text, size_t size,
                       bool *waiting, struct error *e)
{
    const struct bpe_model *model = b->model;
    if ((model->byte_fallback && add_fallback(b, text, size)) ||
        !model->has_unk)
        return 0;
    if (model->unk == NO_TOKEN)
        return fail(e, ERROR_INPUT,
                    "\"%.*s\" is not in the vocabulary, and neither is "
                    "model.unk_token",
                    (int)size, text);
    if (*waiting && !model->fuse_unk)
        bpe_add(b, model->unk);
    *waiting = true;
    return 0;
}

static void add_known(struct bpe *b, uint32_t id, bool *waiting)
{
    if (*waiting)
        bpe_add(b, b->model->unk);
    *waiting = false;
    bpe_add(b, id);
}

/* A character makes at most as many symbols as it has bytes. */
int symbols_start(struct bpe *b, const char *word, size_t size,
                  struct error *e)
{
    size_t length;
    bool waiting = false;
    if (bpe_start(b, size, e))
        return -1;
    for (size_t i = 0; i < size; i += length) {
        uint32_t id = bpe_character(b->model, utf8_decode(word + i, &length));
        if (id != NO_TOKEN)
            add_known(b, id, &waiting);
        else if (add_unknown(b, word + i, length, &waiting, e))
            return -1;
    }
    if (waiting)
        bpe_add(b, b->model->unk);
    return 0;
}
