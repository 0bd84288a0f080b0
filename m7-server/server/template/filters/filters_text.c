/* Filters of text: see built_ins.h. */
#include "built_ins.h"

#include "arithmetic.h"
#include "characters.h"
#include "dict.h"
#include "format.h"
#include "iterate.h"
#include "methods.h"
#include "subscript.h"
#include "unicode.h"
#include "written.h"

#include <string.h>

/* The value as a string, which keeps its mark as safe. */
static int text_of(struct sandbox *s, struct value v, struct value *out)
{
    if (v.type != VALUE_STRING)
        return value_to_string(s, v, out);
    *out = v;
    return 0;
}

/* One of the methods of strings, of any value's text. */
static int by_method(struct sandbox *s, const struct call *c,
                     const char *name, struct value *out)
{
    struct methods m = methods_of_characters();
    struct arguments none = {0};
    struct value text;
    if (text_of(s, c->self, &text))
        return -1;
    const struct built_in *method =
        built_in_find(m.rows, m.n, name, strlen(name));
    return built_in_call(s, method, text, &none, out);
}

static int filter_upper(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return by_method(s, c, "upper", out);
}

static int filter_lower(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return by_method(s, c, "lower", out);
}

static int filter_capitalize(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    return by_method(s, c, "capitalize", out);
}

/* What begins a word: white space and some marks stand before it. */
static bool before_word(uint32_t code)
{
    return character_is_space(code) ||
           (code < 128 && code && strchr("-({[<", (int)code));
}

static int filter_title(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct bytes made = {0};
    struct value text;
    bool begins = true;
    if (text_of(s, c->self, &text) ||
        sandbox_work(s, text.as.text->size * 4))
        return -1;
    const struct text *t = text.as.text;
    size_t i = 0;
    while (i < t->size) {
        size_t length;
        bool mark = before_word(utf8_decode(t->data + i, &length));
        size_t end = i + length;
        if (begins && !mark)
            write_upper(t->data + i, length, &made);
        else if (mark)
            bytes_add(&made, t->data + i, length);
        else {
            while (end < t->size &&
                   !before_word(utf8_decode(t->data + end, &length)))
                end += length;
            write_lower(t->data + i, end - i, &made);
        }
        begins = mark;
        i = end;
    }
    return value_take_bytes(s, &made, out);
}

static int filter_trim(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    const struct text *set = NULL;
    struct value text;
    if (c->a[0].type != VALUE_NONE &&
        argument_text(s, c->a[0], "strip arg", &set))
        return -1;
    return text_of(s, c->self, &text) || text_strip(s, text, set, out) ? -1
                                                                       : 0;
}

static int filter_replace(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    struct value text, old, new;
    int64_t count = -1;
    if (c->a[2].type != VALUE_NONE && argument_int(s, c->a[2], &count))
        return -1;
    if (value_to_string(s, c->self, &text) ||
        value_to_string(s, c->a[0], &old) || value_to_string(s, c->a[1], &new))
        return -1;
    return text_replace(s, text.as.text, old.as.text, new.as.text, count, out);
}

static int filter_string(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    return text_of(s, c->self, out);
}

static int filter_safe(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    if (value_to_string(s, c->self, out))
        return -1;
    out->safe = true;
    return 0;
}

static int filter_escape(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    return value_escape(s, c->self, out);
}

static int filter_center(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    int64_t width = 80;
    struct value text;
    if (argument_int(s, c->a[0], &width) || text_of(s, c->self, &text))
        return -1;
    return text_pad(s, text, width, " ", 1, 0, out);
}

static int filter_wordcount(struct sandbox *s, const struct call *c,
                            struct value *out)
{
    struct value text;
    size_t n = 0;
    bool inside = false;
    if (text_of(s, c->self, &text) || sandbox_work(s, text.as.text->size))
        return -1;
    for (size_t i = 0, length; i < text.as.text->size; i += length) {
        uint32_t code = utf8_decode(text.as.text->data + i, &length);
        bool word = code == '_' || character_is_letter(code) ||
                    character_is_numeric(code);
        n += word && !inside;
        inside = word;
    }
    *out = value_size(n);
    return 0;
}

