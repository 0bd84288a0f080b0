/* Values as JSON: see dumps.h. */
#include "dumps.h"

#include "compare.h"
#include "dict.h"
#include "unicode.h"
#include "written.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct dumping {
    const struct dumps_style *style;
    size_t level;
    struct bytes out;
};

static void write_unit(unsigned unit, struct bytes *out)
{
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04x", unit & 0xffff);
    bytes_add_string(out, escape);
}

static void write_character(uint32_t code, bool ascii, struct bytes *out)
{
    static const char marks[] = "\"\\\n\r\t\f\b", names[] = "\"\\nrtfb";
    const char *mark = code && code < 128 ? strchr(marks, (int)code) : NULL;
    if (mark) {
        bytes_add(out, "\\", 1);
        bytes_add(out, names + (mark - marks), 1);
    } else if (code < ' ' || (ascii && code >= 127 && code < 0x10000))
        write_unit(code, out);
    else if (ascii && code >= 0x10000) {
        write_unit(0xd800 + ((code - 0x10000) >> 10), out);
        write_unit(0xdc00 + ((code - 0x10000) & 0x3ff), out);
    } else
        utf8_add(out, code);
}

static void write_text(const struct text *t, bool ascii, struct bytes *out)
{
    bytes_add(out, "\"", 1);
    for (size_t i = 0, length; i < t->size; i += length)
        write_character(utf8_decode(t->data + i, &length), ascii, out);
    bytes_add(out, "\"", 1);
}

static void write_real(double d, struct bytes *out)
{
    if (isnan(d))
        bytes_add_string(out, "NaN");
    else if (isinf(d))
        bytes_add_string(out, d < 0 ? "-Infinity" : "Infinity");
    else
        write_float(d, out);
}

static void new_line(struct dumping *d)
{
    if (!d->style->indented)
        return;
    bytes_add(&d->out, "\n", 1);
    for (size_t i = 0; i < d->level; i++)
        bytes_add(&d->out, d->style->indent->data, d->style->indent->size);
}

static void next_item(struct dumping *d, size_t i)
{
    if (i)
        bytes_add(&d->out, d->style->item->data, d->style->item->size);
    new_line(d);
}

static int write_value(struct sandbox *s, struct dumping *d, struct value v);

static int write_list(struct sandbox *s, struct dumping *d,
                      const struct value_list *l)
{
    bytes_add(&d->out, "[", 1);
    d->level++;
    for (size_t i = 0; i < l->size; i++) {
        next_item(d, i);
        if (write_value(s, d, l->items[i]))
            return -1;
    }
    d->level--;
    if (l->size)
        new_line(d);
    bytes_add(&d->out, "]", 1);
    return 0;
}

/* Names are strings; numbers, booleans and None become some. */
static int write_key(struct sandbox *s, struct dumping *d, struct value key)
{
    bool quoted = key.type == VALUE_STRING;
    if (!quoted && key.type != VALUE_INT && key.type != VALUE_FLOAT &&
        key.type != VALUE_BOOL && key.type != VALUE_NONE)
        return sandbox_fail(s, "keys must be str, int, float, bool or None, "
                               "not %s", value_type_name(key));
    if (!quoted)
        bytes_add(&d->out, "\"", 1);
    if (write_value(s, d, key))
        return -1;
    if (!quoted)
        bytes_add(&d->out, "\"", 1);
    bytes_add(&d->out, d->style->key->data, d->style->key->size);
    return 0;
}

/* The entries, in order of their keys where that is asked for. */
static int entries_of(struct sandbox *s, const struct dumping *d,
                      const struct value_dict *dict, struct value **keys,
                      struct value **values)
{
    *keys = sandbox_alloc(s, dict->size, sizeof **keys);
    *values = sandbox_alloc(s, dict->size, sizeof **values);
    if (!*keys || !*values)
        return -1;
    for (size_t i = 0; i < dict->size; i++) {
        (*keys)[i] = dict->entries[i].key;
        (*values)[i] = dict->entries[i].value;
    }
    if (!d->style->sort_keys)
        return 0;
    return value_sort(s, *values, *keys, dict->size, false);
}

static int write_dict(struct sandbox *s, struct dumping *d,
                      const struct value_dict *dict)
{
    struct value *keys, *values;
    if (entries_of(s, d, dict, &keys, &values))
        return -1;
    bytes_add(&d->out, "{", 1);
    d->level++;
    for (size_t i = 0; i < dict->size; i++) {
        next_item(d, i);
        if (write_key(s, d, keys[i]) || write_value(s, d, values[i]))
            return -1;
    }
    d->level--;
    if (dict->size)
        new_line(d);
    bytes_add(&d->out, "}", 1);
    return 0;
}

static int write_any(struct sandbox *s, struct dumping *d, struct value v)
{
    switch (v.type) {
    case VALUE_NONE:
        bytes_add_string(&d->out, "null");
        return 0;
    case VALUE_BOOL:
        bytes_add_string(&d->out, v.as.boolean ? "true" : "false");
        return 0;
    case VALUE_INT:
        write_int(v.as.integer, &d->out);
        return 0;
    case VALUE_FLOAT:
        write_real(v.as.real, &d->out);
        return 0;
    case VALUE_STRING:
        write_text(v.as.text, d->style->ascii, &d->out);
        return sandbox_work(s, v.as.text->size);
    case VALUE_LIST:
    case VALUE_TUPLE:
        return write_list(s, d, v.as.list);
    case VALUE_DICT:
        return write_dict(s, d, v.as.dict);
    default:
        return sandbox_fail(s, "Object of type %s is not JSON serializable",
                            value_type_name(v));
    }
}

static int write_value(struct sandbox *s, struct dumping *d, struct value v)
{
    if (sandbox_work(s, d->level * (d->style->indented ? 8 : 0)) ||
        sandbox_enter(s) || sandbox_room(s, d->out.size) ||
        write_any(s, d, v))
        return -1;
    sandbox_leave(s);
    return 0;
}

int value_dumps(struct sandbox *s, struct value v,
                const struct dumps_style *style, struct value *out)
{
    struct dumping d = {.style = style};
    if (write_value(s, &d, v)) {
        bytes_free(&d.out);
        return -1;
    }
    return value_take_bytes(s, &d.out, out);
}
