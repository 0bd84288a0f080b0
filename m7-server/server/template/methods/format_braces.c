/* "{}".format(value): see format.h. */
#include "format.h"

#include "arithmetic.h"
#include "methods.h"
#include "unicode.h"
#include "written.h"

#include <ctype.h>
#include <string.h>

struct braces {
    const struct arguments *arguments;
    size_t next; /* of the places without a number */
    bool counted, numbered; /* some had none, some had one */
    bool safe;
};

static bool read_small_number(struct text *t, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    for (; n < t->size && isdigit((unsigned char)t->data[n]); n++)
        if (*out < 1000000000)
            *out = *out * 10 + (t->data[n] - '0');
    t->data += n;
    t->size -= n;
    return n > 0;
}

/* The value that a name, a number or nothing stands for. */
static int first_value(struct sandbox *s, struct braces *b,
                       const struct text *name, struct value *out)
{
    struct text rest = *name;
    int64_t i = 0;
    bool number = read_small_number(&rest, &i) && rest.size == 0;
    if (name->size == 0 || number) {
        size_t at = number ? (size_t)i : b->next++;
        *(number ? &b->numbered : &b->counted) = true;
        if (b->numbered && b->counted)
            return sandbox_fail(s, "a format's places are all numbered or "
                                   "none is");
        if (at >= b->arguments->n)
            return sandbox_fail(s, "Replacement index %zu out of range for "
                                   "positional args tuple", at);
        *out = b->arguments->items[at];
        return 0;
    }
    for (size_t k = 0; k < b->arguments->n_keywords; k++)
        if (text_equals(b->arguments->keywords[k].name, name)) {
            *out = b->arguments->keywords[k].value;
            return 0;
        }
    return sandbox_fail(s, "KeyError: '%.*s'", (int)name->size, name->data);
}

/* A part of `field` up to one of `ends`. */
static int cut_name(struct sandbox *s, struct text *field, const char *ends,
                    struct value *out)
{
    size_t n = 0;
    while (n < field->size &&
           !(field->data[n] && strchr(ends, field->data[n])))
        n++;
    if (value_string(s, field->data, n, out))
        return -1;
    field->data += n;
    field->size -= n;
    return 0;
}

static int bracket_part(struct sandbox *s, struct text *field,
                        struct value *v)
{
    struct value key;
    int64_t i;
    if (cut_name(s, field, "]", &key))
        return -1;
    if (!field->size)
        return sandbox_fail(s, "Missing ']' in format string");
    field->data++;
    field->size--;
    struct text digits = *key.as.text;
    if (read_small_number(&digits, &i) && digits.size == 0)
        key = value_int(i);
    return value_get_item(s, *v, key, v);
}

/* name.attribute[key] */
static int field_value(struct sandbox *s, struct braces *b,
                       struct text field, struct value *out)
{
    struct value name;
    if (cut_name(s, &field, ".[", &name) ||
        first_value(s, b, name.as.text, out))
        return -1;
    while (field.size) {
        char mark = *field.data++;
        field.size--;
        if (mark == '[') {
            if (bracket_part(s, &field, out))
                return -1;
        } else if (mark != '.')
            return sandbox_fail(s, "Only '.' or '[' may follow ']' in format "
                                   "field specifier");
        else if (cut_name(s, &field, ".[", &name) ||
                 value_get_attribute(s, *out, name.as.text, out))
            return -1;
    }
    return 0;
}

static bool take_one_of(struct text *t, const char *marks, char *out)
{
    if (!t->size || !*t->data || !strchr(marks, *t->data))
        return false;
    *out = *t->data++;
    t->size--;
    return true;
}

/* [[fill]align] */
static void read_align(struct text *t, struct format_spec *f)
{
    size_t length = 0;
    if (t->size)
        utf8_decode(t->data, &length);
    if (length && t->size > length && strchr("<>=^", t->data[length]) &&
        t->data[length]) {
        memcpy(f->fill, t->data, length);
        f->align = t->data[length];
        t->data += length + 1;
        t->size -= length + 1;
    } else
        take_one_of(t, "<>=^", &f->align);
}