static int filter_format(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    struct value text, values;
    const struct arguments *a = c->raw;
    if (a->n && a->n_keywords)
        return sandbox_fail(s, "can't handle positional and keyword arguments "
                               "at the same time");
    if (text_of(s, c->self, &text))
        return -1;
    if (a->n_keywords) {
        if (dict_new(s, &values))
            return -1;
        for (size_t i = 0; i < a->n_keywords; i++)
            if (dict_set(s, values.as.dict,
                         value_of_text(a->keywords[i].name),
                         a->keywords[i].value))
                return -1;
    } else {
        if (value_new_list(s, VALUE_TUPLE, a->n, &values))
            return -1;
        for (size_t i = 0; i < a->n; i++)
            values.as.list->items[values.as.list->size++] = a->items[i];
    }
    return format_percent(s, text, values, out);
}

/* The first line stays; blank ones do, too, unless `blank`. */
static int indent_lines(struct sandbox *s, const struct value_list *lines,
                        const struct text *by, const struct call *c,
                        struct value *out)
{
    bool first = value_truth(c->a[1]), blank = value_truth(c->a[2]);
    struct bytes made = {0};
    if (first)
        bytes_add(&made, by->data, by->size);
    for (size_t i = 0; i < lines->size; i++) {
        const struct text *line = lines->items[i].as.text;
        if (i)
            bytes_add(&made, "\n", 1);
        if (i && (line->size || blank))
            bytes_add(&made, by->data, by->size);
        bytes_add(&made, line->data, line->size);
        if (sandbox_room(s, made.size)) {
            bytes_free(&made);
            return -1;
        }
    }
    return value_take_bytes(s, &made, out);
}

/* A width in blanks, or the text itself. */
static int indent_by(struct sandbox *s, struct value v, struct value *out)
{
    int64_t width = 4;
    struct value blank;
    if (v.type == VALUE_STRING) {
        *out = v;
        return 0;
    }
    if (argument_int(s, v, &width) || value_constant(s, " ", 1, &blank))
        return -1;
    return value_operate(s, ARITHMETIC_MULTIPLY, blank, value_int(width), out);
}

static int filter_indent(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    struct value by, newline, text, lines;
    if (indent_by(s, c->a[0], &by) || value_constant(s, "\n", 1, &newline) ||
        value_operate(s, ARITHMETIC_ADD, c->self, newline, &text) ||
        text_lines(s, text.as.text, false, &lines) ||
        indent_lines(s, lines.as.list, by.as.text, c, out))
        return -1;
    out->safe = c->self.safe;
    return 0;
}

/* Cut to `length` characters, the end mark among them, at a word's end. */
static int cut_words(struct sandbox *s, struct value text, int64_t length,
                     struct value end, bool anywhere, struct value *out)
{
    struct value cut;
    size_t keep = (size_t)(length - (int64_t)end.as.text->length);
    if (text_cut(s, text.as.text, 0, keep, &cut))
        return -1;
    size_t size = cut.as.text->size;
    while (!anywhere && size > 0 && cut.as.text->data[size - 1] != ' ')
        size--;
    if (!anywhere && size &&
        value_constant(s, cut.as.text->data, size - 1, &cut))
        return -1;
    cut.safe = text.safe;
    return value_operate(s, ARITHMETIC_ADD, cut, end, out);
}

