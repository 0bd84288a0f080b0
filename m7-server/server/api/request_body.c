/* The body of a request: see request_body.h. */
#include "request_body.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum body_limits {
    MOST_LEVELS = 64 /* of lists and objects in each other */
};

/* The byte behind a string, whose text begins at `at`. */
static const char *pass_string(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* How many values a JSON text (size,) has, without parsing it: each but the
 * first stands behind a comma or a bracket that opens.  Of a text that is not
 * JSON, some number that is no smaller than what a parser makes of it. */
static size_t count_values(const char *text, size_t size)
{
    const char *end = text + size;
    size_t n = 1;
    bool opened = false; /* by the last byte that is no space */
    for (const char *at = text; at < end;) {
        char c = *at++;
        if (c == '"')
            at = pass_string(at, end);
        n += c == ',' || c == '[' || c == '{';
        n -= opened && (c == ']' || c == '}'); /* empty */
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            opened = c == '[' || c == '{';
    }
    return n;
}

static int refuse_values(struct api_error *a, size_t n)
{
    return api_fail(a, 413,
                    "request: expected up to %d values (numbers, strings, "
                    "lists, objects and words), found %zu",
                    MOST_VALUES, n);
}

static int check_json(const struct node *n, size_t levels,
                      struct api_error *a);

static int check_json_members(const struct node *object, size_t levels,
                              struct api_error *a)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        struct node member = node_member(object, key);
        if (check_json(&member, levels, a))
            return -1;
    }
    return 0;
}

static int check_json_elements(const struct node *array, size_t levels,
                               struct api_error *a)
{
    for (size_t i = 0; i < json_array_size(array->value); i++) {
        struct node element = node_element(array, i);
        if (check_json(&element, levels, a))
            return -1;
    }
    return 0;
}

/* No zero bytes, and at most `levels` of lists and objects. */
static int check_json(const struct node *n, size_t levels, struct api_error *a)
{
    const char *text;
    bool list = json_is_array(n->value), object = json_is_object(n->value);
    if (json_is_string(n->value) && node_string(n, &text, &a->why))
        return api_refuse_at(a, n, "invalid_value", "holds a zero byte");
    if ((list || object) && levels == 0)
        return api_refuse_at(a, n, "invalid_value",
                             "lies deeper than %d levels", MOST_LEVELS);
    if (list)
        return check_json_elements(n, levels - 1, a);
    return object ? check_json_members(n, levels - 1, a) : 0;
}

size_t values_in(const json_t *value)
{
    size_t n = 1;
    const char *key;
    json_t *member;
    for (size_t i = 0; i < json_array_size(value); i++)
        n += values_in(json_array_get(value, i));
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        n += values_in(member);
    }
    return n;
}

int body_parse(struct request_body *b, const char *text, size_t size,
               struct api_error *a)
{
    *b = (struct request_body){0};
    struct error why;
    size_t n = count_values(text, size);
    if (n > MOST_VALUES)
        return refuse_values(a, n);
    b->json = json_parse(text, size, "request", 0, &why);
    if (!b->json && why.code == ERROR_MEMORY)
        return api_fail(a, 500, "%s", why.message);
    if (!b->json)
        return api_refuse(a, "invalid_json", "%s", why.message);
    struct node root = node_root("request", b->json);
    int result = node_object(&root, &a->why)
                     ? api_refuse_type(a, &root)
                     : check_json(&root, MOST_LEVELS, a);
    if (result)
        body_free(b);
    return result;
}

void body_release(struct request_body *b)
{
    json_decref(b->json);
    b->json = NULL;
}

void body_free(struct request_body *b)
{
    body_release(b);
    bytes_free(&b->unknown);
    *b = (struct request_body){0};
}
