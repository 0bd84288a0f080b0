/* JSON, read with jansson: values that know where they stand in their file.
 *
 * A `struct node` is a value together with its way down from the root, so
 * that every error can name the file and the field:
 *
 *     tokenizer.json: model.merges[17]: expected a string, found a number
 *
 * Nodes are small and live on the stack; a child points to its parent, which
 * must outlive it.  A member that is absent is a node whose value is NULL:
 * reading it fails with "is missing" unless it is asked for by node_has. */
#ifndef JSON_H
#define JSON_H

#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    const char *file;          /* for messages; not owned */
    const struct node *parent; /* NULL for the root */
    const char *key;           /* the member's name, or NULL for an element */
    size_t index;              /* the element's place when key is NULL */
    json_t *value;             /* borrowed from the root; NULL when absent */
};

/* Read a whole file.  A syntax error names line, column and byte offset.
 * The caller frees the result with json_decref. */
json_t *json_read_file(const char *path, struct error *e);

/* Parse `size` bytes of text; `name` stands for the file in messages, and
 * `offset` is where the text begins in it.  A name that occurs twice in one
 * object is an error. */
json_t *json_parse(const char *text, size_t size, const char *name,
                   size_t offset, struct error *e);

struct node node_root(const char *file, json_t *value);
struct node node_member(const struct node *object, const char *key);
struct node node_element(const struct node *array, size_t index);

/* True when the value is there and not null. */
bool node_has(const struct node *n);

/* The value as a type, or an error that names the field.  node_string refuses
 * a string that holds a zero byte, which node_text gives with its size, and
 * node_name also one that would steer a terminal when it is printed;
 * node_size takes an integer from 0 to `most`. */
int node_string(const struct node *n, const char **out, struct error *e);
int node_text(const struct node *n, const char **out, size_t *size,
              struct error *e);
int node_name(const struct node *n, const char **out, struct error *e);
int node_bool(const struct node *n, bool *out, struct error *e);
int node_integer(const struct node *n, long long *out, struct error *e);
int node_size(const struct node *n, size_t most, size_t *out, struct error *e);
int node_number(const struct node *n, double *out, struct error *e);

/* Succeed when the value is an object, or an array, and fail otherwise. */
int node_object(const struct node *n, struct error *e);
int node_array(const struct node *n, size_t *length, struct error *e);

/* The same with a value for when the field is absent or null. */
int node_bool_or(const struct node *n, bool fallback, bool *out,
                 struct error *e);
int node_size_or(const struct node *n, size_t most, size_t fallback,
                 size_t *out, struct error *e);
int node_number_or(const struct node *n, double fallback, double *out,
                   struct error *e);
int node_string_or(const struct node *n, const char *fallback,
                   const char **out, struct error *e);

/* An error about this value: "file: path.to.field: " and the message. */
int node_fail(const struct node *n, enum error_code code, struct error *e,
              const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
