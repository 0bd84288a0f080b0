/* Filters that make numbers, or JSON, of a value, and `default`: see
 * built_ins.h. */
#include "built_ins.h"

#include "arithmetic.h"
#include "characters.h"
#include "dumps.h"
#include "iterate.h"
#include "methods.h"
#include "unicode.h"
#include "written.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int filter_abs(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    double d;
    if (!value_is_number(c->self, &d))
        return c->self.type == VALUE_UNDEFINED
                   ? value_fail_undefined(s, c->self)
                   : sandbox_fail(s, "bad operand type for abs(): '%s'",
                                  value_type_name(c->self));
    return d < 0 || (d == 0 && signbit(d)) ? value_negate(s, c->self, out)
                                           : value_plus(s, c->self, out);
}

static int filter_default(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    bool missing = c->self.type == VALUE_UNDEFINED ||
                   (value_truth(c->a[1]) && !value_truth(c->self));
    if (missing && c->a[0].type == VALUE_ABSENT)
        return value_constant(s, "", 0, out);
    *out = missing ? c->a[0] : c->self;
    return 0;
}

/* A text without blanks around it and without "_" between digits, which are
 * those of ASCII, as C's functions read numbers; its size, or 0 for what is
 * none. */
static size_t plain_digits(const struct text *t, char *out, size_t room)
{
    size_t start = span_start(t->data, t->size, NULL), n = 0;
    size_t end =
        t->size - span_end(t->data + start, t->size - start, NULL);
    for (size_t i = start, length; i < end; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        int decimal = character_decimal(code);
        bool gap = code == '_' && n > 0 && i + 1 < end &&
                   isalnum((unsigned char)out[n - 1]) &&
                   (isalnum((unsigned char)t->data[i + 1]) ||
                    (unsigned char)t->data[i + 1] > 127);
        if (!gap && n + 1 >= room)
            return 0;
        if (!gap)
            out[n++] = decimal >= 0 ? (char)('0' + decimal)
                       : code < 128 ? (char)code
                                    : '?';
    }
    out[n] = 0;
    return strlen(out) == n ? n : 0;
}

/* Of 0x, 0o, 0b; else 0. */
static int base_of_mark(char mark)
{
    switch (tolower((unsigned char)mark)) {
    case 'x':
        return 16;
    case 'o':
        return 8;
    case 'b':
        return 2;
    default:
        return 0;
    }
}

/* Python's int(text, base): 1; 0 when it is none; -1 when it is too large. */
static int read_int(struct sandbox *s, const struct text *t, int base,
                    int64_t *out)
{
    char digits[512], *end;
    size_t n = plain_digits(t, digits, sizeof digits), at = 0;
    if (!n || isspace((unsigned char)*digits))
        return 0;
    at = *digits == '+' || *digits == '-';
    int marked = n - at > 2 && digits[at] == '0'
                     ? base_of_mark(digits[at + 1])
                     : 0;
    if (base == 0 && !marked && digits[at] == '0' &&
        digits[at + strspn(digits + at, "0")])
        return 0;
    if (marked && (base == marked || base == 0)) {
        memmove(digits + at, digits + at + 2, n - at - 1);
        base = marked;
    } else if (base == 0)
        base = 10;
    if (!isalnum((unsigned char)digits[at]))
        return 0;
    errno = 0;
    *out = strtoll(digits, &end, base);
    if (*end || (base == 16 && strpbrk(digits, "xX")))
        return 0;
    return errno ? sandbox_fail(s, "the number %s needs more than 64 bits",
                                digits)
                 : 1;
}

/* Python's float(text): no hexadecimal numbers. */
static bool read_float(const struct text *t, double *out)
{
    char digits[512], *end;
    if (!plain_digits(t, digits, sizeof digits) ||
        strpbrk(digits, "xX(") || isspace((unsigned char)*digits))
        return false;
    *out = strtod(digits, &end);
    return end != digits && !*end;
}

static bool to_float(struct value v, double *out)
{
    return v.type == VALUE_STRING ? read_float(v.as.text, out)
                                  : value_is_number(v, out);
}