/* [[fill]align][sign][#][0][width][group][.precision][type] */
static int read_spec(struct sandbox *s, struct text t, bool is_number,
                     struct format_spec *f)
{
    int64_t number = 0;
    char mark;
    read_align(&t, f);
    bool has_sign = take_one_of(&t, "+- ", &f->sign);
    if (f->sign == '-')
        f->sign = 0;
    f->alternate = take_one_of(&t, "#", &mark);
    if (!is_number && (has_sign || f->alternate))
        return sandbox_fail(s, "a sign or # in a format that is not a "
                               "number's");
    if (!*f->fill && take_one_of(&t, "0", &mark)) {
        strcpy(f->fill, "0");
        if (!f->align && is_number)
            f->align = '=';
    }
    if (read_small_number(&t, &number) && number > FORMAT_WIDTH)
        return sandbox_fail(s, "a format asks for too many characters");
    f->width = (int)number;
    take_one_of(&t, ",_", &f->group);
    if (take_one_of(&t, ".", &mark)) {
        if (!read_small_number(&t, &number))
            return sandbox_fail(s, "Format specifier missing precision");
        if (number > FORMAT_PRECISION)
            return sandbox_fail(s, "a format asks for too many digits");
        f->precision = (int)number;
    }
    take_one_of(&t, "sbcdoxXneEfFgG%", &f->type);
    return t.size ? sandbox_fail(s, "Invalid format specifier") : 0;
}

/* Separators stand in decimal numbers; "_" in the others, too. */
static int check_group(struct sandbox *s, const struct format_spec *f,
                       bool is_number)
{
    const char *types = f->group == '_' ? "dboxXeEfFgG%" : "deEfFgG%";
    if (!f->group || (is_number && (!f->type || strchr(types, f->type))))
        return 0;
    return sandbox_fail(s, "Cannot specify '%c' with this format", f->group);
}

/* "{:c}": the character of a number. */
static int write_numbered(struct sandbox *s, struct format_spec *f, int64_t i,
                          struct bytes *out)
{
    if (f->sign || f->group || f->precision >= 0)
        return sandbox_fail(s, "nothing but a width goes with the format 'c'");
    if (i < 0 || i > 0x10ffff || (i >= 0xd800 && i < 0xe000))
        return sandbox_fail(s, "%%c arg not in range(0x110000)");
    f->align = f->align ? f->align : '>';
    return write_formatted_character(s, f, (uint32_t)i, out);
}

static int write_field(struct sandbox *s, const struct braces *b,
                       struct value v, struct text spec, struct bytes *out)
{
    struct format_spec f = {.precision = -1};
    int64_t i;
    if (b->safe && v.type != VALUE_INT && v.type != VALUE_FLOAT &&
        value_escape(s, v, &v))
        return -1;
    if (!spec.size)
        return value_str(s, v, out);
    double d = 0;
    bool is_number = value_is_number(v, &d), is_int = value_is_int(v, &i);
    if (read_spec(s, spec, is_number, &f) || check_group(s, &f, is_number))
        return -1;
    bool floating = f.type && strchr("eEfFgG%", f.type);
    if (f.type == 'n' && is_number) {
        floating = !is_int;
        f.type = is_int ? 'd' : 'g';
    }
    if (is_int && f.type == 'c')
        return write_numbered(s, &f, i, out);
    if (is_int && !floating && f.type != 's') {
        if (f.precision >= 0)
            return sandbox_fail(
                s, "Precision not allowed in integer format specifier");
        return write_formatted_int(s, &f, i, out);
    }
    if (is_number && (floating || !f.type))
        return write_formatted_float(s, &f, d, out);
    if (v.type != VALUE_STRING)
        return sandbox_fail(
            s, "unsupported format string passed to %s.__format__",
            value_type_name(v));
    if ((f.type && f.type != 's') || f.align == '=')
        return sandbox_fail(s, "Unknown format code for object of type 'str'");
    return write_formatted_text(s, &f, v.as.text, out);
}

