/* JSON to be written, put together with jansson part by part.
 *
 * When memory fails on the way, what is being made becomes NULL as a whole,
 * and stays so, whatever is still put into it.  So nobody prints a list with a
 * part missing, and it is enough to look once, at the end.  The same holds of
 * its text.
 *
 * Knows nothing of files, nor of what the values mean. */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <jansson.h>

/* Put a value, which is taken over, at the end of an array, or into an object
 * under a key.  A value that is NULL makes the whole NULL. */
void json_add(json_t **array, json_t *value);
void json_put(json_t **object, const char *key, json_t *value);

/* A value's text, to be freed; NULL without memory, or of NULL.  The flags are
 * those of json_dumps, which, where memory fails at the key of an object,
 * leaves the key out and goes on (jansson 2.14, dump.c). */
char *json_text(const json_t *value, size_t flags);

#endif