static int filter_float(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    double d;
    if (c->self.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, c->self);
    if (to_float(c->self, &d))
        *out = value_float(d);
    else
        *out = c->a[0].type == VALUE_ABSENT ? value_float(0) : c->a[0];
    return 0;
}

static int filter_int(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    int64_t i = 0, base = 10;
    double d;
    if (c->self.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, c->self);
    if (argument_int(s, c->a[1], &base))
        return -1;
    int found = value_is_int(c->self, &i);
    bool known = base == 0 || (base >= 2 && base <= 36);
    if (c->self.type == VALUE_STRING && known)
        found = read_int(s, c->self.as.text, (int)base, &i);
    *out = value_int(i);
    if (found)
        return found < 0 ? -1 : 0;
    *out = c->a[0].type == VALUE_ABSENT ? value_int(0) : c->a[0];
    if (!to_float(c->self, &d))
        return 0;
    if (isinf(d) && c->self.type == VALUE_FLOAT)
        return sandbox_fail(s, "cannot convert float infinity to integer");
    if (!isfinite(d))
        return 0;
    if (fabs(d) >= 9.2e18)
        return sandbox_fail(s, "a whole number needs more than 64 bits");
    *out = value_int((int64_t)d);
    return 0;
}

/* Rounded to decimal places as Python does: what the digits say, halves to
 * the even neighbour. */
static double round_places(double d, int64_t places)
{
    char digits[800];
    if (!isfinite(d) || places > 300)
        return d;
    if (places < -400)
        return copysign(0, d);
    if (places >= 0) {
        snprintf(digits, sizeof digits, "%.*f", (int)places, d);
        return strtod(digits, NULL);
    }
    /* Digits in front of the point: those that stay are counted. */
    snprintf(digits, sizeof digits, "%.17e", d);
    int64_t stay = strtol(strchr(digits, 'e') + 1, NULL, 10) + 1 + places;
    if (stay < 0)
        return copysign(0, d);
    if (stay > 0) {
        snprintf(digits, sizeof digits, "%.*e", (int)stay - 1, d);
        return strtod(digits, NULL);
    }
    snprintf(digits, sizeof digits, "5e%d", (int)(-places - 1));
    bool up = fabs(d) > strtod(digits, NULL);
    snprintf(digits, sizeof digits, "1e%d", (int)-places);
    return copysign(up ? strtod(digits, NULL) : 0, d);
}

static int round_int(struct sandbox *s, int64_t i, int64_t places,
                     struct value *out)
{
    int64_t unit = 1;
    *out = value_int(0);
    for (; places < 0; places++)
        if (__builtin_mul_overflow(unit, (int64_t)10, &unit))
            return 0;
    if (unit == 1) {
        *out = value_int(i);
        return 0;
    }
    int64_t rest = i % unit < 0 ? i % unit + unit : i % unit, down = i - rest;
    bool up = rest > unit / 2 || (rest == unit / 2 && down / unit % 2 != 0);
    if (i < INT64_MIN + unit || i > INT64_MAX - unit)
        return sandbox_fail(s, "a whole number needs more than 64 bits");
    *out = value_int(down + (up ? unit : 0));
    return 0;
}

static int filter_round(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    const struct text common = {"common", 6, 6}, *method = &common;
    int64_t places = 0, i;
    double d;
    if (argument_int(s, c->a[0], &places) ||
        argument_text(s, c->a[1], "method", &method))
        return -1;
    bool up = text_is(method, "ceil"), down = text_is(method, "floor");
    if (!up && !down && !text_is(method, "common"))
        return sandbox_fail(s, "method must be common, ceil or floor");
    if (!value_is_number(c->self, &d))
        return c->self.type == VALUE_UNDEFINED
                   ? value_fail_undefined(s, c->self)
                   : sandbox_fail(s, "type %s doesn't define __round__ method",
                                  value_type_name(c->self));
    if (!up && !down && value_is_int(c->self, &i))
        return round_int(s, i, places, out);
    if (!up && !down) {
        *out = value_float(round_places(d, places));
        if (isfinite(d) && isinf(out->as.real))
            return sandbox_fail(s, "rounded value too large to represent");
        return 0;
    }
    double unit = pow(10, (double)places);
    double whole = up ? ceil(d * unit) : floor(d * unit);
    if (!isfinite(whole))
        return sandbox_fail(s, "cannot convert this float to an integer");
    *out = value_float((whole == 0 ? 0 : whole) / unit);
    return 0;
}

