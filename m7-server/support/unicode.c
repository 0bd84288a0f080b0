/* Characters: see unicode.h.  Knows nothing of tokens. */
#include "unicode.h"

#include "unicode_tables.h"

#include <string.h>
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

static size_t utf8_length(uint32_t code)
{
    return 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
}

/* The first bytes of the characters of two to four bytes, next to the bits of
 * the code point; the other bytes hold six bits each. */
void utf8_add(struct bytes *out, uint32_t code)
{
    static const unsigned first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    char text[4] = {(char)code};
    size_t length = utf8_length(code);
    for (size_t i = length; i-- > 1; code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3F));
    if (length > 1)
        text[0] = (char)(first[length] | code);
    bytes_add(out, text, length);
}

/* How long a character is by its first byte; 0 when it can begin none. */
static size_t announced(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Whether the second byte may follow the first: after some it is bound more
 * tightly.  The Unicode Standard, table 3-7. */
static bool may_follow(unsigned char first, unsigned char second)
{
    unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

/* Look at one character of text (size > 0,): how many bytes of it are as they
 * should be goes to *good, and how many it needs is returned; 0 when its first
 * byte begins no character. */
static size_t inspect(const unsigned char *s, size_t size, size_t *good)
{
    size_t length = announced(s[0]);
    *good = 1;
    if (length < 2 || size < 2 || !may_follow(s[0], s[1]))
        return length;
    for (*good = 2; *good < length && *good < size; (*good)++)
        if ((s[*good] & 0xC0) != 0x80)
            break;
    return length;
}

/* Eight bytes at a time, then one by one. */
size_t utf8_ascii(const char *text, size_t size)
{
    size_t at = 0;
    for (uint64_t eight; size - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, text + at, sizeof eight);
        if (eight & 0x8080808080808080)
            break;
    }
    while (at < size && (unsigned char)text[at] < 0x80)
        at++;
    return at;
}

size_t utf8_valid(const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t at = utf8_ascii(text, size), good;
    while (at < size && inspect(s + at, size - at, &good) == good) {
        at += good;
        at += utf8_ascii(text + at, size - at);
    }
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
    while (size > 0) {
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

static uint32_t lowercase(uint32_t code)
{
    const struct unicode_range *newer =
        unicode_find(&unicode_newer_lowercase, code);
    if (newer)
        return code - newer->first + newer->other;
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code);
}

static void lowercase_ascii(const char *text, size_t size, struct bytes *out)
{
    bytes_add(out, text, size);
    for (size_t i = 1; i <= size && !out->failed; i++) {
        char *c = &out->data[out->size - i];
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
    }
}

/* U+0130, a capital I with a dot, is the one letter that becomes two. */
void unicode_lowercase(const char *text, size_t size, struct bytes *out)
{
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        length = utf8_ascii(text + at, size - at);
        if (length > 0) {
            lowercase_ascii(text + at, length, out);
            continue;
        }
        uint32_t code = utf8_decode(text + at, &length);
        utf8_add(out, lowercase(code));
        if (code == 0x130)
            utf8_add(out, 0x307);
    }
}

const struct unicode_range *unicode_find(const struct unicode_ranges *ranges,
                                         uint32_t code)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    const struct unicode_range *range = ranges->ranges + low;
    return low < ranges->count && range->first <= code ? range : NULL;
}

bool unicode_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E ||
           code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

bool unicode_is_space(uint32_t code)
{
    if (code < 0x80)
        return code == ' ' || (code >= '\t' && code <= '\r');
    return code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

bool unicode_is_numeric(uint32_t code)
{
    return unicode_in(SET_NUMERIC, code);
}

bool unicode_is_punctuation(uint32_t code)
{
    return unicode_in(SET_PUNCTUATION, code);
}

bool unicode_is_word(uint32_t code)
{
    return unicode_in(SET_WORD, code);
}
