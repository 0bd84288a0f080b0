/* The tokenizer: see tokenizer.h.  The steps, one after another; each has a
 * file of its own. */
#include "tokenizer.h"

#include "tokenizer_parts.h"
#include "unicode.h"
#include "word_cuts.h"

#include <limits.h>
#include <string.h>

/* One text on its way. */
struct job {
    const struct tokenizer *tokenizer;
    struct bpe bpe; /* the workbench for its words */
    struct word_cache cache;
    struct bytes buffers[2]; /* for the normalizer */
    struct ids ids;          /* of the text, before the post-processor */
};

/* Step 4: a word's tokens. */
static int encode_piece(void *context, struct piece word, struct error *e)
{
    struct job *job = context;
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

/* Step 2: normalize what stands between added tokens, and look for those that
 * hide in the normalized text. */
static int encode_between(void *context, int id, struct piece text,
                          struct error *e)
{
    struct job *job = context;
    const struct tokenizer *t = job->tokenizer;
    if (id >= 0) {
        ids_add(&job->ids, id);
        return 0;
    }
    if (normalize(&t->normalizer, text, job->buffers, &text, e))
        return -1;
    return added_split(&t->added, &t->added.normalized, text,
                       encode_normalized, job, e);
}

/* Step 1: the added tokens of the text itself. */
static int encode_text(struct job *job, const char *text, size_t size,
                       struct error *e)
{
    const struct added *added = &job->tokenizer->added;
    struct piece whole = {text, size, 0};
    if (size > 0)
        utf8_decode(text, &whole.first_size);
    return added_split(added, &added->raw, whole, encode_between, job, e);
}

/* Encode valid UTF-8. */
static int encode_valid(const struct tokenizer *t, const char *text,
                        size_t size, bool special, struct ids *out,
                        struct error *e)
{
    struct job job = {.tokenizer = t,
                      .bpe.model = &t->bpe,
                      .cache.spells = t->pretokenizer.leaves_spelling};
    int result = word_cache_open(&job.cache, size, e);
    if (result == 0)
        result = encode_text(&job, text, size, e);
    if (result == 0)
        postprocess(&t->postprocessor, job.ids.data, job.ids.size, special,
                    out);
    if (result == 0 && (job.ids.failed || out->failed))
        result = fail_memory(e, "the ids");
    bpe_free(&job.bpe);
    word_cache_close(&job.cache);
    bytes_free(&job.buffers[0]);
    bytes_free(&job.buffers[1]);
    ids_free(&job.ids);
    return result;
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
