/* What a client is told when its request cannot be served: an HTTP status,
 * and the error object of OpenAI's API (API reference, "Error codes").
 *
 *     {"error": {"message": "request: top_p: expected a number from 0 to 1,
 *      found 7", "type": "invalid_request_error", "param": "top_p",
 *      "code": "decimal_above_max_value"}}
 *
 * The functions of this room that read a request take a `struct api_error *`
 * where others take a `struct error *`; it owns no memory.  Knows nothing of
 * HTTP but its numbers. */
#ifndef API_ERROR_H
#define API_ERROR_H

#include "buffer.h"
#include "http_error.h"
#include "json.h"

enum api_error_sizes {
    PARAM_SIZE = 256, /* bytes of a field's name, with its end */
    MOST_SHOWN = 200  /* bytes of a client's word in a message */
};

struct api_error {
    int status;             /* of HTTP: 400, 404, 429, 500 ... */
    const char *type;       /* "invalid_request_error", a literal */
    const char *code;       /* "invalid_type", a literal, or NULL */
    char param[PARAM_SIZE]; /* "messages[2].content[0]"; empty: none */
    struct error why;       /* its message is the client's */
};

/* For "%.*s": how many bytes of a client's word a message shows.  It is cut
 * after a whole character. */
int api_shown(const char *word);

/* A request that names no field: 400 without `param`. */
int api_refuse(struct api_error *a, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value at this place is not what it should be: 400, with the place as
 * `param` and before the message. */
int api_refuse_at(struct api_error *a, const struct node *place,
                  const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same of a field that is known by its name. */
int api_refuse_field(struct api_error *a, const char *param, const char *code,
                     const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A function of json.h failed on this place with a->why: the value is absent,
 * or of another type. */
int api_refuse_type(struct api_error *a, const struct node *place);

/* A prompt of `prompt` tokens, with `wanted` more to come, does not fit into
 * a context of `context`: "context_length_exceeded".  `wanted` counts those
 * that the client asked for; 0 when it named no number. */
int api_refuse_length(struct api_error *a, const char *param, size_t prompt,
                      size_t wanted, size_t context);

/* The same of a prompt that was not cut to its end: of at least `least`
 * tokens. */
int api_refuse_prompt(struct api_error *a, const char *param, size_t least,
                      size_t context);

/* No model has this name: 404, "model_not_found". */
int api_refuse_model(struct api_error *a, const char *name);

/* An error with a status of its own; type and code as OpenAI's API has them
 * for it: 401 invalid_api_key, 403, 404, 405, 408, 413, 429
 * rate_limit_exceeded, 500 server_error, 503 ... */
int api_fail(struct api_error *a, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a function of a lower room says of a request: ERROR_INPUT and
 * ERROR_UNSUPPORTED are the client's fault, in `param` when it is not NULL;
 * all else is 500, and its message stays here. */
int api_fail_error(struct api_error *a, const char *param,
                   const struct error *e);

/* Append where a value stands: "messages[2].content[0]". */
void api_place(const struct node *place, struct bytes *out);

/* As the server of HTTP sends it, with a->status; good as long as *a. */
struct http_error api_http_error(const struct api_error *a);

#endif