static int filter_filesizeformat(struct sandbox *s, const struct call *c,
                                 struct value *out)
{
    static const char letters[] = "kMGTPEZY", binary[] = "KMGTPEZY";
    bool two = value_truth(c->a[0]);
    double size, base = two ? 1024 : 1000, unit = base;
    char written[64];
    if (!to_float(c->self, &size))
        return sandbox_fail(s, "could not convert the value to float");
    if (isinf(size) && size < 0)
        return sandbox_fail(s, "cannot convert this float to an integer");
    if (size == 1)
        return value_constant(s, "1 Byte", 6, out);
    if (size < base)
        snprintf(written, sizeof written, "%.0f Bytes", trunc(size) + 0.0);
    for (int i = 0; !(size < base) && i < 8; i++) {
        unit *= base;
        snprintf(written, sizeof written, "%.1f %c%s", base * size / unit,
                 two ? binary[i] : letters[i], two ? "iB" : "B");
        if (size < unit)
            break;
    }
    return value_string(s, written, strlen(written), out);
}

/* The two separators, when they are given. */
static int read_separators(struct sandbox *s, struct value v,
                           struct dumps_style *style)
{
    struct value list;
    if (v.type == VALUE_ABSENT || v.type == VALUE_NONE)
        return 0;
    if (!value_iterable(v))
        return sandbox_fail(s, "separators must be a pair of strings");
    if (value_collect(s, v, VALUE_LIST, &list))
        return -1;
    if (list.as.list->size != 2)
        return sandbox_fail(s, "separators must be a pair of strings");
    return argument_text(s, list.as.list->items[0], "a separator",
                         &style->item) ||
                   argument_text(s, list.as.list->items[1], "a separator",
                                 &style->key)
               ? -1
               : 0;
}

static int read_indent(struct sandbox *s, struct value v, struct value *out)
{
    int64_t width = 0;
    struct value blank;
    if (v.type == VALUE_STRING) {
        *out = v;
        return 0;
    }
    if (argument_int(s, v, &width) || value_constant(s, " ", 1, &blank))
        return -1;
    return value_operate(s, ARITHMETIC_MULTIPLY, blank, value_int(width), out);
}

/* transformers' own tojson, which writes no HTML. */
static int filter_tojson(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    static const struct text comma = {", ", 2, 2}, tight = {",", 1, 1},
                             colon = {": ", 2, 2};
    struct dumps_style style = {.ascii = value_truth(c->a[0]),
                                .sort_keys = value_truth(c->a[3]),
                                .item = &comma,
                                .key = &colon};
    struct value indent;
    if (c->a[1].type != VALUE_ABSENT && c->a[1].type != VALUE_NONE) {
        if (read_indent(s, c->a[1], &indent))
            return -1;
        style.indented = true;
        style.indent = indent.as.text;
        style.item = &tight;
    }
    if (read_separators(s, c->a[2], &style))
        return -1;
    return value_dumps(s, c->self, &style, out);
}

struct built_ins filters_of_numbers(void)
{
    static const struct built_in rows[] = {
        {"abs", "", filter_abs},
        {"default", "|default_value boolean", filter_default},
        {"d", "|default_value boolean", filter_default},
        {"int", "|default base", filter_int},
        {"float", "|default", filter_float},
        {"round", "|precision method", filter_round},
        {"filesizeformat", "|binary", filter_filesizeformat},
        {"tojson", "|ensure_ascii indent separators sort_keys",
         filter_tojson},
    };
    return (struct built_ins){rows, sizeof rows / sizeof *rows};
}
