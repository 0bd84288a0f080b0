/* "%s" % value: see format.h. */
#include "format.h"

#include "arithmetic.h"
#include "dict.h"
#include "iterate.h"
#include "written.h"

#include <math.h>
#include <string.h>

/* The text that is read, the values that go into it, and what is made. */
struct percent {
    const char *at, *end;
    struct value values;
    const struct value_list *list; /* of a tuple, or of the one value */
    size_t used;
    bool safe;
    struct bytes out;
};

static int next_value(struct sandbox *s, struct percent *p,
                      struct value *out)
{
    if (p->used >= p->list->size)
        return sandbox_fail(s, "not enough arguments for format string");
    *out = p->list->items[p->used++];
    return 0;
}

/* "(name)" chooses from a dictionary. */
static int named_value(struct sandbox *s, struct percent *p,
                       struct value *out)
{
    const char *name = ++p->at;
    int depth = 1;
    if (p->values.type != VALUE_DICT)
        return sandbox_fail(s, "format requires a mapping");
    for (; p->at < p->end && depth; p->at++)
        depth += (*p->at == '(') - (*p->at == ')');
    if (depth)
        return sandbox_fail(s, "incomplete format key");
    size_t size = (size_t)(p->at - name - 1);
    const struct value *found = dict_find(p->values.as.dict, name, size);
    if (!found)
        return sandbox_fail(s, "KeyError: '%.*s'", (int)size, name);
    p->used = 1;
    *out = *found;
    return 0;
}

/* Digits, or a star that takes a value. */
static int read_width(struct sandbox *s, struct percent *p, int most,
                      int *out)
{
    struct value v;
    int64_t i = 0;
    if (p->at < p->end && *p->at == '*') {
        p->at++;
        if (next_value(s, p, &v))
            return -1;
        if (!value_is_int(v, &i))
            return sandbox_fail(s, "* wants int");
    } else
        for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
            if (i <= most)
                i = i * 10 + (*p->at - '0');
    if (i > most || i < -most)
        return sandbox_fail(s, "a format asks for more than %d characters",
                            most);
    *out = (int)i;
    return 0;
}

static void read_percent_flags(struct percent *p, struct format_spec *f,
                               bool *zero)
{
    *zero = false;
    for (; p->at < p->end && strchr("-+ #0", *p->at) && *p->at; p->at++)
        switch (*p->at) {
        case '-':
            f->align = '<';
            break;
        case '+':
            f->sign = '+';
            break;
        case ' ':
            f->sign = f->sign ? f->sign : ' ';
            break;
        case '#':
            f->alternate = true;
            break;
        default:
            *zero = true;
        }
}

static int write_whole(struct sandbox *s, struct percent *p,
                       struct format_spec *f, struct value v)
{
    int64_t i;
    if (v.type == VALUE_FLOAT && !strchr("oxX", f->type)) {
        if (!isfinite(v.as.real))
            return sandbox_fail(s, "cannot convert this float to an integer");
        if (fabs(v.as.real) >= 9.2e18)
            return sandbox_fail(s, "a whole number needs more than 64 bits");
        v = value_int((int64_t)v.as.real);
    }
    if (!value_is_int(v, &i))
        return sandbox_fail(s, "%%%c format: a number is required, not %s",
                            f->type, value_type_name(v));
    if (strchr("iu", f->type))
        f->type = 'd';
    return write_formatted_int(s, f, i, &p->out);
}

static int write_one_character(struct sandbox *s, struct percent *p,
                               struct format_spec *f, struct value v)
{
    int64_t i;
    f->precision = -1;
    if (v.type == VALUE_STRING && v.as.text->length == 1)
        return write_formatted_text(s, f, v.as.text, &p->out);
    if (!value_is_int(v, &i) || i < 0 || i > 0x10ffff ||
        (i >= 0xd800 && i < 0xe000))
        return sandbox_fail(s, "%%c requires int or char");
    return write_formatted_character(s, f, (uint32_t)i, &p->out);
}

