/* A prompt's tokens in its text: see echo.h. */
#include "echo.h"

#include "sizes.h"

#include <stdint.h>
#include <string.h>

enum echo_sizes {
    SHORT_TOKEN_BYTES = 256 /* of nearly all tokens */
};

size_t characters_of(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static bool goes_on_with(const char *text, size_t left, const char *token,
                         size_t size)
{
    return size <= left && memcmp(text, token, size) == 0;
}

/* How many bytes of the text that is left a token takes.  Where it is written
 * in another way there, as a tokenizer may put it, as many as it has.
 * SIZE_MAX without memory. */
static size_t bytes_in_text(const struct rung_model *m, int id,
                            const char *text, size_t left)
{
    char token[SHORT_TOKEN_BYTES];
    size_t size = rung_token_bytes(m, id, token, sizeof token);
    if (size == SIZE_MAX)
        return size;
    size_t seen = smaller_size(size, sizeof token);
    if (goes_on_with(text, left, token, seen))
        return smaller_size(size, left);
    if (seen > 0 && token[0] == ' ' &&
        goes_on_with(text, left, token + 1, seen - 1))
        return smaller_size(size - 1, left);
    return rung_is_special(m, id) ? 0 : smaller_size(size, left);
}

size_t echo_pass(struct echo *e, const struct rung_model *m, int id,
                 const char *text, size_t size)
{
    size_t before = e->characters;
    if (e->at < size) {
        size_t n = bytes_in_text(m, id, text + e->at, size - e->at);
        if (n == SIZE_MAX) {
            e->failed = true;
            return before;
        }
        e->characters += characters_of(text + e->at, n);
        e->at += n;
    }
    return before;
}
