/* The words of arguments: see call_words.h and call_literal.h. */
#include "call_words.h"

#include "call_literal.h"
#include "unicode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool literal_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool literal_is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c && strchr("_.+-", c));
}

int literal_mark(const struct literal_text *r, const char *mark)
{
    size_t left = r->size - r->at, size = strlen(mark);
    if (left >= size)
        return memcmp(r->text + r->at, mark, size) == 0;
    bool begun = memcmp(r->text + r->at, mark, left) == 0;
    return begun && !r->ended ? -1 : 0;
}

void json_escape(const char *text, size_t size, struct bytes *out)
{
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *n = named;
        while (*n && (*n != text[i]))
            n += 2;
        if (*n && c) {
            bytes_add(out, "\\", 1);
            bytes_add(out, n + 1, 1);
        } else if (c < 0x20) {
            char code[8];
            snprintf(code, sizeof code, "\\u%04x", c);
            bytes_add_string(out, code);
        } else {
            bytes_add(out, text + i, 1);
        }
    }
}

/* The value of n digits after the escape's letter; -1: they are none. */
static long escape_code(const char *digits, size_t n, int base)
{
    char text[16] = "";
    memcpy(text, digits, n);
    for (size_t i = 0; i < n; i++)
        if (!isxdigit((unsigned char)text[i]))
            return -1;
    char *end;
    long code = strtol(text, &end, base);
    return *end ? -1 : code;
}

static void add_character(long code, struct bytes *out)
{
    struct bytes one = {0};
    utf8_add(&one, (uint32_t)code);
    json_escape(one.data, one.size, out);
    out->failed |= one.failed;
    bytes_free(&one);
}

/* \x, \u, \U: a character by its number.  Half of a surrogate pair stays an
 * escape, as which JSON has it, too. */
static bool read_code(struct literal_text *r, size_t n)
{
    r->waits = r->size - r->at < 2 + n;
    if (r->waits)
        return true;
    long code = escape_code(r->text + r->at + 2, n, 16);
    bool half = code >= 0xD800 && code <= 0xDFFF;
    if (code < 0 || code > 0x10FFFF || (half && n != 4))
        return false;
    if (half)
        bytes_add(r->out, r->text + r->at, 2 + n);
    else
        add_character(code, r->out);
    r->at += 2 + n;
    return true;
}

/* \0 to \777: up to three octal digits; what follows decides how many. */
static bool read_octal(struct literal_text *r)
{
    size_t n = 0, left = r->size - r->at - 1;
    while (n < 3 && n < left && r->text[r->at + 1 + n] >= '0' &&
           r->text[r->at + 1 + n] <= '7')
        n++;
    r->waits = n < 3 && n == left;
    if (r->waits)
        return true;
    add_character(escape_code(r->text + r->at + 1, n, 8), r->out);
    r->at += 1 + n;
    return true;
}

/* Escapes of one letter: what stands in JSON for each; NULL: nothing does, and
 * Python leaves such a backslash where it is. */
static const char *short_escape(char c)
{
    static const char *const table[] = {
        "nn", "tt", "rr", "bb", "ff", "\\\\", "\"\"",
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] == c)
            return table[i] + 1;
    return NULL;
}

static bool read_short_escape(struct literal_text *r, char c)
{
    const char *in_json = short_escape(c);
    if (c == '\'')
        bytes_add_string(r->out, "'");
    else if (c == 'a' || c == 'v')
        bytes_add_string(r->out, c == 'a' ? "\\u0007" : "\\u000b");
    else if (in_json) {
        bytes_add_string(r->out, "\\");
        bytes_add(r->out, in_json, 1);
    } else if (c != '\n') {
        bytes_add_string(r->out, "\\\\");
        r->at++; /* the character itself is read next */
        return true;
    }
    r->at += 2;
    return true;
}

bool literal_escape(struct literal_text *r)
{
    r->waits = r->size - r->at < 2;
    if (r->waits)
        return true;
    char c = r->text[r->at + 1];
    if (c == 'x')
        return read_code(r, 2);
    if (c == 'u')
        return read_code(r, 4);
    if (c == 'U')
        return read_code(r, 8);
    return c >= '0' && c <= '7' ? read_octal(r) : read_short_escape(r, c);
}

bool literal_constant(const char *word, size_t size, struct bytes *out)
{
    static const char *const constants[][2] = {
        {"True", "true"}, {"False", "false"}, {"None", "null"},
        {"true", "true"}, {"false", "false"}, {"null", "null"},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (size == strlen(constants[i][0]) &&
            memcmp(word, constants[i][0], size) == 0) {
            bytes_add_string(out, constants[i][1]);
            return true;
        }
    return false;
}

/* Digits, between which single underscores may stand; how many bytes. */
static size_t add_digits(const char *text, size_t size, struct bytes *out)
{
    size_t i = 0;
    while (i < size &&
           (isdigit((unsigned char)text[i]) || (text[i] == '_' && i > 0))) {
        if (text[i] != '_')
            bytes_add(out, text + i, 1);
        i++;
    }
    return i;
}

/* What follows the digits before the point; all of it must be read. */
static bool add_fraction(const char *text, size_t size, struct bytes *out)
{
    size_t i = 0, n;
    if (i < size && text[i] == '.') {
        bytes_add_string(out, ".");
        n = add_digits(text + 1, size - 1, out);
        if (n == 0)
            bytes_add_string(out, "0");
        i = 1 + n;
    }
    if (i == size)
        return true;
    if (text[i] != 'e' && text[i] != 'E')
        return false;
    bytes_add_string(out, "e");
    i++;
    if (i < size && (text[i] == '+' || text[i] == '-'))
        bytes_add(out, text + i++, 1);
    n = add_digits(text + i, size - i, out);
    return n > 0 && i + n == size;
}

/* The number without its sign.  JSON has no digits before a point left out,
 * and none that are zeros for show. */
static bool add_unsigned(const char *text, size_t size, struct bytes *out)
{
    size_t before = out->size, n = add_digits(text, size, out);
    bool zeros = n > 1 && text[0] == '0';
    bool point = n < size && text[n] == '.';
    if (n == 0 && !(point && size > 1 && isdigit((unsigned char)text[1])))
        return false;
    if (n == 0)
        bytes_add_string(out, "0");
    return !zeros && !out->failed && out->size > before &&
           add_fraction(text + n, size - n, out);
}

bool literal_number(const char *text, size_t size, struct bytes *out)
{
    size_t before = out->size;
    bool sign = size > 0 && (text[0] == '-' || text[0] == '+');
    if (sign && text[0] == '-')
        bytes_add_string(out, "-");
    if (add_unsigned(text + sign, size - sign, out))
        return true;
    out->size = before;
    return false;
}
