/* What a client is told: see api_error.h.  Codes and types are those of
 * OpenAI's API, where it has one for the case. */
#include "api_error.h"

#include "unicode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char invalid[] = "invalid_request_error";

/* A status, and what OpenAI's API calls it. */
struct status_words {
    int status;
    const char *type, *code;
};

static const struct status_words statuses[] = {
    {401, invalid, "invalid_api_key"},
    {403, invalid, "forbidden"},
    {404, invalid, "unknown_url"},
    {405, invalid, "method_not_allowed"},
    {408, invalid, "request_timeout"},
    {413, invalid, "request_too_large"},
    {415, invalid, "unsupported_media_type"},
    {429, "rate_limit_error", "rate_limit_exceeded"},
    {503, "server_error", "server_stopping"},
    {504, "server_error", "timeout"},
};

static const size_t n_statuses = sizeof statuses / sizeof statuses[0];

static struct status_words status_words_of(int status)
{
    for (size_t i = 0; i < n_statuses; i++)
        if (statuses[i].status == status)
            return statuses[i];
    if (status >= 500)
        return (struct status_words){status, "server_error", "server_error"};
    return (struct status_words){status, invalid, NULL};
}

/* Everything but the message. */
static void start_error(struct api_error *a, int status, const char *code)
{
    struct status_words words = status_words_of(status);
    a->status = status;
    a->type = words.type;
    a->code = code ? code : words.code;
    a->param[0] = 0;
}

/* The message, printf-like.  Of one that is too long there is a byte more here
 * than it has room for, so that fail() cuts it, after a whole character. */
static void put_message(struct api_error *a, const char *format,
                        va_list arguments)
{
    char what[sizeof a->why.message + 1];
    vsnprintf(what, sizeof what, format, arguments);
    fail(&a->why, ERROR_INPUT, "%s", what);
}

int api_shown(const char *word)
{
    size_t size = strnlen(word, MOST_SHOWN);
    return (int)(size - utf8_unfinished(word, size));
}

int api_refuse(struct api_error *a, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    start_error(a, 400, code);
    put_message(a, format, arguments);
    va_end(arguments);
    return -1;
}

int api_fail(struct api_error *a, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    start_error(a, status, NULL);
    put_message(a, format, arguments);
    va_end(arguments);
    return -1;
}

void api_place(const struct node *place, struct bytes *out)
{
    if (!place->parent)
        return;
    api_place(place->parent, out);
    char index[32];
    snprintf(index, sizeof index, "[%zu]", place->index);
    bytes_add_string(out, place->key && out->size > 0 ? "." : "");
    bytes_add_string(out, place->key ? place->key : index);
}

/* Put the place into a->param, cut after a whole character. */
static void name_place(struct api_error *a, const struct node *place)
{
    struct bytes path = {0};
    api_place(place, &path);
    size_t size = path.failed ? 0 : path.size;
    if (size >= PARAM_SIZE) {
        size = PARAM_SIZE - 1;
        size -= utf8_unfinished(path.data, size);
    }
    if (size > 0)
        memcpy(a->param, path.data, size);
    a->param[size] = 0;
    bytes_free(&path);
}

int api_refuse_at(struct api_error *a, const struct node *place,
                  const char *code, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    start_error(a, 400, code);
    name_place(a, place);
    return node_fail(place, ERROR_INPUT, &a->why, "%s", what);
}

int api_refuse_field(struct api_error *a, const char *param, const char *code,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    start_error(a, 400, code);
    put_message(a, format, arguments);
    va_end(arguments);
    snprintf(a->param, sizeof a->param, "%s", param);
    return -1;
}

int api_refuse_type(struct api_error *a, const struct node *place)
{
    start_error(a, 400,
                place->value ? "invalid_type" : "missing_required_parameter");
    name_place(a, place);
    return -1;
}

int api_refuse_length(struct api_error *a, const char *param, size_t prompt,
                      size_t wanted, size_t context)
{
    api_refuse(a, "context_length_exceeded",
               "This model's maximum context length is %zu tokens. However, "
               "the request needs %zu: %zu of the prompt, and %zu to come",
               context, prompt + wanted, prompt, wanted);
    snprintf(a->param, sizeof a->param, "%s", param);
    return -1;
}

int api_refuse_prompt(struct api_error *a, const char *param, size_t least,
                      size_t context)
{
    api_refuse(a, "context_length_exceeded",
               "This model's maximum context length is %zu tokens. However, "
               "the request needs more: its prompt has at least %zu",
               context, least);
    snprintf(a->param, sizeof a->param, "%s", param);
    return -1;
}

int api_refuse_model(struct api_error *a, const char *name)
{
    start_error(a, 404, "model_not_found");
    snprintf(a->param, sizeof a->param, "model");
    return fail(&a->why, ERROR_INPUT,
                "no model is called \"%.*s\" here (see: GET /v1/models)",
                api_shown(name), name);
}

int api_fail_error(struct api_error *a, const char *param,
                   const struct error *e)
{
    bool refused = e->code == ERROR_INPUT || e->code == ERROR_UNSUPPORTED;
    if (!refused)
        return api_fail(a, 500, "the server failed");
    start_error(a, 400, "invalid_value");
    snprintf(a->param, sizeof a->param, "%s", param ? param : "");
    a->why = *e;
    return -1;
}

struct http_error api_http_error(const struct api_error *a)
{
    return (struct http_error){.message = a->why.message,
                               .type = a->type,
                               .param = a->param[0] ? a->param : NULL,
                               .code = a->code};
}
