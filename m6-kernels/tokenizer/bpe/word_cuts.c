/* Cutting long words: see word_cuts.h. */
#include "word_cuts.h"

#include "unicode.h"

static uint32_t last_character(const char *text, size_t size)
{
    size_t at = size - 1, length;
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    return utf8_decode(text + at, &length);
}

/* Remember the two characters that meet where a merge joins its halves. */
static int add_joint(struct word_cuts *c, uint64_t pair)
{
    const struct vocabulary *v = c->model->vocabulary;
    size_t size, length;
    const char *text = vocabulary_text(v, (int)(pair >> 32), &size);
    uint32_t left = last_character(text, size);
    text = vocabulary_text(v, (int)(uint32_t)pair, &size);
    uint32_t right = utf8_decode(text, &length);
    if (left >= 128 || right >= 128)
        return map_put(&c->others, (uint64_t)left << 32 | right, 1);
    c->ascii[left][right] = true;
    return 0;
}

int word_cuts_find(struct word_cuts *c, const struct bpe_model *model,
                   struct error *e)
{
    const struct map *ranks = &model->ranks;
    c->model = model;
    for (size_t i = 0; i < ranks->capacity; i++)
        if (ranks->slots[i].value != MAP_NONE &&
            add_joint(c, ranks->slots[i].key))
            return fail_memory(e, "the cuts of words");
    return 0;
}

void word_cuts_free(struct word_cuts *c)
{
    map_free(&c->others);
    *c = (struct word_cuts){0};
}

static bool is_joint(const struct word_cuts *c, uint32_t left, uint32_t right)
{
    if (left < 128 && right < 128)
        return c->ascii[left][right];
    return map_find(&c->others, (uint64_t)left << 32 | right) != MAP_NONE;
}

/* What becomes of a character without a token depends on its neighbours, so
 * beside such a one nothing is cut. */
static bool may_cut(const struct word_cuts *c, uint32_t left, uint32_t right)
{
    return !is_joint(c, left, right) &&
           bpe_character(c->model, left) != NO_TOKEN &&
           bpe_character(c->model, right) != NO_TOKEN;
}

int encode_long_word(const struct word_cuts *cuts, struct word_cache *c,
                     struct bpe *b, const char *word, size_t size,
                     struct ids *out, struct error *e)
{
    if (!cuts->model || size <= CACHED_SIZE)
        return encode_cached_word(c, b, word, size, out, e);

    size_t start = 0, length;
    uint32_t left = utf8_decode(word, &length);
    for (size_t i = length; i < size; i += length) {
        uint32_t right = utf8_decode(word + i, &length);
        if (may_cut(cuts, left, right)) {
            if (encode_cached_word(c, b, word + start, i - start, out, e))
                return -1;
            start = i;
        }
        left = right;
    }
    return encode_cached_word(c, b, word + start, size - start, out, e);
}
