/* Numbers and strings in templates: see lexer.h. */
#include "lexer.h"

#include "unicode.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit_of(char c, int base)
{
    int value = isdigit((unsigned char)c)   ? c - '0'
                : isxdigit((unsigned char)c) ? tolower(c) - 'a' + 10
                                             : 99;
    return value < base;
}

/* Digits with single "_" between them, copied to `out` (room,). */
static const char *take_digits(const char *at, const char *end, int base,
                               char *out, size_t room)
{
    size_t n = strlen(out);
    while (at < end && n + 1 < room) {
        bool gap = *at == '_' && at + 1 < end && is_digit_of(at[1], base) &&
                   n > 0;
        if (!gap && !is_digit_of(*at, base))
            break;
        if (!gap)
            out[n++] = *at;
        at++;
    }
    out[n] = 0;
    return at;
}

/* ".5", "e-3" behind whole digits; NULL where there is neither. */
static const char *take_fraction(const char *at, const char *end, char *out,
                                 size_t room)
{
    const char *start = at;
    if (at + 1 < end && *at == '.' && isdigit((unsigned char)at[1])) {
        strcat(out, ".");
        at = take_digits(at + 1, end, 10, out, room);
    }
    const char *digits = at + 1;
    if (digits < end && (*digits == '+' || *digits == '-'))
        digits++;
    if (at < end && tolower((unsigned char)*at) == 'e' && digits < end &&
        isdigit((unsigned char)*digits) && strlen(out) + 4 < room) {
        strncat(out, at, (size_t)(digits - at));
        at = take_digits(digits, end, 10, out, room);
    }
    return at == start ? NULL : at;
}

static int lex_number(struct sandbox *s, const char **at, const char *end,
                      struct value *out)
{
    char digits[400] = "";
    const char *from = *at;
    int base = 10;
    bool leading_zero = false;
    if (end - from > 2 && from[0] == '0')
        base = tolower((unsigned char)from[1]) == 'x'   ? 16
               : tolower((unsigned char)from[1]) == 'o' ? 8
               : tolower((unsigned char)from[1]) == 'b' ? 2
                                                        : 10;
    if (base != 10 && !is_digit_of(from[2] == '_' ? '0' : from[2], base))
        base = 10;
    if (base != 10)
        from += from[2] == '_' ? 3 : 2;
    const char *behind = take_digits(from, end, base, digits, sizeof digits);
    if (base == 10 && *from == '0' && strtod(digits, NULL) > 0)
        leading_zero = true;
    const char *fraction =
        base == 10 ? take_fraction(behind, end, digits, sizeof digits) : NULL;
    *at = fraction ? fraction : behind;
    if (leading_zero && !fraction)
        return sandbox_fail(s, "a whole number begins with 0");
    if (fraction) {
        *out = value_float(strtod(digits, NULL));
        return 1;
    }
    errno = 0;
    *out = value_int(strtoll(digits, NULL, base));
    return errno ? sandbox_fail(s, "the number %s needs more than 64 bits",
                                digits)
                 : 1;
}

/* So many hexadecimal digits, or octal ones as long as there are. */
static uint32_t take_code(const char **at, const char *end, int base,
                          int most, int *taken)
{
    uint32_t code = 0;
    for (*taken = 0; *taken < most && *at < end && is_digit_of(**at, base);
         ++*taken, ++*at)
        code = code * (uint32_t)base +
               (uint32_t)(isdigit((unsigned char)**at)
                              ? **at - '0'
                              : tolower(**at) - 'a' + 10);
    return code;
}

static int add_code(struct sandbox *s, uint32_t code, struct bytes *out)
{
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return sandbox_fail(s, "an escape in a string is no character");
    utf8_add(out, code);
    return 0;
}

/* What stands behind a backslash. */
static int take_escape(struct sandbox *s, const char **at, const char *end,
                       struct bytes *out)
{
    static const char names[] = "\\'\"abfnrtv",
                      marks[] = "\\'\"\a\b\f\n\r\t\v";
    char c = *(*at)++;
    const char *name = c ? strchr(names, c) : NULL;
    int taken, wanted = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (name) {
        bytes_add(out, marks + (name - names), 1);
        return 0;
    }
    if (c == '\n')
        return 0;
    if (c == 'N')
        return sandbox_fail(s, "a string names a character by \\N");
    if (c >= '0' && c <= '7') {
        --*at;
        return add_code(s, take_code(at, end, 8, 3, &taken), out);
    }
    if (wanted) {
        uint32_t code = take_code(at, end, 16, wanted, &taken);
        return taken == wanted
                   ? add_code(s, code, out)
                   : sandbox_fail(s, "an escape in a string is cut short");
    }
    bytes_add(out, "\\", 1);
    bytes_add(out, &c, 1);
    return 0;
}

static int lex_string(struct sandbox *s, const char **at, const char *end,
                      struct value *out)
{
    char quote = *(*at)++;
    struct bytes text = {0};
    while (*at < end && **at != quote) {
        const char *from = *at;
        while (*at < end && **at != quote && **at != '\\')
            ++*at;
        bytes_add(&text, from, (size_t)(*at - from));
        if (*at + 1 < end && **at == '\\') {
            ++*at;
            if (take_escape(s, at, end, &text)) {
                bytes_free(&text);
                return -1;
            }
        } else if (*at < end && **at == '\\')
            ++*at;
    }
    if (*at == end) {
        bytes_free(&text);
        return sandbox_fail(s, "a string does not end");
    }
    ++*at;
    return value_take_bytes(s, &text, out) ? -1 : 1;
}

int lex_constant(struct sandbox *s, const char **at, const char *end,
                 struct value *out)
{
    if (**at == '\'' || **at == '"')
        return lex_string(s, at, end, out);
    return isdigit((unsigned char)**at) ? lex_number(s, at, end, out) : 0;
}
