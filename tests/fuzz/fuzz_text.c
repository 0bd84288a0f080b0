/* Any bytes as text, for tokenizers as GPT-2, Qwen2, Llama 3 and o200k have
 * them: back comes what went in, repaired and in its normal form, and a
 * stream never shows half a character. */
#include "tokenizer.h"
#include "unicode.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    KEEPS,     /* the text comes back as it was */
    NORMALIZES /* its NFC does */
};

struct subject {
    const char *path;
    enum kind kind;
    struct tokenizer *tokenizer;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Loaded at the first call and kept: the fuzzer runs in one process. */
static struct subject *subjects(size_t *n)
{
    static struct subject all[] = {
        {"../tokenizers/like-gpt2.json", KEEPS, NULL},
        {"../tokenizers/like-llama3.json", KEEPS, NULL},
        {"../tokenizers/like-o200k.json", KEEPS, NULL},
        {"../tokenizers/like-qwen2.json", NORMALIZES, NULL}};
    *n = sizeof all / sizeof all[0];
    struct error e;
    for (size_t i = 0; i < *n; i++)
        if (!all[i].tokenizer &&
            !(all[i].tokenizer = tokenizer_load(all[i].path, &e))) {
            fprintf(stderr, "%s\n", e.message);
            abort();
        }
    return all;
}

static void demand(const struct bytes *found, const struct bytes *expected)
{
    if (found->failed || expected->failed || found->size != expected->size ||
        (found->size && memcmp(found->data, expected->data, found->size)))
        abort();
}

static void stream_ids(const struct tokenizer *t, const struct ids *ids,
                       struct bytes *out)
{
    struct error e;
    struct stream *s = stream_new(t, true, &e);
    for (size_t i = 0; i < ids->size; i++) {
        size_t before = out->size;
        if (!s || stream_put(s, ids->data[i], out, &e))
            abort();
        size_t added = out->size - before;
        if (added && utf8_valid(out->data + before, added) != added)
            abort();
    }
    if (!s || stream_end(s, out, &e))
        abort();
    stream_free(s);
}

static void there_and_back(const struct subject *s, const uint8_t *data,
                           size_t size)
{
    struct error e;
    struct ids ids = {0};
    struct bytes repaired = {0}, normal = {0}, whole = {0}, streamed = {0};
    utf8_repair((const char *)data, size, &repaired);
    unicode_normalize(FORM_NFC, repaired.data ? repaired.data : "",
                      repaired.size, &normal);
    if (tokenizer_encode(s->tokenizer, (const char *)data, size, false, &ids,
                         &e) ||
        tokenizer_decode(s->tokenizer, ids.data, ids.size, true, &whole, &e))
        abort();
    demand(&whole, s->kind == KEEPS ? &repaired : &normal);
    stream_ids(s->tokenizer, &ids, &streamed);
    demand(&streamed, &whole);
    bytes_free(&repaired);
    bytes_free(&normal);
    bytes_free(&whole);
    bytes_free(&streamed);
    ids_free(&ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n = 0;
    const struct subject *all = subjects(&n);
    for (size_t i = 0; i < n; i++)
        there_and_back(&all[i], size ? data : (const uint8_t *)"", size);
    return 0;
}
