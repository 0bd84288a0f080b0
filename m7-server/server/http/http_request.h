/* A request, as a handler sees it.
 *
 * Everything lies in memory of its own, and stays until the reply is ended;
 * any thread may read it. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "buffer.h"

#include <stddef.h>

struct http_header {
    const char *name, *value;
};

struct http_request {
    const char *id;     /* "req_...", also in the reply's x-request-id */
    const char *method; /* "GET" also for a HEAD */
    const char *path;   /* decoded, valid UTF-8 without zeros */
    const char *rest;   /* what follows the path of a prefix route, or "" */
    const char *query;  /* as sent, without "?"; "" when there is none */
    const char *peer;   /* the client's address, as a number */
    const struct http_header *headers; /* (n_headers,), as sent */
    size_t n_headers;
    const char *body; /* (body_size,), never NULL; a zero follows it */
    size_t body_size;
};

/* The value of the first header of a name, in upper or lower case, or NULL. */
const char *http_header(const struct http_request *request, const char *name);

/* Append the value of a field of the query, decoded ("+" is a space); 1 when
 * it is there, 0 when it is not, -1 when its %XX are malformed. */
int http_query(const struct http_request *request, const char *name,
               struct bytes *value);

#endif
