/* For the tests of turns: tiny-chat's tokens, and logits that are none. */
#ifndef TEST_TOKENS_H
#define TEST_TOKENS_H

#include "test_numbers.h"
#include "test_run.h"
#include "token_filter.h"
#include "tokenizer.h"

#undef fail /* cmocka's; here it is ours */

/* A model's tokens, and an answer that grows. */
struct tokens {
    struct tokenizer *tokenizer;
    struct token_texts texts;
    int end; /* <|im_end|> */
    struct ids said;
    float *logits; /* (texts.n,) */
};

/* A token_bytes_function. */
static inline size_t bytes_of_token(void *context, int id, char *out,
                                    size_t room, bool *special)
{
    struct tokenizer *t = context;
    struct bytes bytes = {0};
    struct error e;
    if (tokenizer_bytes(t, id, &bytes, &e))
        bytes.size = 0;
    size_t size = bytes.size;
    if (size > 0)
        memcpy(out, bytes.data, size < room ? size : room);
    *special = tokenizer_is_special(t, id);
    bytes_free(&bytes);
    return size;
}

static inline void tokens_open(struct tokens *t)
{
    struct error e = {ERROR_NONE, ""};
    char *path = test_path("models/tiny-chat");
    *t = (struct tokens){.tokenizer = tokenizer_load(path, &e)};
    assert_ok(t->tokenizer ? 0 : -1, &e);
    free(path);
    t->end = tokenizer_find(t->tokenizer, "<|im_end|>");
    assert_ok(token_texts_init(&t->texts, tokenizer_size(t->tokenizer),
                               bytes_of_token, t->tokenizer, &e),
              &e);
    t->texts.ends = &t->end;
    t->texts.n_ends = 1;
    t->logits = calloc(t->texts.n, sizeof *t->logits);
    assert_non_null(t->logits);
}

static inline void tokens_close(struct tokens *t)
{
    token_texts_free(&t->texts);
    tokenizer_free(t->tokenizer);
    ids_free(&t->said);
    free(t->logits);
}

/* Say a text, in the tokens that the tokenizer makes of it. */
static inline void tokens_say(struct tokens *t, const char *text)
{
    struct error e;
    assert_ok(tokenizer_encode(t->tokenizer, text, strlen(text), false,
                               &t->said, &e),
              &e);
}

/* Ask the filter; how many tokens may come. */
static inline size_t tokens_allowed(struct tokens *t, struct token_filter *f)
{
    size_t n = 0;
    for (size_t i = 0; i < t->texts.n; i++)
        t->logits[i] = 0;
    token_filter_apply(f, t->said.data, t->said.size, t->logits, t->texts.n);
    for (size_t i = 0; i < t->texts.n; i++)
        n += t->logits[i] == 0;
    return n;
}

static inline bool may_come(const struct tokens *t, const char *token)
{
    int id = tokenizer_find(t->tokenizer, token);
    assert_true(id >= 0);
    return t->logits[id] == 0;
}

/* Let always the first, or the last, of the tokens that may come be next,
 * until all may.  The text so far goes to `out`, ended by a zero. */
static inline void tokens_drift(struct tokens *t, struct token_filter *f,
                                bool last, struct bytes *out)
{
    out->size = 0;
    for (int step = 0; step < 200; step++) {
        size_t n = tokens_allowed(t, f), next = t->texts.n, size;
        assert_true(n > 0);
        if (n == t->texts.n)
            break;
        for (size_t i = 0; i < t->texts.n; i++)
            if (t->logits[i] == 0 && (next == t->texts.n || last))
                next = i;
        ids_add(&t->said, (int)next);
        const char *text = token_text_of(&t->texts, (int)next, &size);
        bytes_add(out, text, size);
    }
    bytes_add(out, "", 1);
}

#endif
