/* For the tests of the server: one that runs in this program, with the reading
 * models, and clients who send what they are told. */
#ifndef TEST_SERVING_H
#define TEST_SERVING_H

#include "serve.h"

#include "test_http_client.h"
#include "test_run.h"
#undef fail

#include <pthread.h>

/* What a server has said and logged. */
struct serving {
    struct server *server;
    int port;
    pthread_mutex_t lock;
    struct bytes log; /* lines */
    size_t lines;
};

static inline void serving_log(void *context, const char *line)
{
    struct serving *s = context;
    pthread_mutex_lock(&s->lock);
    bytes_add_string(&s->log, line);
    bytes_add_string(&s->log, "\n");
    s->lines++;
    pthread_mutex_unlock(&s->lock);
}

/* Serve models (2,). */
static inline void serving_open(struct serving *s, const char *const *paths,
                                const struct rung_options *engine,
                                const struct http_limits *limits)
{
    struct error e;
    *s = (struct serving){.port = 0};
    pthread_mutex_init(&s->lock, NULL);
    struct serve_options o = {.models = paths,
                              .n_models = 2,
                              .engine = *engine,
                              .http = {.limits = *limits},
                              .log = serving_log,
                              .context = s};
    s->server = serve_start(&o, &e);
    if (!s->server)
        print_error("%s\n", e.message);
    assert_non_null(s->server);
    s->port = serve_port(s->server);
}

/* Serve a model that chats, and tiny-embed, or skip. */
static inline void serving_start_with(struct serving *s, const char *chat,
                                      const struct rung_options *engine)
{
    char *paths[] = {test_path(chat), test_path("models/tiny-embed")};
    if (access(paths[0], R_OK)) {
        print_message("SKIPPED: the tests' models are not there: set "
                      "RUNG_TESTS to the folder tests\n");
        skip();
    }
    serving_open(s, (const char *const *)paths, engine, &http_default_limits);
    free(paths[0]);
    free(paths[1]);
}

static inline void serving_start(struct serving *s,
                                 const struct rung_options *engine)
{
    serving_start_with(s, "models/tiny-chat", engine);
}

static inline void serving_stop(struct serving *s)
{
    serve_free(s->server);
    bytes_free(&s->log);
    pthread_mutex_destroy(&s->lock);
}

/* Send a POST whose body is written with ' for ", and leave the answer to be
 * read. */
static inline int send_post(int port, const char *path, const char *body)
{
    struct bytes request = {0};
    char head[256];
    int fd = client_open(port);
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
             "application/json\r\nContent-Length: %zu\r\n\r\n",
             path, strlen(body));
    bytes_add_string(&request, head);
    bytes_add_string(&request, body);
    for (size_t i = 0; i < request.size; i++)
        if (request.data[i] == '\'')
            request.data[i] = '"';
    assert_true(client_send(fd, request.data, request.size));
    bytes_free(&request);
    return fd;
}

/* The same, with its answer, whose body gets a zero behind it. */
static inline void ask_post(int port, const char *path, const char *body,
                            struct response *r)
{
    *r = (struct response){0};
    int fd = send_post(port, path, body);
    client_next(fd, r, false);
    bytes_add(&r->body, "", 1);
    r->body.size--;
    close(fd);
}

static inline void ask_get(int port, const char *path, struct response *r)
{
    char request[256];
    *r = (struct response){0};
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    client_ask(port, request, r);
    bytes_add(&r->body, "", 1);
    r->body.size--;
}

/* What stands behind "NAME": in a body, up to the next comma or bracket; a
 * string with its quotes.  To be freed. */
static inline char *value_of(const char *body, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(body, key);
    if (!at)
        return strdup("");
    at += strlen(key);
    size_t size = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, ",}]");
    char *value = malloc(size + 1);
    assert_non_null(value);
    memcpy(value, at, size);
    value[size] = 0;
    return value;
}

static inline void assert_value(const char *body, const char *name,
                                const char *expected)
{
    char *value = value_of(body, name);
    if (strcmp(value, expected) != 0)
        print_error("%s\n", body);
    assert_string_equal(value, expected);
    free(value);
}

/* All texts of a stream's events under a name, one after the other, as they
 * are escaped; to be freed by bytes_free. */
static inline void join_values(const char *events, const char *name,
                               struct bytes *out)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    while ((events = strstr(events, key))) {
        events += strlen(key);
        bytes_add(out, events, strcspn(events, "\""));
    }
    bytes_add(out, "", 1);
}

#endif
