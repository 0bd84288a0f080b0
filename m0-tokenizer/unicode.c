/* Characters: see unicode.h.  Knows nothing of tokens. */
#include "unicode.h"

#include <stdlib.h>
#include <utf8proc.h>

uint32_t utf8_decode(const char *text, size_t *length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) {
        *length = 1;
        return s[0];
    }
    if (s[0] < 0xE0) {
        *length = 2;
        return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    }
    if (s[0] < 0xF0) {
        *length = 3;
        return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    }
    *length = 4;
    return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 |
           (s[3] & 0x3Fu);
}

void utf8_add(struct bytes *out, uint32_t code)
{
    char text[4];
    size_t size = 0;
    if (code < 0x80) {
        text[size++] = (char)code;
    } else {
        if (code < 0x800) {
            text[size++] = (char)(0xC0 | code >> 6);
        } else {
            if (code < 0x10000) {
                text[size++] = (char)(0xE0 | code >> 12);
            } else {
                text[size++] = (char)(0xF0 | code >> 18);
                text[size++] = (char)(0x80 | (code >> 12 & 0x3F));
            }
            text[size++] = (char)(0x80 | (code >> 6 & 0x3F));
        }
        text[size++] = (char)(0x80 | (code & 0x3F));
    }
    bytes_add(out, text, size);
}

/* Look at one character of text (size > 0,): how many bytes of it are as they
 * should be goes to *good, and how many it needs is returned; 0 when its first
 * byte begins no character.  The Unicode Standard, table 3-7. */
static size_t inspect(const unsigned char *s, size_t size, size_t *good)
{
    *good = 1;
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    size_t length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    unsigned low = 0x80, high = 0xBF;
    if (s[0] == 0xE0)
        low = 0xA0;
    if (s[0] == 0xF0)
        low = 0x90;
    if (s[0] == 0xED)
        high = 0x9F;
    if (s[0] == 0xF4)
        high = 0x8F;
    while (*good < length && *good < size && s[*good] >= low &&
           s[*good] <= high) {
        (*good)++;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

size_t utf8_valid(const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t at = 0, good;
    while (at < size && inspect(s + at, size - at, &good) == good)
        at += good;
    return at;
}

size_t utf8_unfinished(const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t tail = 1; tail <= 3 && tail <= size; tail++) {
        size_t good;
        size_t length = inspect(s + size - tail, tail, &good);
        if (length > tail && good == tail)
            return tail;
    }
    return 0;
}

void utf8_repair(const char *text, size_t size, struct bytes *out)
{
    const unsigned char *s = (const unsigned char *)text;
    for (;;) {
        size_t valid = utf8_valid((const char *)s, size), good = 1;
        bytes_add(out, s, valid);
        s += valid;
        size -= valid;
        if (size == 0)
            return;
        inspect(s, size, &good);
        bytes_add_string(out, "\xEF\xBF\xBD");
        s += good;
        size -= good;
    }
}

void unicode_normalize(enum unicode_form form, const char *text, size_t size,
                       struct bytes *out)
{
    static const int options[] = {
        [FORM_NFC] = UTF8PROC_COMPOSE,
        [FORM_NFD] = UTF8PROC_DECOMPOSE,
        [FORM_NFKC] = UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
        [FORM_NFKD] = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
    };
    utf8proc_uint8_t *made = NULL;
    utf8proc_ssize_t n =
        utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size,
                     &made, options[form] | UTF8PROC_STABLE);
    if (n < 0)
        out->failed = true;
    else
        bytes_add(out, made, (size_t)n);
    free(made);
}

void unicode_lowercase(const char *text, size_t size, struct bytes *out)
{
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        uint32_t code = utf8_decode(text + at, &length);
        utf8_add(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)code));
        if (code == 0x130)
            utf8_add(out, 0x307);
    }
}

bool unicode_is_space(uint32_t code)
{
    return (code >= 9 && code <= 13) || code == ' ' || code == 0x85 ||
           code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

static utf8proc_category_t category(uint32_t code)
{
    return utf8proc_category((utf8proc_int32_t)code);
}

bool unicode_is_numeric(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO;
}

bool unicode_is_punctuation(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return (c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_PO) ||
           (code < 0x80 && c >= UTF8PROC_CATEGORY_SM &&
            c <= UTF8PROC_CATEGORY_SO);
}

bool unicode_is_word(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_PC &&
           c != UTF8PROC_CATEGORY_NO;
}
