/* Values as text: see written.h. */
#include "written.h"

#include "dict.h"
#include "iterate.h"
#include "unicode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

void write_int(int64_t i, struct bytes *out)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)i);
    bytes_add_string(out, digits);
}

/* The digits of "d.ddde+xx" without their point, and the exponent. */
static int split_scientific(const char *written, char *digits)
{
    const char *e = strchr(written, 'e');
    for (const char *c = written; c < e; c++)
        if (*c != '.' && *c != '-')
            *digits++ = *c;
    *digits = 0;
    return (int)strtol(e + 1, NULL, 10);
}

/* Digits with a point after the first `exponent` + 1 of them; from 10^16 on,
 * and below 10^-4, with an exponent. */
static void place_point(const char *digits, int exponent, struct bytes *out)
{
    int n = (int)strlen(digits);
    if (exponent < -4 || exponent >= 16) {
        char end[16];
        bytes_add(out, digits, 1);
        if (n > 1)
            bytes_add(out, ".", 1);
        bytes_add(out, digits + 1, (size_t)n - 1);
        snprintf(end, sizeof end, "e%+03d", exponent);
        bytes_add_string(out, end);
        return;
    }
    if (exponent < 0) {
        bytes_add_string(out, "0.");
        for (int i = exponent; i < -1; i++)
            bytes_add(out, "0", 1);
        bytes_add(out, digits, (size_t)n);
        return;
    }
    for (int i = 0; i < n || i <= exponent; i++) {
        bytes_add(out, i < n ? digits + i : "0", 1);
        if (i == exponent)
            bytes_add(out, ".", 1);
    }
    if (n <= exponent + 1)
        bytes_add(out, "0", 1);
}

void write_float(double d, struct bytes *out)
{
    char written[40], digits[40];
    if (isnan(d) || isinf(d)) {
        bytes_add_string(out, isnan(d) ? "nan" : d < 0 ? "-inf" : "inf");
        return;
    }
    for (int precision = 0; precision < 17; precision++) {
        snprintf(written, sizeof written, "%.*e", precision, d);
        if (strtod(written, NULL) == d)
            break;
    }
    if (signbit(d))
        bytes_add(out, "-", 1);
    int exponent = split_scientific(written, digits);
    place_point(digits, exponent, out);
}

bool is_printable(uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    case UTF8PROC_CATEGORY_ZS:
        return code == ' ';
    default:
        return true;
    }
}

static void write_escaped(uint32_t code, struct bytes *out)
{
    char escape[16];
    const char *format = code < 0x100     ? "\\x%02x"
                         : code < 0x10000 ? "\\u%04x"
                                          : "\\U%08x";
    if (code == '\n' || code == '\r' || code == '\t') {
        bytes_add_string(out, code == '\n'   ? "\\n"
                              : code == '\r' ? "\\r"
                                             : "\\t");
        return;
    }
    snprintf(escape, sizeof escape, format, code);
    bytes_add_string(out, escape);
}

/* In single quotes, unless it has some and no double ones. */
static void repr_text(const struct text *t, struct bytes *out)
{
    bool single = memchr(t->data, '\'', t->size) != NULL;
    bool has_double = memchr(t->data, '"', t->size) != NULL;
    char quote = single && !has_double ? '"' : '\'';
    bytes_add(out, &quote, 1);
    for (size_t i = 0, length; i < t->size; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        if (code == (unsigned char)quote || code == '\\')
            bytes_add(out, "\\", 1);
        if (is_printable(code))
            bytes_add(out, t->data + i, length);
        else
            write_escaped(code, out);
    }
    bytes_add(out, &quote, 1);
}

static int repr_items(struct sandbox *s, struct value v, struct bytes *out)
{
    struct iterator *i;
    struct value one;
    int more;
    size_t n = 0;
    if (iterate(s, v, &i))
        return -1;
    while ((more = iterator_next(s, i, &one)) > 0) {
        if (n++)
            bytes_add_string(out, ", ");
        if (value_repr(s, one, out))
            return -1;
    }
    if (v.type == VALUE_TUPLE && n == 1)
        bytes_add(out, ",", 1);
    return more;
}