static int write_as_text(struct sandbox *s, struct percent *p,
                         const struct format_spec *f, struct value v)
{
    struct value text = v;
    struct bytes written = {0};
    if (f->type == 's') {
        if (p->safe ? value_escape(s, v, &text) : value_to_string(s, v, &text))
            return -1;
    } else {
        if (value_repr(s, v, &written)) {
            bytes_free(&written);
            return -1;
        }
        if (value_take_bytes(s, &written, &text) ||
            (f->type == 'a' && value_ascii(s, text, &text)) ||
            (p->safe && value_escape(s, text, &text)))
            return -1;
    }
    return write_formatted_text(s, f, text.as.text, &p->out);
}

static int write_one(struct sandbox *s, struct percent *p,
                     struct format_spec *f, bool zero, struct value v)
{
    double d;
    if (zero && !f->align && strchr("diuoxXeEfFgG", f->type)) {
        f->align = '=';
        strcpy(f->fill, "0");
    }
    if (!f->align)
        f->align = '>';
    if (strchr("sra", f->type))
        return write_as_text(s, p, f, v);
    if (f->type == 'c')
        return write_one_character(s, p, f, v);
    if (strchr("diuoxX", f->type))
        return write_whole(s, p, f, v);
    if (!value_is_number(v, &d))
        return sandbox_fail(s, "must be real number, not %s",
                            value_type_name(v));
    return write_formatted_float(s, f, d, &p->out);
}

/* What stands behind a '%'. */
static int write_place(struct sandbox *s, struct percent *p)
{
    struct format_spec f = {.precision = -1};
    struct value v = {VALUE_ABSENT, false, {0}};
    bool zero;
    if (p->at < p->end && *p->at == '%') {
        bytes_add(&p->out, p->at++, 1);
        return 0;
    }
    if (p->at < p->end && *p->at == '(' && named_value(s, p, &v))
        return -1;
    read_percent_flags(p, &f, &zero);
    if (read_width(s, p, FORMAT_WIDTH, &f.width))
        return -1;
    if (f.width < 0) {
        f.width = -f.width;
        f.align = '<';
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (read_width(s, p, FORMAT_PRECISION, &f.precision))
            return -1;
        f.precision = f.precision < 0 ? 0 : f.precision;
    }
    while (p->at < p->end && *p->at && strchr("hlL", *p->at))
        p->at++;
    if (p->at == p->end)
        return sandbox_fail(s, "incomplete format");
    f.type = *p->at++;
    if (!f.type || !strchr("sracdiuoxXeEfFgG", f.type))
        return sandbox_fail(s, "unsupported format character 0x%02x",
                            (unsigned char)f.type);
    if (v.type == VALUE_ABSENT && next_value(s, p, &v))
        return -1;
    return write_one(s, p, &f, zero, v);
}

/* What has [] and is neither tuple nor string may stay unused: Python takes it
 * for a dictionary. */
static bool has_items(struct value v)
{
    return v.type == VALUE_DICT || v.type == VALUE_LIST ||
           v.type == VALUE_RANGE || v.type == VALUE_UNDEFINED;
}

static int write_percent_text(struct sandbox *s, struct percent *p)
{
    while (p->at < p->end) {
        const char *mark = memchr(p->at, '%', (size_t)(p->end - p->at));
        const char *to = mark ? mark : p->end;
        bytes_add(&p->out, p->at, (size_t)(to - p->at));
        p->at = mark ? mark + 1 : to;
        if (mark && (sandbox_work(s, 0) || write_place(s, p)))
            return -1;
    }
    bool all = p->used >= p->list->size;
    if (!all && !has_items(p->values))
        return sandbox_fail(
            s, "not all arguments converted during string formatting");
    return 0;
}

int format_percent(struct sandbox *s, struct value text, struct value values,
                   struct value *out)
{
    const struct text *t = text.as.text;
    struct value_list one = {.items = &values, .size = 1};
    struct percent p = {
        .at = t->data,
        .end = t->data + t->size,
        .values = values,
        .list = values.type == VALUE_TUPLE ? values.as.list : &one,
        .safe = text.safe};
    if (sandbox_work(s, t->size) || write_percent_text(s, &p)) {
        bytes_free(&p.out);
        return -1;
    }
    int result = value_take_bytes(s, &p.out, out);
    out->safe = text.safe;
    return result;
}
