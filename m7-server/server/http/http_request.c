/* Requests: see http_request.h. */
#include "http_request.h"

#include "http_target.h"

#include <string.h>
#include <strings.h>

const char *http_header(const struct http_request *request, const char *name)
{
    for (size_t i = 0; i < request->n_headers; i++)
        if (strcasecmp(request->headers[i].name, name) == 0)
            return request->headers[i].value;
    return NULL;
}

/* Whether field (size,), still encoded, has a name; -1: it is malformed. */
static int is_named(const char *field, size_t size, const char *name)
{
    struct bytes decoded = {0};
    int result = target_decode(field, size, true, &decoded);
    if (result == 0)
        result =
            decoded.size == strlen(name) && !decoded.failed &&
            strncmp(decoded.data ? decoded.data : "", name, decoded.size) == 0;
    bytes_free(&decoded);
    return result;
}

int http_query(const struct http_request *request, const char *name,
               struct bytes *value)
{
    for (const char *field = request->query; *field;) {
        size_t size = strcspn(field, "&");
        const char *equals = memchr(field, '=', size);
        size_t name_size = equals ? (size_t)(equals - field) : size;
        int named = is_named(field, name_size, name);
        if (named < 0)
            return -1;
        if (named && !equals)
            return 1;
        if (named)
            return target_decode(equals + 1, size - name_size - 1, true, value)
                       ? -1
                       : 1;
        field += size + (field[size] == '&');
    }
    return 0;
}
