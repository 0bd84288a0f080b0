/* The watch: a thread that looks, 20 times a second, how long each connection
 * has been at what it does, and whether the client is still there.
 *
 * libmicrohttpd does neither: its one timeout is of silence, so that a byte
 * now and then keeps a connection for ever; and while a connection is
 * suspended, for there is nothing to send yet, it does not look at it.  Nor
 * does it always see an end that came together with the last bytes.  A client
 * that has closed even its sending half counts as one that has left: the two
 * cannot be told apart.
 *
 * What it does it does under the server's lock: as long as a connection is in
 * the list its socket is open. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "http_server.h"

#include <sys/socket.h>
#include <time.h>

#ifndef POLLRDHUP
#define POLLRDHUP 0 /* without it POLLHUP says the same */
#endif

enum http_watch_times {
    ROUND_MILLISECONDS = 50,
    REFUSED_SECONDS = 5 /* for passing over a body that was refused */
};

/* What a client has sent before it closed is read within this time. */
static const double UNREAD_SECONDS = 0.4;

static void cut_connection(struct http_connection *c)
{
    c->phase = PHASE_CUT;
    shutdown(c->socket, SHUT_RDWR);
}

/* The request took too long to come: 408.  Its exchange is left alone: the
 * network thread may be at it. */
static void refuse_slow(struct http_connection *c)
{
    static const struct http_error error = {
        .message = "the request took too long to arrive", .code = "timeout"};
    struct http_reply *r = exchange_new(NULL, -1, 0, NULL);
    if (r) {
        exchange_refuse(r, 408, &error);
        send_past(c->socket, r);
        exchange_leave(r);
    }
    c->past_status = 408;
    cut_connection(c);
}

/* A request that is at work, and whether its client has left. */
static void look_at_work(const struct http_limits *limits,
                         struct http_connection *c, bool left, double now)
{
    double past = now - c->since - limits->request_seconds;
    if (left) {
        c->phase = PHASE_CUT;
        exchange_cut(c->reply, REPLY_LEFT);
    } else if (past > limits->idle_seconds) {
        c->phase = PHASE_CUT;
        exchange_cut(c->reply, REPLY_LATE);
    } else if (past > 0)
        exchange_late(c->reply);
    else
        exchange_break_silence(c->reply, now);
}

/* Whether a client has left in the middle of a request, or after its last
 * one; what it sent before that has had time to be read. */
static bool has_left(struct http_connection *c, bool left, double now)
{
    if (left && c->left_since == 0)
        c->left_since = now;
    return left && now - c->left_since > UNREAD_SECONDS;
}

/* How long a phase other than work may last, in seconds. */
static double longest(const struct http_limits *limits,
                      enum connection_phase phase)
{
    switch (phase) {
    case PHASE_BODY:
        return limits->body_seconds;
    case PHASE_BETWEEN:
        return limits->idle_seconds + limits->header_seconds;
    case PHASE_REFUSED:
        return REFUSED_SECONDS;
    default:
        return limits->header_seconds;
    }
}

/* A connection that brings a request, or may. */
static void look_at_reading(const struct http_limits *limits,
                            struct http_connection *c, bool left, double now)
{
    bool awaited = c->phase != PHASE_BETWEEN && c->phase != PHASE_REFUSED;
    bool late = now - c->since > longest(limits, c->phase);
    if (has_left(c, left, now) || (late && !awaited))
        cut_connection(c);
    else if (late)
        refuse_slow(c);
}

static void look(const struct http_limits *limits, struct http_connection *c,
                 bool left, double now)
{
    if (c->phase == PHASE_WORK)
        look_at_work(limits, c, left, now);
    else if (c->phase != PHASE_CUT)
        look_at_reading(limits, c, left, now);
}

/* Ask for all at once; the answers stand in the list's order. */
static void poll_all(struct http_server *s)
{
    nfds_t n = 0;
    for (struct http_connection *c = s->connections; c; c = c->next)
        s->polled[n++] = (struct pollfd){
            .fd = c->phase == PHASE_CUT ? -1 : c->socket, .events = POLLRDHUP};
    if (poll(s->polled, n, 0) < 0)
        for (nfds_t i = 0; i < n; i++)
            s->polled[i].revents = 0;
}

static void look_around(struct http_server *s)
{
    double now = exchange_clock();
    poll_all(s);
    size_t i = 0;
    for (struct http_connection *c = s->connections; c; c = c->next)
        look(&s->options.limits, c, s->polled[i++].revents != 0, now);
}

static void *run_watch(void *context)
{
    struct http_server *s = context;
    struct timespec round = {0, ROUND_MILLISECONDS * 1000000L};
    pthread_mutex_lock(&s->lock);
    while (!s->ending) {
        if (!s->connections) {
            pthread_cond_wait(&s->opened, &s->lock);
            continue;
        }
        look_around(s);
        pthread_mutex_unlock(&s->lock);
        nanosleep(&round, NULL);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int watch_start(struct http_server *s)
{
    return pthread_create(&s->watch, NULL, run_watch, s) ? -1 : 0;
}

void watch_stop(struct http_server *s)
{
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_cond_signal(&s->opened);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->watch, NULL);
}