static int filter_truncate(struct sandbox *s, const struct call *c,
                           struct value *out)
{
    const struct text dots = {"...", 3, 3}, *end = &dots;
    struct value mark = c->a[2];
    int64_t length = 255, leeway = 5;
    size_t size;
    if (!value_has_length(c->self, &size))
        return sandbox_fail(s, "object of type '%s' has no len()",
                            value_type_name(c->self));
    if (argument_int(s, c->a[0], &length) ||
        argument_text(s, c->a[2], "end", &end) ||
        (c->a[3].type != VALUE_NONE && argument_int(s, c->a[3], &leeway)))
        return -1;
    if (length < (int64_t)end->length || leeway < 0)
        return sandbox_fail(s, "truncate: the length or the leeway is too "
                               "small");
    *out = c->self;
    if (leeway > INT64_MAX - length || (int64_t)size <= length + leeway)
        return 0;
    if (c->self.type != VALUE_STRING)
        return sandbox_fail(s, "truncate cuts a string, not %s",
                            value_type_name(c->self));
    if (mark.type == VALUE_ABSENT)
        mark = value_of_text(end);
    return cut_words(s, c->self, length, mark, value_truth(c->a[1]), out);
}

static void quote(const struct text *t, bool query, struct bytes *out)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < t->size; i++) {
        unsigned char c = (unsigned char)t->data[i];
        bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || (c && strchr("_.-~", c)) ||
                    (c == '/' && !query);
        const char escaped[3] = {'%', digits[c >> 4], digits[c & 15]};
        if (kept)
            bytes_add(out, t->data + i, 1);
        else if (c == ' ' && query)
            bytes_add(out, "+", 1);
        else
            bytes_add(out, escaped, 3);
    }
}

/* key=value&key=value */
static int quote_pairs(struct sandbox *s, struct value list,
                       struct bytes *out)
{
    for (size_t i = 0; i < list.as.list->size; i++) {
        struct value pair, text;
        if (value_collect(s, list.as.list->items[i], VALUE_LIST, &pair))
            return -1;
        if (pair.as.list->size != 2)
            return sandbox_fail(s, "urlencode takes pairs");
        for (size_t k = 0; k < 2; k++) {
            if (value_to_string(s, pair.as.list->items[k], &text))
                return -1;
            bytes_add(out, k ? "=" : i ? "&" : "", k || i ? 1 : 0);
            quote(text.as.text, true, out);
        }
    }
    return 0;
}

static int filter_urlencode(struct sandbox *s, const struct call *c,
                            struct value *out)
{
    struct bytes made = {0};
    struct value v = c->self, list;
    bool pairs = v.type != VALUE_STRING && value_iterable(v);
    int result;
    if (v.type == VALUE_DICT) {
        struct methods m = methods_of_collections(VALUE_DICT);
        struct arguments none = {0};
        if (built_in_call(s, built_in_find(m.rows, m.n, "items", 5), v, &none,
                          &v))
            return -1;
    }
    if (pairs)
        result = value_collect(s, v, VALUE_LIST, &list) ||
                         quote_pairs(s, list, &made)
                     ? -1
                     : 0;
    else if (!(result = value_to_string(s, v, &list)))
        quote(list.as.text, false, &made);
    if (!result)
        return value_take_bytes(s, &made, out);
    bytes_free(&made);
    return -1;
}

struct built_ins filters_of_text(void)
{
    static const struct built_in rows[] = {
        {"upper", "", filter_upper},
        {"lower", "", filter_lower},
        {"capitalize", "", filter_capitalize},
        {"title", "", filter_title},
        {"trim", "|chars", filter_trim},
        {"replace", "old new |count", filter_replace},
        {"string", "", filter_string},
        {"safe", "", filter_safe},
        {"escape", "", filter_escape},
        {"e", "", filter_escape},
        {"center", "|width", filter_center},
        {"wordcount", "", filter_wordcount},
        {"format", "*", filter_format},
        {"indent", "|width first blank", filter_indent},
        {"truncate", "|length killwords end leeway", filter_truncate},
        {"urlencode", "", filter_urlencode},
    };
    return (struct built_ins){rows, sizeof rows / sizeof *rows};
}
