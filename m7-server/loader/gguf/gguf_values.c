/* The values of a GGUF file as JSON: see gguf_values in gguf.h. */
#include "gguf.h"

#include "gguf_cursor.h"
#include "json_write.h"
#include "unicode.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static json_t *take_gguf_value(struct gguf_cursor *c, enum gguf_type type,
                               struct error *e);

static json_t *take_string(struct gguf_cursor *c, struct error *e)
{
    const char *text;
    size_t size, start = c->at;
    if (cursor_text(c, &text, &size, e))
        return NULL;
    size_t valid = utf8_valid(text, size);
    if (valid < size) {
        cursor_fail(c, start + 8 + valid, ERROR_INPUT, e,
                    "a text that is not UTF-8");
        return NULL;
    }
    return json_stringn_nocheck(text, size);
}

static json_t *take_array(struct gguf_cursor *c, struct error *e)
{
    enum gguf_type type;
    size_t n;
    if (cursor_array(c, &type, &n, e))
        return NULL;
    if (n > GGUF_LIST) {
        cursor_fail(c, c->at - 8, ERROR_UNSUPPORTED, e,
                    "a list of %zu values, more than %d,", n, (int)GGUF_LIST);
        return NULL;
    }
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++)
        json_add(&array, take_gguf_value(c, type, e));
    return array;
}

static json_t *take_real(struct gguf_cursor *c, double value, size_t at,
                         struct error *e)
{
    if (!isfinite(value))
        cursor_fail(c, at, ERROR_INPUT, e, "a number that is not finite");
    return json_real(value);
}

/* The sign of a number of `width` bytes, carried to 64 bits. */
static int64_t with_sign(uint64_t value, size_t width)
{
    unsigned shift = 64 - 8 * (unsigned)width;
    return (int64_t)(value << shift) >> shift;
}

static json_t *take_number(struct gguf_cursor *c, enum gguf_type type,
                           struct error *e)
{
    const unsigned char *bytes = NULL;
    uint64_t bits = 0;
    float single;
    double real;
    size_t width = gguf_width(type), at = c->at;
    if (cursor_take(c, width, &bytes, e))
        return NULL;
    memcpy(&bits, bytes, width);
    memcpy(&single, &bits, sizeof single);
    memcpy(&real, &bits, sizeof real);
    if (type == GGUF_BOOL)
        return json_boolean(bits);
    if (type == GGUF_F32 || type == GGUF_F64)
        return take_real(c, type == GGUF_F32 ? (double)single : real, at, e);
    if (type == GGUF_I8 || type == GGUF_I16 || type == GGUF_I32 ||
        type == GGUF_I64)
        return json_integer(with_sign(bits, width));
    if (bits <= INT64_MAX)
        return json_integer((json_int_t)bits);
    cursor_fail(c, at, ERROR_INPUT, e, "%ju is more than a number can be,",
                (uintmax_t)bits);
    return NULL;
}

static json_t *take_gguf_value(struct gguf_cursor *c, enum gguf_type type,
                               struct error *e)
{
    if (type == GGUF_STRING)
        return take_string(c, e);
    if (type == GGUF_ARRAY)
        return take_array(c, e);
    return take_number(c, type, e);
}

static bool begins(const char *key, const char *prefix)
{
    return strncmp(key, prefix, strlen(prefix)) == 0;
}

json_t *gguf_values(const struct gguf *g, const char *prefix,
                    const char *except, struct error *e)
{
    json_t *all = json_object();
    e->code = ERROR_NONE;
    for (size_t i = 0; all && i < g->n_values; i++) {
        const struct gguf_value *v = &g->values[i];
        struct gguf_cursor c = {g, v->offset, "key", v->key, strlen(v->key)};
        if (begins(v->key, prefix) && !(except && begins(v->key, except)))
            json_put(&all, v->key, take_gguf_value(&c, v->type, e));
    }
    if (!all && e->code == ERROR_NONE)
        fail_memory(e, g->path);
    return all;
}
