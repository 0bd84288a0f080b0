/* The bytes of all tokens: see token_filter.h. */
#include "token_filter.h"

#include "sizes.h"

#include <stdint.h>
#include <stdlib.h>

static int add_token(struct token_texts *t, int id,
                     token_bytes_function *bytes, void *context)
{
    char text[256];
    size_t size = bytes(context, id, text, sizeof text, &t->special[id]);
    if (size <= sizeof text) {
        bytes_add(&t->bytes, text, size);
        return t->bytes.failed;
    }
    char *longer = size < SIZE_MAX ? malloc(size) : NULL;
    if (!longer)
        return -1;
    bool same = bytes(context, id, longer, size, &t->special[id]) == size;
    bytes_add(&t->bytes, longer, size);
    free(longer);
    return !same || t->bytes.failed;
}

int token_texts_init(struct token_texts *t, size_t n,
                     token_bytes_function *bytes, void *context,
                     struct error *e)
{
    *t = (struct token_texts){.from = calloc(n + 1, sizeof *t->from),
                              .special = calloc(n + 1, sizeof *t->special)};
    int failed = !t->from || !t->special;
    for (; !failed && t->n < n; t->n++) {
        failed = add_token(t, (int)t->n, bytes, context);
        t->from[t->n + 1] = t->bytes.size;
    }
    if (!failed)
        return 0;
    token_texts_free(t);
    return fail_memory(e, "the texts of tokens");
}

void token_texts_free(struct token_texts *t)
{
    bytes_free(&t->bytes);
    free(t->from);
    free(t->special);
    *t = (struct token_texts){0};
}

const char *token_text_of(const struct token_texts *t, int id, size_t *size)
{
    *size = 0;
    if (id < 0 || (size_t)id >= t->n)
        return "";
    *size = t->from[id + 1] - t->from[id];
    return *size ? t->bytes.data + t->from[id] : "";
}
