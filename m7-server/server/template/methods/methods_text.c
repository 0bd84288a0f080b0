/* Methods of strings that strip, replace, join and pad, and the table of all
 * but those that look at characters: see methods.h. */
#include "methods.h"

#include "arithmetic.h"
#include "characters.h"
#include "format.h"
#include "iterate.h"
#include "methods_split.h"
#include "written.h"

#include <string.h>

/* The set of characters that strip() was given; NULL: white space. */
static int strip_set(struct sandbox *s, const struct call *c,
                     const struct text **set)
{
    *set = NULL;
    if (c->a[0].type == VALUE_NONE)
        return 0;
    return argument_text(s, c->a[0], "strip arg", set);
}

static int strip(struct sandbox *s, const struct call *c, bool left,
                 bool right, struct value *out)
{
    const struct text *t = c->self.as.text, *set;
    if (strip_set(s, c, &set) || text_find_work(s, t, set))
        return -1;
    size_t start = left ? span_start(t->data, t->size, set) : 0;
    size_t end =
        right ? span_end(t->data + start, t->size - start, set) : 0;
    int result =
        value_constant(s, t->data + start, t->size - start - end, out);
    out->safe = c->self.safe;
    return result;
}

static int text_strip_method(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    return strip(s, c, true, true, out);
}

static int text_lstrip(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    return strip(s, c, true, false, out);
}

static int text_rstrip(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    return strip(s, c, false, true, out);
}

static int text_replace_method(struct sandbox *s, const struct call *c,
                               struct value *out)
{
    const struct text *old = NULL, *new = NULL;
    struct value escaped = c->a[1];
    int64_t count = -1;
    if (c->self.safe && value_escape(s, escaped, &escaped))
        return -1;
    if (argument_text(s, c->a[0], "replace() argument 1", &old) ||
        argument_text(s, escaped, "replace() argument 2", &new) ||
        argument_int(s, c->a[2], &count) ||
        text_replace(s, c->self.as.text, old, new, count, out))
        return -1;
    out->safe = c->self.safe;
    return 0;
}

static int text_join(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    struct bytes made = {0};
    struct iterator *i;
    struct value one;
    int more;
    if (iterate(s, c->a[0], &i))
        return -1;
    for (size_t n = 0; (more = iterator_next(s, i, &one)) > 0; n++) {
        if (one.type != VALUE_STRING && !c->self.safe)
            more = sandbox_fail(
                s, "sequence item %zu: expected str instance, %s found", n,
                value_type_name(one));
        else if (c->self.safe && value_escape(s, one, &one))
            more = -1;
        if (more > 0 && n > 0)
            bytes_add(&made, c->self.as.text->data, c->self.as.text->size);
        if (more < 0 || value_str(s, one, &made))
            break;
    }
    if (more) {
        bytes_free(&made);
        return -1;
    }
    int result = value_take_bytes(s, &made, out);
    out->safe = c->self.safe;
    return result;
}

static int pad_text(struct sandbox *s, const struct call *c, int align,
                    struct value *out)
{
    const struct text space = {" ", 1, 1}, *fill = &space;
    struct value with = c->a[1];
    int64_t width = 0;
    if (c->self.safe && with.type != VALUE_ABSENT &&
        value_escape(s, with, &with))
        return -1;
    if (argument_int(s, c->a[0], &width) ||
        argument_text(s, with, "the fill character", &fill))
        return -1;
    if (fill->length != 1)
        return sandbox_fail(
            s, "The fill character must be exactly one character long");
    return text_pad(s, c->self, width, fill->data, fill->size, align,
                    out);
}

static int text_center(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    return pad_text(s, c, 0, out);
}

static int text_ljust(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return pad_text(s, c, -1, out);
}

static int text_rjust(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return pad_text(s, c, 1, out);
}

/* Zeros go behind a sign. */
static int text_zfill(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    const struct text *t = c->self.as.text;
    int64_t width = 0;
    if (argument_int(s, c->a[0], &width))
        return -1;
    size_t sign = t->size && (*t->data == '-' || *t->data == '+');
    struct text rest = {t->data + sign, t->size - sign, t->length - sign};
    struct value padded = value_of_text(&rest);
    if (text_pad(s, padded, width - (int64_t)sign, "0", 1, 1, &padded))
        return -1;
    struct bytes made = {0};
    bytes_add(&made, t->data, sign);
    bytes_add(&made, padded.as.text->data, padded.as.text->size);
    int result = value_take_bytes(s, &made, out);
    out->safe = c->self.safe;
    return result;
}

static int text_removeprefix(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    const struct text *t = c->self.as.text, *part = NULL;
    if (argument_text(s, c->a[0], "removeprefix() argument", &part))
        return -1;
    size_t cut = part->size <= t->size &&
                         memcmp(t->data, part->data, part->size) == 0
                     ? part->size
                     : 0;
    int result = value_constant(s, t->data + cut, t->size - cut, out);
    out->safe = c->self.safe;
    return result;
}

static int text_removesuffix(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    const struct text *t = c->self.as.text, *part = NULL;
    if (argument_text(s, c->a[0], "removesuffix() argument", &part))
        return -1;
    bool has = part->size <= t->size &&
               memcmp(t->data + t->size - part->size, part->data,
                      part->size) == 0;
    size_t size = t->size - (has ? part->size : 0);
    int result = value_constant(s, t->data, size, out);
    out->safe = c->self.safe;
    return result;
}

static int text_format_method(struct sandbox *s, const struct call *c,
                              struct value *out)
{
    return format_braces(s, c->self, c->raw, out);
}

static int text_refused(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)c, (void)out;
    return sandbox_fail(s, "casefold, encode, expandtabs, format_map, "
                           "isidentifier, maketrans and translate are not "
                           "available in templates here");
}

struct methods methods_of_text(void)
{
    static const struct built_in rows[] = {
        {"strip", "|chars /", text_strip_method},
        {"lstrip", "|chars /", text_lstrip},
        {"rstrip", "|chars /", text_rstrip},
        {"split", "|sep maxsplit", text_split},
        {"rsplit", "|sep maxsplit", text_rsplit},
        {"splitlines", "|keepends", text_splitlines},
        {"partition", "sep /", text_partition},
        {"rpartition", "sep /", text_rpartition},
        {"startswith", "prefix |start end /", text_startswith},
        {"endswith", "suffix |start end /", text_endswith},
        {"find", "sub |start end /", text_find_method},
        {"rfind", "sub |start end /", text_rfind},
        {"index", "sub |start end /", text_index},
        {"rindex", "sub |start end /", text_rindex},
        {"count", "sub |start end /", text_count},
        {"replace", "old new |count /", text_replace_method},
        {"join", "iterable /", text_join},
        {"center", "width |fillchar /", text_center},
        {"ljust", "width |fillchar /", text_ljust},
        {"rjust", "width |fillchar /", text_rjust},
        {"zfill", "width /", text_zfill},
        {"removeprefix", "prefix /", text_removeprefix},
        {"removesuffix", "suffix /", text_removesuffix},
        {"format", "*", text_format_method},
        {"casefold", "*", text_refused},
        {"encode", "*", text_refused},
        {"expandtabs", "*", text_refused},
        {"format_map", "*", text_refused},
        {"isidentifier", "*", text_refused},
        {"maketrans", "*", text_refused},
        {"translate", "*", text_refused},
    };
    return (struct methods){rows, sizeof rows / sizeof *rows};
}
