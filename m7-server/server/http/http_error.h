/* Errors as OpenAI's clients read them:
 * {"error": {"message": ..., "type": ..., "param": ..., "code": ...}}. */
#ifndef HTTP_ERROR_H
#define HTTP_ERROR_H

#include "buffer.h"

/* param and code are null where they are NULL.  What is not UTF-8 is told as
 * U+FFFD. */
struct http_error {
    const char *message;
    const char *type; /* NULL: invalid_request_error, or from 500 on
                         server_error */
    const char *param;
    const char *code;
};

/* Append an error's body; out->failed tells when there was no memory. */
void http_error_body(struct bytes *out, int status,
                     const struct http_error *error);

#endif
