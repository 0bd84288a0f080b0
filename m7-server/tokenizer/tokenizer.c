/* The tokenizer: see tokenizer.h.  The steps, one after another; each has a
 * file of its own. */
#include "tokenizer.h"

#include "symbols.h"
#include "tokenizer_parts.h"
#include "unicode.h"
#include "word_cuts.h"

#include <limits.h>
#include <string.h>

enum long_words {
    LONG_WORD = 65536 /* bytes; a shorter one takes no time */
};

/* One text on its way. */
struct job {
    const struct tokenizer *tokenizer;
    const char *text;                /* all of it, */
    const struct plain_parts *plain; /* and what of it is plain */
    size_t most; /* tokens that there may be */
    bool over;   /* there are more */
    struct bpe bpe; /* the workbench for its words */
    struct word_cache cache;
    struct bytes buffers[2]; /* for the normalizer */
    struct ids ids;          /* of the text, before the post-processor */
};

/* There are more tokens than there may be: the text is let go. */
static int find_over(struct job *job)
{
    job->over = true;
    return -1;
}

/* How many bytes the longest token is written with. */
static size_t longest_token(const struct vocabulary *v)
{
    size_t longest = 1, size;
    for (size_t id = 0; id < v->size; id++)
        if (vocabulary_text(v, (int)id, &size) && size > longest)
            longest = size;
    return longest;
}

/* Merging a word of a million letters takes long, and none of its tokens is of
 * more symbols than the longest token has bytes: as many letters as are too
 * much in any case are looked at, of four bytes at most.  1, 0, -1. */
static int is_too_much(struct job *job, struct piece word, struct error *e)
{
    size_t left = job->most - job->ids.size;
    if (word.size <= left)
        return 0;
    size_t longest = longest_token(&job->tokenizer->vocabulary);
    size_t size = word.size;
    if (left < size / 4 / longest)
        size = 4 * longest * (left + 1);
    size -= utf8_unfinished(word.text, size);
    const char *text = word.text;
    if (word_spelled(&job->cache, &text, &size, e) ||
        symbols_start(&job->bpe, text, size, e))
        return -1;
    return job->bpe.n_symbols / longest > left;
}

/* Step 4: a word's tokens. */
static int encode_piece(void *context, struct piece word, struct error *e)
{
    struct job *job = context;
    if (job->ids.size > job->most)
        return find_over(job);
    int much = word.size > LONG_WORD ? is_too_much(job, word, e) : 0;
    if (much)
        return much < 0 ? -1 : find_over(job);
    return encode_long_word(&job->tokenizer->cuts, &job->cache, &job->bpe,
                            word.text, word.size, &job->ids, e);
}

/* Step 3: the words of a normalized text. */
static int encode_normalized(void *context, int id, struct piece text,
                             struct error *e)
{
    struct job *job = context;
    if (id >= 0) {
        ids_add(&job->ids, id);
        return 0;
    }
    return pretokenize(&job->tokenizer->pretokenizer, text, encode_piece, job,
                       e);
}

/* Where a part of the text stands in it, once it is normalized.  When that
 * has changed the part, nobody knows which of its bytes are plain: then all
 * are, if any was. */
static struct plain_view view_normalized(const struct job *job,
                                         struct piece before,
                                         struct piece after)
{
    static const struct text_range everything = {0, SIZE_MAX};
    static const struct plain_parts all = {&everything, 1};
    size_t at = before.size ? (size_t)(before.text - job->text) : 0;
    bool same = before.size == after.size &&
                (after.size == 0 ||
                 memcmp(before.text, after.text, after.size) == 0);
    bool hidden = !same && has_plain(job->plain, at, at + before.size);
    return (struct plain_view){hidden ? &all : job->plain, at};
}

/* Step 2: normalize what stands between added tokens, and look for those that
 * hide in the normalized text. */
