/* Symbols: see symbols.h.  Knows nothing of merging. */
#include "symbols.h"

#include "bytelevel.h"
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

/* The same for a byte that its alphabet's character has no token for. */
static int add_unknown_byte(struct bpe *b, char byte, bool *waiting,
                            struct error *e)
{
    struct bytes spelled = {0};
    bytelevel_spell(&byte, 1, &spelled);
    int result = spelled.failed
                     ? fail_memory(e, "a word")
                     : add_unknown(b, spelled.data, spelled.size, waiting, e);
    bytes_free(&spelled);
    return result;
}

static void add_known(struct bpe *b, uint32_t id, bool *waiting)
{
    if (*waiting)
        bpe_add(b, b->model->unk);
    *waiting = false;
    bpe_add(b, id);
}

static int add_bytes(struct bpe *b, const char *word, size_t size,
                     bool *waiting, struct error *e)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t id = b->model->bytes[(unsigned char)word[i]];
        if (id != NO_TOKEN)
            add_known(b, id, waiting);
        else if (add_unknown_byte(b, word[i], waiting, e))
            return -1;
    }
    return 0;
}

static int add_characters(struct bpe *b, const char *word, size_t size,
                          bool *waiting, struct error *e)
{
    size_t length;
    for (size_t i = 0; i < size; i += length) {
        uint32_t id = bpe_character(b->model, utf8_decode(word + i, &length));
        if (id != NO_TOKEN)
            add_known(b, id, waiting);
        else if (add_unknown(b, word + i, length, waiting, e))
            return -1;
    }
    return 0;
}

/* Each byte makes two symbols at most: one that its alphabet spells with a
 * character of two bytes can fall back to both. */
int symbols_start(struct bpe *b, const char *word, size_t size,
                  struct error *e)
{
    bool waiting = false;
    if (bpe_start(b, 2 * size + 1, e))
        return -1;
    if (b->model->of_bytes ? add_bytes(b, word, size, &waiting, e)
                           : add_characters(b, word, size, &waiting, e))
        return -1;
    if (waiting)
        bpe_add(b, b->model->unk);
    return 0;
}
