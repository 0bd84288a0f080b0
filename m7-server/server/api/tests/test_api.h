/* For the tests of requests: bodies are written with ' for ". */
#ifndef TEST_API_H
#define TEST_API_H

#include "chat_request.h"
#include "text_request.h"

#include "test_numbers.h"

/* A body as clients send it; the caller frees it. */
static inline char *body_of(const char *text)
{
    char *body = strdup(text);
    assert_non_null(body);
    for (char *c = body; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return body;
}

static inline void assert_served(int result, const struct api_error *a)
{
    if (result)
        print_error("%s (%s)\n", a->why.message, a->param);
    assert_int_equal(result, 0);
}

static inline void read_chat(struct chat_request *q, const char *text)
{
    struct api_error a;
    char *body = body_of(text);
    assert_served(chat_request_read(q, body, strlen(body), &a), &a);
    free(body);
}

static inline void read_completion_request(struct completion_request *q,
                                           const char *text)
{
    struct api_error a;
    char *body = body_of(text);
    assert_served(completion_request_read(q, body, strlen(body), &a), &a);
    free(body);
}

/* A value is this JSON text. */
static inline void assert_json(const json_t *value, const char *text)
{
    char *expected = body_of(text);
    char *found = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
                                        JSON_REAL_PRECISION(9));
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
    free(expected);
}

/* A body that was made is this JSON text; it is freed. */
static inline void assert_body(json_t *body, const char *text)
{
    assert_non_null(body);
    assert_json(body, text);
    json_decref(body);
}

/* The names of what nobody knew. */
static inline void assert_unknown(const struct request_body *b,
                                  const char *names)
{
    assert_int_equal(b->unknown.size, strlen(names));
    if (*names)
        assert_memory_equal(b->unknown.data, names, strlen(names));
}

#endif