static int encode_between(void *context, int id, struct piece text,
                          struct error *e)
{
    struct job *job = context;
    const struct tokenizer *t = job->tokenizer;
    struct piece normalized;
    if (job->ids.size > job->most)
        return find_over(job);
    if (id >= 0) {
        ids_add(&job->ids, id);
        return 0;
    }
    if (normalize(&t->normalizer, text, job->buffers, &normalized, e))
        return -1;
    struct plain_view view = view_normalized(job, text, normalized);
    return added_split_plain(&t->added, &t->added.normalized, normalized,
                             &view, encode_normalized, job, e);
}

/* Step 1: the added tokens of the text itself. */
static int encode_text(struct job *job, const char *text, size_t size,
                       struct error *e)
{
    const struct added *added = &job->tokenizer->added;
    struct piece whole = {text, size, 0};
    struct plain_view view = {job->plain, 0};
    if (size > 0)
        utf8_decode(text, &whole.first_size);
    return added_split_plain(added, &added->raw, whole, &view, encode_between,
                             job, e);
}

int tokenizer_encode_by(const struct tokenizer *t, const char *text,
                        size_t size, const struct encode_rules *rules,
                        struct ids *out, struct error *e)
{
    struct job job = {.tokenizer = t,
                      .text = text,
                      .plain = &rules->plain,
                      .most = rules->most ? rules->most : SIZE_MAX,
                      .bpe.model = &t->bpe,
                      .cache.spells = t->pretokenizer.leaves_spelling};
    int result = word_cache_open(&job.cache, size, e);
    if (result == 0)
        result = encode_text(&job, text, size, e);
    if (result == 0 && job.ids.size > job.most)
        result = find_over(&job);
    if (result == 0)
        postprocess(&t->postprocessor, job.ids.data, job.ids.size,
                    rules->special, out);
    if (result == 0 && (job.ids.failed || out->failed))
        result = fail_memory(e, "the ids");
    bpe_free(&job.bpe);
    word_cache_close(&job.cache);
    bytes_free(&job.buffers[0]);
    bytes_free(&job.buffers[1]);
    ids_free(&job.ids);
    return job.over ? 1 : result;
}

/* Encode valid UTF-8. */
static int encode_valid(const struct tokenizer *t, const char *text,
                        size_t size, bool special, struct ids *out,
                        struct error *e)
{
    const struct encode_rules rules = {.special = special};
    return tokenizer_encode_by(t, text, size, &rules, out, e);
}

int tokenizer_encode(const struct tokenizer *t, const char *text, size_t size,
                     bool special, struct ids *out, struct error *e)
{
    struct bytes repaired = {0};
    if (utf8_valid(text, size) == size)
        return encode_valid(t, text, size, special, out, e);
    utf8_repair(text, size, &repaired);
    int result =
        repaired.failed
            ? fail_memory(e, "the text")
            : encode_valid(t, repaired.data, repaired.size, special, out, e);
    bytes_free(&repaired);
    return result;
}

const char *token_text(const struct tokenizer *t, int id, size_t *size)
{
    const struct added_token *added = added_find(&t->added, id);
    if (!added)
        return vocabulary_text(&t->vocabulary, id, size);
    *size = added->size;
    return added->text;
}

int fail_id(const struct tokenizer *t, int id, struct error *e)
{
    return fail(e, ERROR_INPUT, "%d is no token's id (the largest is %zu)", id,
                t->vocabulary.size - 1);
}

size_t tokenizer_size(const struct tokenizer *t)
{
    return t->vocabulary.size;
}

int tokenizer_find(const struct tokenizer *t, const char *token)
{
    return vocabulary_find(&t->vocabulary, token, strlen(token));
}

const char *tokenizer_token(const struct tokenizer *t, int id)
{
    size_t size;
    return vocabulary_text(&t->vocabulary, id, &size);
}

int tokenizer_bytes(const struct tokenizer *t, int id, struct bytes *out,
                    struct error *e)
{
    size_t size;
    const char *text = token_text(t, id, &size);
    if (!text)
        return fail_id(t, id, e);
    return decoder_bytes(&t->decoder, text, size, out, e);
}

bool tokenizer_is_special(const struct tokenizer *t, int id)
{
    const struct added_token *added = added_find(&t->added, id);
    return added && added->special;
}
