/* Errors: see http_error.h. */
#include "http_error.h"

#include "json_write.h"

#include <stdlib.h>

static json_t *string_or_null(const char *string)
{
    return string ? json_string(string) : json_null();
}

void http_error_body(struct bytes *out, int status,
                     const struct http_error *error)
{
    const char *type = error->type     ? error->type
                       : status >= 500 ? "server_error"
                                       : "invalid_request_error";
    json_t *fields = json_object(), *body = json_object();
    json_put(&fields, "message", json_string(error->message));
    json_put(&fields, "type", json_string(type));
    json_put(&fields, "param", string_or_null(error->param));
    json_put(&fields, "code", string_or_null(error->code));
    json_put(&body, "error", fields);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    if (text)
        bytes_add_string(out, text);
    else
        out->failed = true;
    free(text);
    json_decref(body);
}
