/* What a request's tools say of their arguments: enough to write a value,
 * which a model gave as bare text, in JSON. */
#ifndef TOOL_SCHEMA_H
#define TOOL_SCHEMA_H

#include "buffer.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum schema_type {
    SCHEMA_STRING = 1,
    SCHEMA_NUMBER = 2, /* also an integer */
    SCHEMA_BOOLEAN = 4,
    SCHEMA_NULL = 8,
    SCHEMA_OBJECT = 16,
    SCHEMA_ARRAY = 32
};

/* The name of a tool, with or without the member "function" around it; NULL
 * when it has none. */
const char *tool_name(const json_t *tool);

/* The "function" of this name in a list of tools, or NULL.  Tools may also
 * stand in the list without the member "function" around them. */
const json_t *tool_find(const json_t *tools, const char *name);

/* The schema of a tool's arguments, or NULL. */
const json_t *tool_parameters(const json_t *tools, const char *name);

/* The same of this tool. */
const json_t *tool_own_parameters(const json_t *tool);

/* The types that an argument may have, as schema_types joined by |; 0 when
 * the schema does not say. */
unsigned argument_types(const json_t *parameters, const char *key);

/* Of tools keep what is looked at above: their names, and the names and types
 * of their arguments, in their order.  Schemas can be much larger.  Without
 * memory for that a tool stays as it is. */
void tools_keep_types(json_t *tools);

/* An estimate of the bytes that this takes. */
size_t tools_size(const json_t *tools);

/* Append the text (size,) of a value as JSON: as it is, where it reads as a
 * value of one of these types; else as a string. */
void schema_value(unsigned types, const char *text, size_t size,
                  struct bytes *out);

#endif
