/* JSON as values. */
#ifndef FROM_JSON_H
#define FROM_JSON_H

#include "value.h"

#include <jansson.h>

/* Copies what it takes: the JSON may go afterwards. */
int value_from_json(struct sandbox *s, const json_t *json, struct value *out);

#endif
