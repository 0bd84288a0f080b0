/* One value, shown as a format says: see format.h. */
#include "format.h"

#include "unicode.h"
#include "written.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Put `sign` and body (size,), which has `length` characters, into the width:
 * with '=' the fill goes between them. */
static int write_padded(struct sandbox *s, const struct format_spec *f,
                        const char *sign, const struct text *body,
                        char default_align, struct bytes *out)
{
    char align = f->align ? f->align : default_align;
    const char *fill = *f->fill ? f->fill : " ";
    size_t length = strlen(sign) + body->length;
    size_t width = (size_t)f->width;
    size_t room = width > length ? width - length : 0;
    size_t left = align == '<' ? 0 : align == '^' ? room / 2 : room;
    if (sandbox_room(s, out->size + room * 4 + body->size))
        return -1;
    if (align == '=')
        bytes_add_string(out, sign);
    for (size_t i = 0; i < left; i++)
        bytes_add_string(out, fill);
    if (align != '=')
        bytes_add_string(out, sign);
    bytes_add(out, body->data, body->size);
    for (size_t i = left; i < room; i++)
        bytes_add_string(out, fill);
    return 0;
}

int write_formatted_text(struct sandbox *s, const struct format_spec *f,
                         const struct text *t, struct bytes *out)
{
    struct text cut = *t;
    if (f->precision >= 0 && (size_t)f->precision < t->length) {
        cut.length = 0;
        for (cut.size = 0; cut.size < t->size; cut.size++)
            if (((unsigned char)t->data[cut.size] & 0xC0) != 0x80 &&
                cut.length++ == (size_t)f->precision)
                break;
        cut.length = (size_t)f->precision;
    }
    return write_padded(s, f, "", &cut, '<', out);
}

int write_formatted_character(struct sandbox *s, const struct format_spec *f,
                              uint32_t code, struct bytes *out)
{
    struct bytes one = {0};
    utf8_add(&one, code);
    struct text t = {one.data, one.size, 1};
    int result = one.failed ? fail_memory(s->error, "a character")
                            : write_formatted_text(s, f, &t, out);
    bytes_free(&one);
    return result;
}

/* The sign of a number, and the mark of its base. */
static void write_sign(const struct format_spec *f, bool negative,
                       const char *base, char sign[8])
{
    char first[2] = {negative ? '-' : f->sign, 0};
    snprintf(sign, 8, "%s%s", first, f->alternate ? base : "");
}

/* How many digits, in groups of `size` with a separator between two, fill
 * `width` characters: at least `whole`. */
static size_t digits_that_fill(size_t whole, size_t size, int64_t width)
{
    size_t n = whole;
    while (n > 0 && (int64_t)(n + (n - 1) / size) < width)
        n++;
    return n;
}

/* Digits with separators between groups of `size`, from the point leftward,
 * and zeros in front of them up to `width` characters; digits behind the point
 * stay. */
static void group_digits(const char *digits, char separator, size_t size,
                         int64_t width, struct bytes *out)
{
    size_t whole = strspn(digits, "0123456789abcdefABCDEF");
    if (size == 3)
        whole = strspn(digits, "0123456789");
    width -= (int64_t)strlen(digits + whole);
    size_t all = separator ? digits_that_fill(whole, size, width) : whole;
    for (size_t i = 0; i < all; i++) {
        if (separator && i > 0 && (all - i) % size == 0)
            bytes_add(out, &separator, 1);
        bytes_add(out, i < all - whole ? "0" : digits + i - (all - whole), 1);
    }
    bytes_add_string(out, digits + whole);
}

static int write_padded_number(struct sandbox *s, const struct format_spec *f,
                               const char *sign, const char *digits,
                               size_t group, struct bytes *out)
{
    struct bytes body = {0};
    bool zeros = f->align == '=' && strcmp(f->fill, "0") == 0;
    int64_t width = zeros ? (int64_t)f->width - (int64_t)strlen(sign) : 0;
    group_digits(digits, f->group, group, width, &body);
    struct text text = {body.data, body.size, body.size};
    int result = body.failed ? fail_memory(s->error, "a number")
                             : write_padded(s, f, sign, &text, '>', out);
    bytes_free(&body);
    return result;
}

static void write_digits(uint64_t u, unsigned base, bool upper, char *out)
{
    char reversed[70];
    size_t n = 0;
    do
        reversed[n++] =
            (upper ? "0123456789ABCDEF" : "0123456789abcdef")[u % base];
    while ((u /= base) > 0);
    while (n > 0)
        *out++ = reversed[--n];
    *out = 0;
}

int write_formatted_int(struct sandbox *s, const struct format_spec *f,
                        int64_t i, struct bytes *out)
{
    char digits[400], sign[8];
    unsigned base = f->type == 'b'   ? 2
                    : f->type == 'o' ? 8
                    : tolower(f->type) == 'x' ? 16
                                              : 10;
    const char *mark = base == 2   ? "0b"
                       : base == 8 ? "0o"
                       : base == 16 ? f->type == 'X' ? "0X" : "0x"
                                    : "";
    uint64_t size = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    char *at = digits;
    char plain[70];
    write_digits(size, base, f->type == 'X', plain);
    for (int n = (int)strlen(plain); n < f->precision; n++)
        *at++ = '0';
    strcpy(at, plain);
    write_sign(f, i < 0, mark, sign);
    return write_padded_number(s, f, sign, digits, base == 10 ? 3 : 4, out);
}

/* A float of no type: as repr(), or with so many digits, but never without a
 * point or an exponent. */
static int write_plain_float(struct sandbox *s, const struct format_spec *f,
                             double d, char *out, size_t size)
{
    struct bytes shortest = {0};
    if (f->precision < 0) {
        write_float(d, &shortest);
        int result = shortest.failed ? fail_memory(s->error, "a number") : 0;
        if (!result)
            snprintf(out, size, "%.*s", (int)shortest.size, shortest.data);
        bytes_free(&shortest);
        return result;
    }
    int digits = f->precision ? f->precision : 1;
    snprintf(out, size, f->alternate ? "%#.*e" : "%.*e", digits - 1, d);
    long exponent = strtol(strchr(out, 'e') + 1, NULL, 10);
    if (exponent + 1 <= digits - 1 || exponent < -4 || exponent >= digits)
        snprintf(out, size, f->alternate ? "%#.*g" : "%.*g", digits, d);
    if (!strpbrk(out, ".e"))
        strcat(out, ".0");
    return 0;
}

int write_formatted_float(struct sandbox *s, const struct format_spec *f,
                          double d, struct bytes *out)
{
    char digits[800], sign[8], pattern[16];
    int precision = f->precision < 0 ? 6 : f->precision;
    bool percent = f->type == '%';
    double size = fabs(percent ? d * 100 : d);
    if (isnan(d) || isinf(d))
        snprintf(digits, sizeof digits, isupper((unsigned char)f->type)
                                            ? "%F" : "%f", size);
    else if (!f->type) {
        if (write_plain_float(s, f, size, digits, sizeof digits - 4))
            return -1;
    } else {
        snprintf(pattern, sizeof pattern, "%%%s.*%c",
                 f->alternate ? "#" : "", percent ? 'f' : f->type);
        snprintf(digits, sizeof digits - 4, pattern, precision, size);
    }
    if (percent)
        strcat(digits, "%");
    write_sign(f, signbit(d) && !isnan(d), "", sign);
    return write_padded_number(s, f, sign, digits, 3, out);
}
