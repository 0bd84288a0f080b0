/* JSON values that know where they stand: see json.h.  Knows nothing of what
 * the files mean.  The parser itself is jansson. */
#include "json.h"

#include "buffer.h"
#include "unicode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Open a file for reading.  A pipe would wait for its writer, and a device
 * may never end. */
static FILE *open_file(const char *path, struct error *e)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        fail(e, ERROR_INPUT, "%s: is not a regular file", path);
        return NULL;
    }
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_errno(e, path);
    return f;
}

json_t *json_read_file(const char *path, struct error *e)
{
    FILE *f = open_file(path, e);
    if (!f)
        return NULL;
    struct bytes text = {0};
    json_t *root = NULL;
    if (bytes_read(&text, f, path, e) == 0)
        root = json_parse(text.data, text.size, path, 0, e);
    bytes_free(&text);
    fclose(f);
    return root;
}

json_t *json_parse(const char *text, size_t size, const char *name,
                   size_t offset, struct error *e)
{
    json_error_t why;
    json_t *root = json_loadb(
        size ? text : "", size,
        JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &why);
    if (!root && why.line < 0) /* jansson names no place but in the text */
        fail_memory(e, name);
    else if (!root)
        fail(e, ERROR_INPUT, "%s: not JSON: %s (line %d, column %d, byte %zu)",
             name, why.text, why.line, why.column,
             offset + (size_t)why.position);
    return root;
}

struct node node_root(const char *file, json_t *value)
{
    return (struct node){.file = file, .value = value};
}

struct node node_member(const struct node *object, const char *key)
{
    return (struct node){.file = object->file,
                         .parent = object,
                         .key = key,
                         .value = json_object_get(object->value, key)};
}

struct node node_element(const struct node *array, size_t index)
{
    return (struct node){.file = array->file,
                         .parent = array,
                         .index = index,
                         .value = json_array_get(array->value, index)};
}

bool node_has(const struct node *n)
{
    return n->value && !json_is_null(n->value);
}

/* Append a member's name, or the first 80 bytes of a longer one, so that
 * there is room in the message for what is wrong. */
static void add_key(struct bytes *out, const char *key)
{
    size_t size = strlen(key);
    size_t most = size < 80 ? size : 80;
    while (most < size && ((unsigned char)key[most] & 0xC0) == 0x80)
        most--;
    bytes_add(out, key, most);
    if (most < size)
        bytes_add_string(out, "...");
}

/* The way from the root to the value: "model.merges[17]". */
static void path_of(const struct node *n, struct bytes *out)
{
    if (!n->parent)
        return;
    path_of(n->parent, out);
    if (n->key) {
        bytes_add_string(out, out->size > 0 ? "." : "");
        add_key(out, n->key);
        return;
    }
    char index[32];
    snprintf(index, sizeof index, "[%zu]", n->index);
    bytes_add_string(out, index);
}

int node_fail(const struct node *n, enum error_code code, struct error *e,
              const char *format, ...)
{
    struct bytes path = {0};
    path_of(n, &path);
    if (path.size > 0)
        bytes_add_string(&path, ": ");
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fail(e, code, "%s: %.*s%s", n->file, (int)path.size,
         path.data ? path.data : "", what);
    bytes_free(&path);
    return -1;
}

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "null";
    }
}

/* The error of a value that is absent or of another type than expected. */
static int unexpected(const struct node *n, const char *expected,
                      struct error *e)
{
    if (!n->value)
        return node_fail(n, ERROR_INPUT, e, "is missing: expected %s",
                         expected);
    return node_fail(n, ERROR_INPUT, e, "expected %s, found %s", expected,
                     type_name(n->value));
}

int node_text(const struct node *n, const char **out, size_t *size,
              struct error *e)
{
    if (!json_is_string(n->value))
        return unexpected(n, "a string", e);
    *out = json_string_value(n->value);
    *size = json_string_length(n->value);
    return 0;
}

int node_string(const struct node *n, const char **out, struct error *e)
{
    size_t size = 0;
    if (node_text(n, out, &size, e))
        return -1;
    if (strlen(*out) != size)
        return node_fail(n, ERROR_INPUT, e, "holds a zero byte");
    return 0;
}

int node_name(const struct node *n, const char **out, struct error *e)
{
    size_t length;
    if (node_string(n, out, e))
        return -1;
    for (const char *c = *out; *c; c += length)
        if (unicode_is_control(utf8_decode(c, &length)))
            return node_fail(n, ERROR_INPUT, e, "holds a control character");
    return 0;
}

int node_bool(const struct node *n, bool *out, struct error *e)
{
    if (!json_is_boolean(n->value))
        return unexpected(n, "true or false", e);
    *out = json_is_true(n->value);
    return 0;
}

int node_integer(const struct node *n, long long *out, struct error *e)
{
    if (!json_is_integer(n->value))
        return unexpected(n, "an integer", e);
    *out = json_integer_value(n->value);
    return 0;
}

int node_size(const struct node *n, size_t most, size_t *out, struct error *e)
{
    long long value = 0;
    if (node_integer(n, &value, e))
        return -1;
    if (value < 0 || (unsigned long long)value > most)
        return node_fail(n, ERROR_INPUT, e,
                         "expected an integer from 0 to %zu, found %lld", most,
                         value);
    *out = (size_t)value;
    return 0;
}

int node_number(const struct node *n, double *out, struct error *e)
{
    if (!json_is_number(n->value))
        return unexpected(n, "a number", e);
    *out = json_number_value(n->value);
    return 0;
}

int node_object(const struct node *n, struct error *e)
{
    return json_is_object(n->value) ? 0 : unexpected(n, "an object", e);
}

int node_array(const struct node *n, size_t *length, struct error *e)
{
    if (!json_is_array(n->value))
        return unexpected(n, "an array", e);
    *length = json_array_size(n->value);
    return 0;
}

int node_bool_or(const struct node *n, bool fallback, bool *out,
                 struct error *e)
{
    *out = fallback;
    return node_has(n) ? node_bool(n, out, e) : 0;
}

int node_size_or(const struct node *n, size_t most, size_t fallback,
                 size_t *out, struct error *e)
{
    *out = fallback;
    return node_has(n) ? node_size(n, most, out, e) : 0;
}

int node_number_or(const struct node *n, double fallback, double *out,
                   struct error *e)
{
    *out = fallback;
    return node_has(n) ? node_number(n, out, e) : 0;
}

int node_string_or(const struct node *n, const char *fallback,
                   const char **out, struct error *e)
{
    *out = fallback;
    return node_has(n) ? node_string(n, out, e) : 0;
}
