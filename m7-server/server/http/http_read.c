/* Requests as they come from the network: libmicrohttpd calls these.
 *
 * A request's first line makes its exchange.  When the headers are there they
 * are checked; then the body is collected; then the handler is called, and the
 * connection suspended until there is a reply. */
#include "http_server.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct http_connection *connection_of(struct MHD_Connection *network)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(network, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void write_peer(const struct sockaddr *address, char *peer)
{
    const void *number =
        address->sa_family == AF_INET6
            ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
            : &((const struct sockaddr_in *)address)->sin_addr;
    if (!inet_ntop(address->sa_family, number, peer, INET6_ADDRSTRLEN))
        *peer = 0;
}

/* Put a connection into the list; it may have to be longer. */
static int enlist(struct http_server *s, struct http_connection *c)
{
    pthread_mutex_lock(&s->lock);
    struct pollfd *polled =
        grow(s->polled, &s->n_polled, s->n_connections + 1, sizeof *polled);
    if (polled) {
        s->polled = polled;
        c->next = s->connections;
        if (c->next)
            c->next->previous = c;
        s->connections = c;
        s->n_connections++;
        pthread_cond_signal(&s->opened);
    }
    pthread_mutex_unlock(&s->lock);
    return polled ? 0 : -1;
}

static struct http_connection *open_connection(struct http_server *s,
                                               struct MHD_Connection *network)
{
    struct http_connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->network = network;
    c->socket =
        MHD_get_connection_info(network, MHD_CONNECTION_INFO_CONNECTION_FD)
            ->connect_fd;
    write_peer(
        MHD_get_connection_info(network, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
            ->client_addr,
        c->peer);
    c->since = exchange_clock();
    if (enlist(s, c)) {
        free(c);
        return NULL;
    }
    return c;
}

/* Change what a connection does; false, when it was closed meanwhile.  The
 * lock is held. */
static bool change_phase(struct http_connection *c,
                         enum connection_phase phase)
{
    bool open = c->phase != PHASE_CUT;
    if (open && c->phase != phase) {
        c->phase = phase;
        c->since = exchange_clock();
        c->left_since = 0;
    }
    return open;
}

static bool enter_phase(struct http_server *s, struct http_connection *c,
                        enum connection_phase phase)
{
    pthread_mutex_lock(&s->lock);
    bool open = change_phase(c, phase);
    pthread_mutex_unlock(&s->lock);
    return open;
}

/* A step of a pseudorandom sequence: Steele et al. 2014, "Fast splittable
 * pseudorandom number generators", figure 16. */
static unsigned long long mix_bits(unsigned long long z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* What a request came to, to whoever keeps a log. */
static void log_request(struct http_server *s, const struct http_connection *c,
                        bool whole)
{
    struct http_reply *r = c->reply;
    if (!s->options.log)
        return;
    pthread_mutex_lock(&s->lock);
    int past_status = c->past_status;
    pthread_mutex_unlock(&s->lock);
    struct exchange_count count = exchange_count(r);
    struct http_outcome outcome = {
        .method = r->request.method ? r->request.method : "",
        .path = r->request.path ? r->request.path : "",
        .id = r->id,
        .status = past_status ? past_status : count.status,
        .bytes = count.sent,
        .seconds = exchange_clock() - r->begun_at,
        .whole = whole};
    s->options.log(s->options.log_context, &outcome);
}

/* libmicrohttpd is done with a connection's request, if there is one.  Its
 * phase ends together with it: of a request at work the watch looks at the
 * reply. */
static void complete_request(struct http_server *s, struct http_connection *c,
                             bool whole)
{
    struct http_reply *r = c->reply;
    if (!r)
        return;
    log_request(s, c, whole);
    pthread_mutex_lock(&s->lock);
    c->reply = NULL;
    s->at_work--;
    change_phase(c, PHASE_BETWEEN);
    pthread_mutex_unlock(&s->lock);
    exchange_leave(r);
}

/* libmicrohttpd 1.0 does not tell of each request that it has refused itself;
 * with the connection it ends in any case. */
static void close_connection(struct http_server *s, struct http_connection *c)
{
    complete_request(s, c, false);
    pthread_mutex_lock(&s->lock);
    if (c->next)
        c->next->previous = c->previous;
    if (c->previous)
        c->previous->next = c->next;
    else
        s->connections = c->next;
    s->n_connections--;
    pthread_mutex_unlock(&s->lock);
    free(c);
}

void read_connection(void *context, struct MHD_Connection *network, void **own,
                     enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *own = open_connection(context, network);
    else if (*own)
        close_connection(context, *own);
}

/* What a connection does, which the watch may have ended. */
static enum connection_phase phase_of(struct http_server *s,
                                      const struct http_connection *c)
{
    pthread_mutex_lock(&s->lock);
    enum connection_phase phase = c->phase;
    pthread_mutex_unlock(&s->lock);
    return phase;
}

static void name_exchange(struct http_server *s, struct http_reply *r)
{
    unsigned long long n = ++s->n_requests * 0x9e3779b97f4a7c15;
    snprintf(r->id, sizeof r->id, "req_%016llx%016llx", mix_bits(s->salt + n),
             mix_bits(~s->salt + n));
    r->request.id = r->id;
    exchange_header(r, "X-Request-Id", r->id);
    exchange_header(r, "X-Content-Type-Options", "nosniff");
}

void *read_request_line(void *context, const char *target,
                        struct MHD_Connection *network)
{
    struct http_server *s = context;
    struct http_connection *c = connection_of(network);
    if (c)
        complete_request(s, c, false);
    struct http_reply *r =
        c ? exchange_new(network, c->socket, s->options.limits.stream_bytes,
                         s->room)
          : NULL;
    if (!r)
        return NULL;
    name_exchange(s, r);
    r->target = strdup(target);
    memcpy(r->peer, c->peer, sizeof r->peer);
    r->request.peer = r->peer;
    pthread_mutex_lock(&s->lock);
    c->reply = r;
    s->at_work++;
    pthread_mutex_unlock(&s->lock);
    enter_phase(s, c, PHASE_HEAD);
    return r;
}

/* Answer what has a reply; or wait until it has one. */
static enum MHD_Result answer_request(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    bool broken = r->broken, begun = r->begun;
    if (!broken && !begun) {
        r->suspended = true;
        MHD_suspend_connection(r->network);
    }
    pthread_mutex_unlock(&r->lock);
    return broken ? MHD_NO : begun ? send_reply(r) : MHD_YES;
}

/* Answer before the body has come, and pass that over: closed at once, with
 * bytes unread, the connection would be reset, and the reply lost. */
static enum MHD_Result answer_early(struct http_server *s,
                                    struct http_connection *c)
{
    if (!enter_phase(s, c, PHASE_REFUSED))
        return MHD_NO;
    send_past(c->socket, c->reply);
    return MHD_YES;
}

/* Whether a refused request's body is not waited for: it is too long, or
 * nobody can tell where it ends, for its coding is unknown. */
static bool is_body_passed_over(const struct http_reply *r)
{
    const char *coding = http_header(&r->request, "Transfer-Encoding");
    return r->status == 413 || (coding && strcasecmp(coding, "chunked") != 0);
}

/* The headers are there. */
static enum MHD_Result begin_request(struct http_server *s,
                                     struct http_connection *c,
                                     const char *method, const char *version)
{
    struct http_reply *r = c->reply;
    if (!enter_phase(s, c, PHASE_BODY))
        return MHD_NO;
    check_request(s, c, method, version);
    const char *expect = http_header(&r->request, "Expect");
    if (r->begun && expect && strcasecmp(expect, "100-continue") == 0)
        return enter_phase(s, c, PHASE_WORK) ? send_reply(r) : MHD_NO;
    return r->begun && is_body_passed_over(r) ? answer_early(s, c) : MHD_YES;
}

/* A part of the body has come. */
static enum MHD_Result collect(struct http_server *s,
                               struct http_connection *c, const char *body,
                               size_t size)
{
    static const struct http_error too_large = {
        .message = "the request's body is too large",
        .code = "request_too_large"};
    static const struct http_error no_room = {
        .message = "too many large requests at once", .code = "overloaded"};
    const struct http_limits *limits = &s->options.limits;
    struct http_reply *r = c->reply;
    if (r->begun)
        return MHD_YES;
    size_t have = r->body.size;
    if (size > limits->body_bytes || have > limits->body_bytes - size) {
        exchange_forget_body(r, 0);
        exchange_refuse(r, 413, &too_large);
        return answer_early(s, c);
    }
    if (!exchange_collect(r, body, size)) {
        exchange_forget_body(r, 0);
        exchange_header(r, "Retry-After", "1");
        exchange_refuse(r, 503, &no_room);
        return answer_early(s, c);
    }
    return MHD_YES;
}

/* The request is whole. */
static enum MHD_Result finish_request(struct http_server *s,
                                      struct http_connection *c)
{
    static const struct http_error no_memory = {
        .message = "no memory for the request"};
    struct http_reply *r = c->reply;
    if (!enter_phase(s, c, PHASE_WORK))
        return MHD_NO;
    r->request.body_size = r->body.size;
    bytes_add(&r->body, "", 1);
    r->request.body = r->body.data;
    if (!r->begun && r->body.failed)
        exchange_refuse(r, 503, &no_memory);
    if (!r->begun) {
        exchange_give(r);
        c->route->handle(s->context, &r->request, r);
    }
    return answer_request(r);
}

enum MHD_Result receive_request(void *context, struct MHD_Connection *network,
                                const char *url, const char *method,
                                const char *version, const char *body,
                                size_t *body_size, void **own)
{
    (void)url;
    struct http_connection *c = connection_of(network);
    if (!*own || !c)
        return MHD_NO;
    size_t size = *body_size;
    *body_size = 0;
    enum connection_phase phase = phase_of(context, c);
    if (phase == PHASE_HEAD)
        return begin_request(context, c, method, version);
    if (phase == PHASE_BODY && size > 0)
        return collect(context, c, body, size);
    if (phase == PHASE_BODY)
        return finish_request(context, c);
    if (phase == PHASE_REFUSED && size > 0)
        return MHD_YES;
    return phase == PHASE_WORK ? answer_request(c->reply) : MHD_NO;
}

void read_completed(void *context, struct MHD_Connection *network, void **own,
                    enum MHD_RequestTerminationCode code)
{
    struct http_connection *c = connection_of(network);
    if (c)
        complete_request(context, c,
                         code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    *own = NULL;
}
