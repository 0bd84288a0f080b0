/* A pattern as it is read: see regex_reader.h. */
#include "regex_reader.h"

#include "regex_property.h"
#include "regex_shadow.h"
#include "unicode.h"
#include "unicode_tables.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

int reader_refuse(struct reader *r, size_t at, const char *what)
{
    return fail(r->e, ERROR_UNSUPPORTED,
                "regular expression: byte %zu: %s is not supported", at, what);
}

int reader_malformed(struct reader *r, size_t at, const char *what)
{
    return fail(r->e, ERROR_INPUT, "regular expression: byte %zu: %s", at,
                what);
}

bool reader_sees(const struct reader *r, const char *text)
{
    size_t length = strlen(text);
    return r->size - r->at >= length &&
           memcmp(r->pattern + r->at, text, length) == 0;
}

bool reader_takes(struct reader *r, const char *text)
{
    if (!reader_sees(r, text))
        return false;
    r->at += strlen(text);
    return true;
}

uint32_t reader_next(struct reader *r)
{
    size_t length;
    uint32_t code = utf8_decode(r->pattern + r->at, &length);
    r->at += length;
    return code;
}

void reader_add_code(struct bytes *out, uint32_t code)
{
    char text[16];
    if (code < 0x20 || code == 0x7F) {
        snprintf(text, sizeof text, "\\x{%x}", (unsigned)code);
        bytes_add_string(out, text);
        return;
    }
    if (code < 0x80 && ispunct((int)code))
        bytes_add_string(out, "\\");
    utf8_add(out, code);
}

/* Read at most `most` digits, as many as there are; the number of them. */
static int read_digit_run(struct reader *r, int base, int most,
                          uint32_t *value)
{
    int n = 0;
    *value = 0;
    for (; n < most && r->at < r->size; n++, r->at++) {
        unsigned char c = (unsigned char)r->pattern[r->at];
        if (!isxdigit(c) || (base == 8 && (c < '0' || c > '7')))
            break;
        int digit = isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
        *value = *value * (uint32_t)base + (uint32_t)digit;
    }
    return n;
}

/* \x{1F600} or \u00E9.  A list of code points in braces is not read. */
static int wide_code(struct reader *r, size_t at, int least, int most,
                     bool braces, uint32_t *code)
{
    int n = read_digit_run(r, 16, most, code);
    if (n < least || (braces && !reader_takes(r, "}")))
        return reader_refuse(r, at, "this way to write a code point");
    if (*code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
        return reader_malformed(r, at, "this is no code point");
    return 0;
}

/* \x41 or \101: a byte, which may be part of a longer character. */
static int narrow_code(struct reader *r, size_t at, int base, int most,
                       uint32_t *code)
{
    read_digit_run(r, base, most, code);
    return *code < 0x80 ? 0 : reader_refuse(r, at, "a byte that is not ASCII");
}

int reader_escaped_code(struct reader *r, size_t at, uint32_t *code)
{
    static const char letters[] = "tvnrfae", codes[] = "\t\v\n\r\f\a\x1B";
    if (r->at == r->size)
        return reader_malformed(r, at, "a backslash with nothing behind it");
    if (reader_takes(r, "x{"))
        return wide_code(r, at, 1, 8, true, code);
    if (reader_takes(r, "x"))
        return narrow_code(r, at, 16, 2, code);
    if (reader_takes(r, "u"))
        return wide_code(r, at, 4, 4, false, code);
    if (reader_sees(r, "0"))
        return narrow_code(r, at, 8, 3, code);
    *code = reader_next(r);
    if (*code < 0x80 && strchr("cCMo123456789", (int)*code))
        return reader_refuse(r, at, "this escape");
    const char *letter = *code < 0x80 ? strchr(letters, (int)*code) : NULL;
    if (letter)
        *code = (uint32_t)codes[letter - letters];
    return 0;
}

/* Whether a character beyond ASCII may be equal to others, or to several,
 * when letter case does not matter. */
static bool has_case(uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_SO:
        return true;
    default:
        return unicode_in(SET_UNSTABLE, code);
    }
}

static int add_named(struct reader *r, struct named named)
{
    struct named *larger =
        grow(r->named, &r->named_capacity, r->n_named + 1, sizeof *r->named);
    if (!larger)
        return fail_memory(r->e, "a regular expression");
    r->named = larger;
    r->named[r->n_named++] = named;
    return 0;
}

int reader_name(struct reader *r, size_t at, uint32_t first, uint32_t last)
{
    if (last < 0x80)
        return 0;
    for (uint32_t code = first < 0x80 ? 0x80 : first;
         r->ignore_case && code <= last; code++)
        if (has_case(code))
            return reader_refuse(
                r, at, "a letter beyond ASCII where case is ignored");
    return add_named(r, (struct named){at, first, last});
}

int reader_check_named(struct reader *r,
                       const struct unicode_ranges *stand_ins)
{
    for (size_t i = 0; i < r->n_named; i++) {
        const struct named *n = &r->named[i];
        if (!shadow_keeps(stand_ins, n->first, n->last))
            return reader_refuse(r, n->at,
                                 "to name a character that is not the same "
                                 "in all versions of Unicode");
    }
    return 0;
}

int read_property(struct reader *r, bool *negated, const char **items)
{
    size_t at = r->at - 2;
    *negated = r->pattern[r->at - 1] == 'P';
    if (!reader_takes(r, "{"))
        return reader_refuse(r, at, "\\p without a { behind it");
    *negated ^= reader_takes(r, "^");
    size_t from = r->at;
    while (r->at < r->size && r->pattern[r->at] != '}')
        r->at++;
    *items = property_find(r->pattern + from, r->at - from);
    if (!reader_takes(r, "}"))
        return reader_malformed(r, at, "\\p{ without its }");
    if (!*items)
        return reader_refuse(r, at, "this character property");
    r->alphabetic |= property_is_alphabetic(*items);
    return 0;
}