/* "!r", "!s" and "!a" behind the name. */
static int convert(struct sandbox *s, char conversion, struct value *v)
{
    struct bytes written = {0};
    if (!conversion)
        return 0;
    if (conversion == 's')
        return value_to_string(s, *v, v);
    if (conversion != 'r' && conversion != 'a')
        return sandbox_fail(s, "Unknown conversion specifier 0x%02x",
                            (unsigned char)conversion);
    if (value_repr(s, *v, &written)) {
        bytes_free(&written);
        return -1;
    }
    if (value_take_bytes(s, &written, v))
        return -1;
    return conversion == 'a' ? value_ascii(s, *v, v) : 0;
}

static int format_into(struct sandbox *s, struct braces *b, struct text t,
                       int depth, struct bytes *out);

/* What stands between two braces, (size,): name, "!r", ":" and how. */
static int write_braced(struct sandbox *s, struct braces *b, struct text t,
                        int depth, struct bytes *out)
{
    size_t n = 0;
    bool bracket = false;
    for (; n < t.size && (bracket || (t.data[n] != ':' && t.data[n] != '!'));
         n++)
        bracket = t.data[n] == '[' || (bracket && t.data[n] != ']');
    struct value v;
    struct text rest = {t.data + n, t.size - n, 0};
    char conversion = 0;
    if (field_value(s, b, (struct text){t.data, n, 0}, &v))
        return -1;
    if (rest.size > 1 && *rest.data == '!') {
        conversion = rest.data[1];
        rest.data += 2;
        rest.size -= 2;
    }
    if (rest.size && *rest.data != ':')
        return sandbox_fail(s, "expected ':' after conversion specifier");
    struct text spec = {rest.data + 1, rest.size ? rest.size - 1 : 0, 0};
    struct bytes made = {0};
    int result = convert(s, conversion, &v);
    if (!result && rest.size)
        result = format_into(s, b, spec, depth + 1, &made);
    spec = (struct text){made.data, made.size, 0};
    if (!result && made.failed)
        result = fail_memory(s->error, "a format");
    if (!result)
        result = write_field(s, b, v, spec, out);
    bytes_free(&made);
    return result;
}

/* Where the brace ends that was opened before `at`. */
static size_t closing(struct text t, size_t at)
{
    int depth = 1;
    for (; at < t.size; at++) {
        depth += (t.data[at] == '{') - (t.data[at] == '}');
        if (!depth)
            return at;
    }
    return SIZE_MAX;
}

static int format_into(struct sandbox *s, struct braces *b, struct text t,
                       int depth, struct bytes *out)
{
    if (depth > 2)
        return sandbox_fail(s, "Max string recursion exceeded");
    for (size_t i = 0; i < t.size; i++) {
        char c = t.data[i];
        bool twice = i + 1 < t.size && t.data[i + 1] == c && depth == 0;
        if ((c != '{' && c != '}') || twice) {
            bytes_add(out, &c, 1);
            i += twice && (c == '{' || c == '}');
            continue;
        }
        size_t end = c == '{' ? closing(t, i + 1) : SIZE_MAX;
        if (end == SIZE_MAX)
            return sandbox_fail(s, "Single '%c' encountered in format string",
                                c);
        struct text field = {t.data + i + 1, end - i - 1, 0};
        if (sandbox_work(s, field.size) ||
            write_braced(s, b, field, depth, out))
            return -1;
        i = end;
    }
    return sandbox_room(s, out->size);
}

int format_braces(struct sandbox *s, struct value text,
                  const struct arguments *a, struct value *out)
{
    struct braces b = {.arguments = a, .safe = text.safe};
    struct bytes made = {0};
    if (sandbox_work(s, text.as.text->size) ||
        format_into(s, &b, *text.as.text, 0, &made)) {
        bytes_free(&made);
        return -1;
    }
    int result = value_take_bytes(s, &made, out);
    out->safe = text.safe;
    return result;
}
