/* Errors: see http_error.h. */
#include "http_error.h"

#include "json_write.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* Words may quote anything, and have been cut short: what is not UTF-8 in
 * them becomes U+FFFD.  An error without its words would be none. */
static json_t *words_json(const char *words)
{
    size_t size = strlen(words);
    struct bytes whole = {0};
    if (utf8_valid(words, size) == size)
        return json_string(words);
    utf8_repair(words, size, &whole);
    json_t *string =
        whole.failed ? NULL : json_stringn(whole.data, whole.size);
    bytes_free(&whole);
    return string;
}

static json_t *string_or_null(const char *string)
{
    return string ? words_json(string) : json_null();
}

void http_error_body(struct bytes *out, int status,
                     const struct http_error *error)
{
    const char *type = error->type     ? error->type
                       : status >= 500 ? "server_error"
                                       : "invalid_request_error";
    json_t *fields = json_object(), *body = json_object();
    json_put(&fields, "message", words_json(error->message));
    json_put(&fields, "type", json_string(type));
    json_put(&fields, "param", string_or_null(error->param));
    json_put(&fields, "code", string_or_null(error->code));
    json_put(&body, "error", fields);
    char *text = json_text(body, JSON_COMPACT);
    if (text)
        bytes_add_string(out, text);
    else
        out->failed = true;
    free(text);
    json_decref(body);
}
