/* For the tests of HTTP: a client that says exactly what it is told. */
#ifndef TEST_HTTP_CLIENT_H
#define TEST_HTTP_CLIENT_H

#include "buffer.h"
#include "error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Seconds after which a test fails instead of waiting for ever. */
enum client_times {
    PATIENCE = 20
};

static inline double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void nap(double seconds)
{
    struct timespec moment = {(time_t)seconds,
                              (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&moment, NULL);
}

/* Connect, with a small buffer for what comes when `small`; -1 when nobody
 * listens. */
static inline int client_try(int port, bool small)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct timeval patience = {PATIENCE, 0};
    int fd = socket(AF_INET, SOCK_STREAM, 0), size = 4096, on = 1;
    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (small)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Wait for so many seconds, and no longer, for what comes. */
static inline void client_patience(int fd, int seconds)
{
    struct timeval patience = {seconds, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

static inline int client_open(int port)
{
    int fd = client_try(port, false);
    assert_true(fd >= 0);
    return fd;
}

/* Send bytes (size,); false when the server has closed. */
static inline bool client_send(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static inline bool client_say(int fd, const char *text)
{
    return client_send(fd, text, strlen(text));
}

/* A response; what came behind it stays in `rest` for the next one. */
struct response {
    int status; /* 0: the connection was closed before it was whole */
    struct bytes head, body;
    bool whole;
    struct bytes rest;
};

static inline void response_free(struct response *r)
{
    bytes_free(&r->head);
    bytes_free(&r->body);
    bytes_free(&r->rest);
    *r = (struct response){0};
}

/* Receive more; false at the end. */
static inline bool client_more(int fd, struct bytes *into)
{
    char block[16384];
    ssize_t got = recv(fd, block, sizeof block, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        print_error("nothing comes, and the connection stays open\n");
    if (got < 0)
        assert_true(errno == ECONNRESET || errno == EPIPE);
    if (got > 0)
        bytes_add(into, block, (size_t)got);
    return got > 0;
}

static inline void drop(struct bytes *b, size_t size)
{
    b->size -= size;
    memmove(b->data, b->data + size, b->size);
}

/* Receive up to and with the first `mark`; false when the end came before. */
static inline bool client_until(int fd, struct bytes *rest, const char *mark,
                                struct bytes *into)
{
    size_t size = strlen(mark);
    for (size_t at = 0;; at++) {
        while (rest->size < at + size)
            if (!client_more(fd, rest))
                return false;
        if (memcmp(rest->data + at, mark, size) == 0) {
            bytes_add(into, rest->data, at + size);
            drop(rest, at + size);
            return true;
        }
    }
}

static inline bool client_take(int fd, struct bytes *rest, size_t size,
                               struct bytes *into)
{
    while (rest->size < size)
        if (!client_more(fd, rest))
            return false;
    bytes_add(into, rest->data, size);
    if (size > 0)
        drop(rest, size);
    return true;
}

/* The value of a header, in a buffer for the next call, too; or NULL. */
static inline const char *response_header(const struct response *r,
                                          const char *name)
{
    static char value[1024];
    size_t size = strlen(name);
    const char *end = r->head.data + r->head.size;
    for (const char *at = r->head.data; at && at < end;) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line)
            break;
        if (strncasecmp(at, name, size) == 0 && at[size] == ':') {
            snprintf(value, sizeof value, "%.*s",
                     (int)(line - at - (int)size - 3), at + size + 2);
            return value;
        }
        at = line + 1;
    }
    return NULL;
}

static inline bool client_chunks(int fd, struct response *r)
{
    for (;;) {
        struct bytes line = {0}, end = {0};
        bool ok = client_until(fd, &r->rest, "\r\n", &line);
        bytes_add(&line, "", 1);
        size_t size = ok ? strtoul(line.data, NULL, 16) : 0;
        ok = ok && client_take(fd, &r->rest, size, &r->body) &&
             client_until(fd, &r->rest, "\r\n", &end) && end.size == 2;
        bytes_free(&line);
        bytes_free(&end);
        if (!ok || size == 0)
            return ok;
    }
}

/* Receive the next response; `bodiless`: it answers a HEAD. */
static inline void client_next(int fd, struct response *r, bool bodiless)
{
    r->head.size = r->body.size = 0;
    r->status = 0;
    r->whole = false;
    if (!client_until(fd, &r->rest, "\r\n\r\n", &r->head))
        return;
    assert_memory_equal(r->head.data, "HTTP/1.1 ", 9);
    r->status = atoi(r->head.data + 9);
    const char *length = response_header(r, "Content-Length");
    size_t size = length ? strtoul(length, NULL, 10) : 0;
    if (bodiless || r->status == 204)
        r->whole = true;
    else if (length)
        r->whole = client_take(fd, &r->rest, size, &r->body);
    else if (response_header(r, "Transfer-Encoding"))
        r->whole = client_chunks(fd, r);
    else {
        while (client_more(fd, &r->rest))
            ;
        r->whole = client_take(fd, &r->rest, r->rest.size, &r->body);
    }
}

/* Whether the server closes the connection, within our patience. */
static inline bool client_is_closed(int fd)
{
    struct bytes more = {0};
    while (client_more(fd, &more))
        ;
    bytes_free(&more);
    return true;
}

/* Ask once, over a connection of its own. */
static inline void client_ask(int port, const char *request,
                              struct response *r)
{
    int fd = client_open(port);
    client_say(fd, request);
    client_next(fd, r, strncmp(request, "HEAD", 4) == 0);
    close(fd);
}

static inline void assert_body(const struct response *r, const char *text)
{
    assert_int_equal(r->body.size, strlen(text));
    assert_memory_equal(r->body.data, text, r->body.size);
}

static inline bool bytes_have(const struct bytes *b, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= b->size; i++)
        if (memcmp(b->data + i, text, size) == 0)
            return true;
    return false;
}

#endif
