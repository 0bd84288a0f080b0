/* The body of a request: JSON from a stranger, within bounds. */
#ifndef REQUEST_BODY_H
#define REQUEST_BODY_H

#include "api_error.h"
#include "buffer.h"

/* A body as it came, and what of it nobody knew. */
struct request_body {
    json_t *json;         /* owned */
    struct bytes unknown; /* "top_a, messages[0].colour"; owned */
};

/* In one body: numbers, strings, words, lists and objects.  A value of two
 * bytes takes up to 250 of memory, and a member of an object 320, so that all
 * take a third of a gigabyte at the most; a prompt of a million ids is still
 * no more. */
enum body_bounds {
    MOST_VALUES = 1 << 20
};

/* How many values these are: one, and all that are in it. */
size_t values_in(const json_t *value);

/* Parse a body: an object of at most MOST_VALUES values (else 413), at most 64
 * levels deep, its strings UTF-8 without a zero byte, no name twice in one
 * object.  After an error *b holds nothing. */
int body_parse(struct request_body *b, const char *text, size_t size,
               struct api_error *a);

/* Free the values, as soon as nothing points into them any more; the unknown
 * names stay. */
void body_release(struct request_body *b);
void body_free(struct request_body *b);

#endif
