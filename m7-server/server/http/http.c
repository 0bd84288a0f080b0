/* A server's beginning and end: see http.h. */
#include "http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

const struct http_limits http_default_limits = {
    .header_bytes = 16 << 10,
    .body_bytes = 32 << 20,
    .all_bodies = 256 << 20,
    .all_replies = 256 << 20,
    .stream_bytes = 4 << 20,
    .connections = 256,
    .header_seconds = 15,
    .body_seconds = 60,
    .request_seconds = 3600,
    .idle_seconds = 75,
};

/* An address of either family. */
union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static int parse_address(const char *text, int port, union address *a,
                         socklen_t *size, struct error *e)
{
    memset(a, 0, sizeof *a);
    if (port < 0 || port > 65535)
        return fail(e, ERROR_USAGE, "port %d: not from 0 to 65535", port);
    if (inet_pton(AF_INET, text, &a->four.sin_addr) == 1) {
        a->four.sin_family = AF_INET;
        a->four.sin_port = htons((uint16_t)port);
        *size = sizeof a->four;
        return 0;
    }
    if (inet_pton(AF_INET6, text, &a->six.sin6_addr) == 1) {
        a->six.sin6_family = AF_INET6;
        a->six.sin6_port = htons((uint16_t)port);
        *size = sizeof a->six;
        return 0;
    }
    return fail(e, ERROR_USAGE,
                "%s: not an address, like 127.0.0.1, 0.0.0.0 or ::1", text);
}

static int listen_on(int fd, const union address *a, socklen_t size)
{
    int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
                   fcntl(fd, F_SETFD, FD_CLOEXEC) ||
                   fcntl(fd, F_SETFL, O_NONBLOCK) || bind(fd, &a->any, size) ||
                   listen(fd, SOMAXCONN)
               ? -1
               : 0;
}

/* A socket that listens, and its port; -1 after an error. */
static int open_listener(const char *text, int *port, struct error *e)
{
    union address a;
    socklen_t size;
    if (parse_address(text, *port, &a, &size, e))
        return -1;
    char name[64];
    bool six = a.any.sa_family == AF_INET6;
    snprintf(name, sizeof name, six ? "[%s]:%d" : "%s:%d", text, *port);
    int fd = socket(a.any.sa_family, SOCK_STREAM, 0);
    if (fd < 0)
        return fail_errno(e, name);
    if (listen_on(fd, &a, size) || getsockname(fd, &a.any, &size)) {
        fail_errno(e, name);
        close(fd);
        return -1;
    }
    *port = ntohs(six ? a.six.sin6_port : a.four.sin_port);
    return fd;
}

/* Request ids shall differ from those of the last start; no secret. */
static unsigned long long read_salt(void)
{
    unsigned long long salt = (unsigned long long)time(NULL);
    FILE *f = fopen("/dev/urandom", "rb");
    if (f) {
        (void)!fread(&salt, sizeof salt, 1, f);
        fclose(f);
    }
    return salt;
}

/* Room for the headers as they come, as they are kept, and for those of a
 * reply, whose body is written from there, too. */
static size_t connection_memory(const struct http_limits *limits)
{
    return 2 * limits->header_bytes + 65536;
}

static struct MHD_Daemon *start_daemon(struct http_server *s)
{
    const struct http_limits *limits = &s->options.limits;
    unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD |
                     MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    double idle = limits->idle_seconds < 1 ? 1 : limits->idle_seconds;
    return MHD_start_daemon(flags, 0, NULL, NULL, receive_request, s,
                            MHD_OPTION_LISTEN_SOCKET, s->listener,
                            MHD_OPTION_NOTIFY_CONNECTION, read_connection, s,
                            MHD_OPTION_URI_LOG_CALLBACK, read_request_line, s,
                            MHD_OPTION_NOTIFY_COMPLETED, read_completed, s,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)idle,
                            MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)limits->connections + SPARE_CONNECTIONS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            connection_memory(limits), MHD_OPTION_END);
}

static int start_threads(struct http_server *s, struct error *e)
{
    if (watch_start(s))
        return fail(e, ERROR_SYSTEM, "no thread for the server");
    s->daemon = start_daemon(s);
    if (s->daemon)
        return 0;
    watch_stop(s);
    return fail(e, ERROR_SYSTEM, "libmicrohttpd does not start");
}

static void release_server(struct http_server *s)
{
    close(s->listener);
    pthread_cond_destroy(&s->opened);
    pthread_mutex_destroy(&s->lock);
    exchange_room_leave(s->room);
    free(s->polled);
    free(s);
}

struct http_server *http_start(const struct http_options *options,
                               const struct http_route *routes,
                               size_t n_routes, void *context, struct error *e)
{
    struct http_server *s = calloc(1, sizeof *s);
    if (!s) {
        fail_memory(e, "a server");
        return NULL;
    }
    s->room = exchange_room_new(&options->limits);
    if (!s->room) {
        fail_memory(e, "a server");
        free(s);
        return NULL;
    }
    s->options = *options;
    s->routes = (struct http_routes){routes, n_routes};
    s->context = context;
    s->salt = read_salt();
    s->port = options->port;
    const char *address = options->address ? options->address : "127.0.0.1";
    s->listener = open_listener(address, &s->port, e);
    if (s->listener < 0) {
        exchange_room_leave(s->room);
        free(s);
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->opened, NULL);
    if (start_threads(s, e) == 0)
        return s;
    release_server(s);
    return NULL;
}

int http_port(const struct http_server *s)
{
    return s->port;
}

/* The socket is closed in the end: until then somebody may still look. */
void http_drain(struct http_server *s)
{
    pthread_mutex_lock(&s->lock);
    bool first = !s->draining;
    s->draining = true;
    pthread_mutex_unlock(&s->lock);
    if (first) {
        MHD_quiesce_daemon(s->daemon);
        shutdown(s->listener, SHUT_RDWR);
    }
}

bool http_wait(struct http_server *s, double seconds)
{
    double until = exchange_clock() + seconds;
    struct timespec moment = {0, 5000000};
    for (;;) {
        pthread_mutex_lock(&s->lock);
        bool done = s->at_work == 0;
        pthread_mutex_unlock(&s->lock);
        if (done || exchange_clock() >= until)
            return done;
        nanosleep(&moment, NULL);
    }
}

/* Cut off whatever is at work. */
static void cut_connections(struct http_server *s)
{
    pthread_mutex_lock(&s->lock);
    for (struct http_connection *c = s->connections; c; c = c->next) {
        c->phase = PHASE_CUT;
        if (c->reply)
            exchange_cut(c->reply, REPLY_STOPPED);
    }
    pthread_mutex_unlock(&s->lock);
}

/* No connection may be suspended when libmicrohttpd stops: all are cut, and
 * have a moment to end by themselves. */
void http_free(struct http_server *s)
{
    if (!s)
        return;
    http_drain(s);
    watch_stop(s);
    cut_connections(s);
    http_wait(s, 1);
    MHD_stop_daemon(s->daemon);
    release_server(s);
}
