/* JSON to be printed, put together with jansson part by part.
 *
 * When memory fails on the way, what is being made becomes NULL as a whole,
 * and stays so, whatever is still put into it.  So nobody prints a list with a
 * part missing, and it is enough to look once, at the end.
 *
 * Knows nothing of files, nor of what the values mean. */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include <jansson.h>

/* Put a value, which is taken over, at the end of an array, or into an object
 * under a key.  A value that is NULL makes the whole NULL. */
void json_add(json_t **array, json_t *value);
void json_put(json_t **object, const char *key, json_t *value);

#endif
