/* Reading on in a GGUF file: see gguf_cursor.h. */
#include "gguf_cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cursor_fail(const struct gguf_cursor *c, size_t at, enum error_code code,
                struct error *e, const char *format, ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!c->what)
        return fail(e, code, "%s: %s at byte %zu", c->file->path, words, at);
    return fail(e, code, "%s: %s %.*s: %s at byte %zu", c->file->path, c->what,
                (int)c->name_size, c->name, words, at);
}

int cursor_take(struct gguf_cursor *c, uint64_t size,
                const unsigned char **bytes, struct error *e)
{
    size_t left = c->file->size - c->at;
    if (size > left)
        return cursor_fail(c, c->at, ERROR_INPUT, e,
                           "%ju bytes are needed, but the file has %zu more",
                           (uintmax_t)size, left);
    *bytes = c->file->data + c->at;
    c->at += (size_t)size;
    return 0;
}

static uint64_t little_endian(const unsigned char *bytes, size_t n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

int cursor_u32(struct gguf_cursor *c, uint32_t *value, struct error *e)
{
    const unsigned char *bytes = NULL;
    if (cursor_take(c, 4, &bytes, e))
        return -1;
    *value = (uint32_t)little_endian(bytes, 4);
    return 0;
}

int cursor_u64(struct gguf_cursor *c, uint64_t *value, struct error *e)
{
    const unsigned char *bytes = NULL;
    if (cursor_take(c, 8, &bytes, e))
        return -1;
    *value = little_endian(bytes, 8);
    return 0;
}

int cursor_text(struct gguf_cursor *c, const char **text, size_t *size,
                struct error *e)
{
    uint64_t length;
    const unsigned char *bytes = NULL;
    if (cursor_u64(c, &length, e) || cursor_take(c, length, &bytes, e))
        return -1;
    *text = (const char *)bytes;
    *size = (size_t)length;
    return 0;
}

int cursor_type(struct gguf_cursor *c, enum gguf_type *type, struct error *e)
{
    uint32_t value;
    if (cursor_u32(c, &value, e))
        return -1;
    if (value >= N_GGUF_TYPES)
        return cursor_fail(c, c->at - 4, ERROR_INPUT, e,
                           "there is no type %u of values,", value);
    *type = (enum gguf_type)value;
    return 0;
}

int cursor_array(struct gguf_cursor *c, enum gguf_type *type, size_t *n,
                 struct error *e)
{
    uint64_t count;
    if (cursor_type(c, type, e) || cursor_u64(c, &count, e))
        return -1;
    size_t left = c->file->size - c->at;
    if (count > left)
        return cursor_fail(c, c->at - 8, ERROR_INPUT, e,
                           "an array of %ju values, but the file has %zu more "
                           "bytes,",
                           (uintmax_t)count, left);
    *n = (size_t)count;
    return 0;
}

size_t gguf_width(enum gguf_type type)
{
    static const size_t widths[N_GGUF_TYPES] = {
        [GGUF_U8] = 1,  [GGUF_I8] = 1,  [GGUF_U16] = 2, [GGUF_I16] = 2,
        [GGUF_U32] = 4, [GGUF_I32] = 4, [GGUF_F32] = 4, [GGUF_BOOL] = 1,
        [GGUF_U64] = 8, [GGUF_I64] = 8, [GGUF_F64] = 8};
    return widths[type];
}

static int skip_bools(struct gguf_cursor *c, size_t n, struct error *e)
{
    const unsigned char *bytes = NULL;
    if (cursor_take(c, n, &bytes, e))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] > 1)
            return cursor_fail(c, c->at - n + i, ERROR_INPUT, e,
                               "%u is neither true nor false,", bytes[i]);
    return 0;
}

/* Values (n,) of one type. */
static int skip_values(struct gguf_cursor *c, enum gguf_type type, size_t n,
                       int depth, struct error *e)
{
    const unsigned char *bytes = NULL;
    size_t width = gguf_width(type);
    if (type == GGUF_BOOL)
        return skip_bools(c, n, e);
    if (width > 0) /* n is at most the file's size */
        return cursor_take(c, (uint64_t)n * width, &bytes, e);
    for (size_t i = 0; i < n; i++)
        if (cursor_skip(c, type, depth, e))
            return -1;
    return 0;
}

int cursor_skip(struct gguf_cursor *c, enum gguf_type type, int depth,
                struct error *e)
{
    const char *text;
    size_t n;
    if (type == GGUF_STRING)
        return cursor_text(c, &text, &n, e);
    if (type != GGUF_ARRAY)
        return skip_values(c, type, 1, depth, e);
    if (depth == GGUF_DEPTH)
        return cursor_fail(c, c->at, ERROR_INPUT, e,
                           "more than %d arrays in each other",
                           (int)GGUF_DEPTH);
    if (cursor_array(c, &type, &n, e))
        return -1;
    return skip_values(c, type, n, depth + 1, e);
}