static int repr_entries(struct sandbox *s, const struct value_dict *d,
                        struct bytes *out)
{
    for (size_t i = 0; i < d->size; i++) {
        if (i)
            bytes_add_string(out, ", ");
        if (value_repr(s, d->entries[i].key, out))
            return -1;
        bytes_add_string(out, ": ");
        if (value_repr(s, d->entries[i].value, out))
            return -1;
    }
    return 0;
}

static int repr_view(struct sandbox *s, struct value v, struct bytes *out)
{
    bytes_add_string(out, value_type_name(v));
    bytes_add_string(out, "([");
    if (repr_items(s, v, out))
        return -1;
    bytes_add_string(out, "])");
    return 0;
}

static void repr_range(const struct value_range *r, struct bytes *out)
{
    bytes_add_string(out, "range(");
    write_int(r->start, out);
    bytes_add_string(out, ", ");
    write_int(r->stop, out);
    if (r->step != 1) {
        bytes_add_string(out, ", ");
        write_int(r->step, out);
    }
    bytes_add(out, ")", 1);
}

/* Between two brackets. */
static int repr_held(struct sandbox *s, struct value v, struct bytes *out)
{
    const char *brackets = v.type == VALUE_LIST    ? "[]"
                           : v.type == VALUE_TUPLE ? "()"
                                                   : "{}";
    bytes_add(out, brackets, 1);
    if (v.type == VALUE_DICT ? repr_entries(s, v.as.dict, out)
                             : repr_items(s, v, out))
        return -1;
    bytes_add(out, brackets + 1, 1);
    return 0;
}

static void repr_string(struct value v, struct bytes *out)
{
    if (v.safe)
        bytes_add_string(out, "Markup(");
    repr_text(v.as.text, out);
    if (v.safe)
        bytes_add(out, ")", 1);
}

static int repr_any(struct sandbox *s, struct value v, struct bytes *out)
{
    switch (v.type) {
    case VALUE_NONE:
        bytes_add_string(out, "None");
        return 0;
    case VALUE_BOOL:
        bytes_add_string(out, v.as.boolean ? "True" : "False");
        return 0;
    case VALUE_INT:
        write_int(v.as.integer, out);
        return 0;
    case VALUE_FLOAT:
        write_float(v.as.real, out);
        return 0;
    case VALUE_STRING:
        repr_string(v, out);
        return sandbox_work(s, v.as.text->size);
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
        return repr_held(s, v, out);
    case VALUE_VIEW:
        return repr_view(s, v, out);
    case VALUE_RANGE:
        repr_range(v.as.range, out);
        return 0;
    case VALUE_UNDEFINED:
        bytes_add_string(out, "Undefined");
        return 0;
    case VALUE_OBJECT:
        return v.as.object->kind->write(s, v.as.object, out);
    default:
        return sandbox_fail(s, "a %s cannot be printed", value_type_name(v));
    }
}

int value_repr(struct sandbox *s, struct value v, struct bytes *out)
{
    if (sandbox_work(s, 0) || sandbox_enter(s) ||
        sandbox_room(s, out->size) || repr_any(s, v, out))
        return -1;
    sandbox_leave(s);
    return 0;
}

int value_str(struct sandbox *s, struct value v, struct bytes *out)
{
    if (v.type == VALUE_UNDEFINED)
        return 0;
    if (v.type != VALUE_STRING)
        return value_repr(s, v, out);
    if (sandbox_room(s, out->size + v.as.text->size) ||
        sandbox_work(s, v.as.text->size))
        return -1;
    bytes_add(out, v.as.text->data, v.as.text->size);
    return 0;
}

int value_ascii(struct sandbox *s, struct value v, struct value *out)
{
    const struct text *t = v.as.text;
    struct bytes made = {0};
    if (sandbox_room(s, t->size * 6) || sandbox_work(s, t->size))
        return -1;
    for (size_t i = 0, length; i < t->size; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        if (code < 0x80)
            bytes_add(&made, t->data + i, 1);
        else
            write_escaped(code, &made);
    }
    return value_take_bytes(s, &made, out);
}

int value_to_string(struct sandbox *s, struct value v, struct value *out)
{
    struct bytes written = {0};
    if (v.type == VALUE_STRING) {
        *out = value_of_text(v.as.text);
        return 0;
    }
    if (value_str(s, v, &written)) {
        bytes_free(&written);
        return -1;
    }
    return value_take_bytes(s, &written, out);
}
