/* Exchanges: see http_exchange.h. */
#include "http_exchange.h"

#include "sizes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

double exchange_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- room ---------------------------------------------------------------- */

enum exchange_sizes {
    SMALL_REPLY = 64 << 10, /* bytes that are not counted: errors, mostly */
    SMALL_BODY = 64 << 10   /* the first bytes of each body are not, either:
                               who fills the room shuts out no short request */
};

struct exchange_room *exchange_room_new(const struct http_limits *limits)
{
    struct exchange_room *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    room->owners = 1;
    room->most_requests = limits->all_bodies;
    room->most_replies = limits->all_replies;
    return room;
}

void exchange_room_leave(struct exchange_room *room)
{
    if (atomic_fetch_sub(&room->owners, 1) == 1)
        free(room);
}

/* Take `size` bytes of at most `most`.  Who does not fit takes nothing, not
 * even for a moment: another one may fit meanwhile. */
static bool take_room(atomic_size_t *held, size_t size, size_t most)
{
    size_t had = atomic_load(held);
    do {
        if (size > most || had > most - size)
            return false;
    } while (!atomic_compare_exchange_weak(held, &had, had + size));
    return true;
}

/* Of so many bytes: the first are free. */
static size_t counted_bytes(size_t size)
{
    return size > SMALL_BODY ? size - SMALL_BODY : 0;
}

bool exchange_collect(struct http_reply *r, const char *body, size_t size)
{
    size_t counted = counted_bytes(r->body.size + size);
    size_t more = counted - r->body_room;
    if (!take_room(&r->room->requests, more, r->room->most_requests))
        return false;
    r->body_room = counted;
    bytes_add(&r->body, body, size);
    return true;
}

void exchange_forget_body(struct http_reply *r, size_t stays)
{
    size_t kept = smaller_size(counted_bytes(stays), r->body_room);
    bytes_free(&r->body);
    r->request.body = NULL;
    r->request.body_size = 0;
    if (r->room)
        atomic_fetch_sub(&r->room->requests, r->body_room - kept);
    r->body_room = kept;
}

/* --- a life -------------------------------------------------------------- */

struct http_reply *exchange_new(struct MHD_Connection *network, int socket,
                                size_t most, struct exchange_room *room)
{
    struct http_reply *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    if (pthread_mutex_init(&r->lock, NULL)) {
        free(r);
        return NULL;
    }
    if (pthread_cond_init(&r->told, NULL)) {
        pthread_mutex_destroy(&r->lock);
        free(r);
        return NULL;
    }
    if (room)
        atomic_fetch_add(&room->owners, 1);
    r->room = room;
    r->network = network;
    r->socket = socket;
    r->most = most;
    r->ended = true;
    r->begun_at = exchange_clock();
    return r;
}

static void leave_room(struct http_reply *r)
{
    if (!r->room)
        return;
    atomic_fetch_sub(&r->room->replies, r->content_room);
    exchange_room_leave(r->room);
}

static void release_reply(struct http_reply *r)
{
    pthread_cond_destroy(&r->told);
    pthread_mutex_destroy(&r->lock);
    free(r->target);
    free(r->header_memory);
    bytes_free(&r->path);
    exchange_forget_body(r, 0);
    bytes_free(&r->headers);
    bytes_free(&r->content);
    bytes_free(&r->silence);
    bytes_free(&r->late);
    leave_room(r);
    free(r);
}

void exchange_give(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    r->ended = false;
    r->asked_at = exchange_clock();
    pthread_mutex_unlock(&r->lock);
}

/* Let libmicrohttpd look at it again; the lock is held. */
static void wake(struct http_reply *r)
{
    if (!r->suspended)
        return;
    r->suspended = false;
    MHD_resume_connection(r->network);
}

void exchange_wake(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    wake(r);
    pthread_mutex_unlock(&r->lock);
}

/* Tell the producer why it is over; the lock is held, but not meanwhile. */
static void tell_producer(struct http_reply *r)
{
    if (r->ended || !r->gone)
        return;
    r->calling = true;
    enum http_reply_state why = (enum http_reply_state)r->state;
    pthread_mutex_unlock(&r->lock);
    r->gone(r->gone_context, why);
    pthread_mutex_lock(&r->lock);
    r->calling = false;
    r->gone = NULL;
    pthread_cond_broadcast(&r->told);
}

void exchange_leave(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    r->network = NULL;
    r->suspended = false;
    if (r->state < REPLY_LEFT)
        r->state = REPLY_LEFT;
    tell_producer(r);
    bool last = r->ended;
    pthread_mutex_unlock(&r->lock);
    if (last)
        release_reply(r);
}

void exchange_end(struct http_reply *r)
{
    wake(r);
    while (r->calling)
        pthread_cond_wait(&r->told, &r->lock);
    r->ended = true;
    bool last = !r->network;
    pthread_mutex_unlock(&r->lock);
    if (last)
        release_reply(r);
}

void exchange_quiet(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->state < REPLY_LEFT)
        r->state = REPLY_LEFT;
    pthread_mutex_unlock(&r->lock);
}

struct exchange_count exchange_count(struct http_reply *r)
{
    pthread_mutex_lock(&r->lock);
    struct exchange_count count = {r->begun ? r->status : 0, r->sent};
    pthread_mutex_unlock(&r->lock);
    return count;
}

/* The lock is held. */
static void cut_reply(struct http_reply *r, enum http_reply_state why)
{
    if (r->state < REPLY_LEFT)
        r->state = why;
    r->broken = true;
    if (r->network)
        shutdown(r->socket, SHUT_RDWR);
    wake(r);
}

void exchange_cut(struct http_reply *r, enum http_reply_state why)
{
    pthread_mutex_lock(&r->lock);
    cut_reply(r, why);
    pthread_mutex_unlock(&r->lock);
}

size_t exchange_waiting(const struct http_reply *r)
{
    return r->content.size - r->taken;
}

void exchange_write(struct http_reply *r, const void *data, size_t size)
{
    size_t waiting = exchange_waiting(r);
    if (waiting > r->most || size > r->most - waiting) {
        cut_reply(r, REPLY_FULL);
        return;
    }
    if (r->taken > 0 && r->taken >= r->content.size / 2) {
        r->content.size -= r->taken;
        memmove(r->content.data, r->content.data + r->taken, r->content.size);
        r->taken = 0;
    }
    bytes_add(&r->content, data, size);
    r->wrote_at = exchange_clock();
    if (r->content.failed)
        cut_reply(r, REPLY_FULL);
    else
        wake(r);
}

void exchange_late(struct http_reply *r)
{
    static const struct http_error error = {
        .message = "the time for a request is over", .code = "timeout"};
    pthread_mutex_lock(&r->lock);
    if (!r->complete && r->state < REPLY_LEFT) {
        r->state = REPLY_LATE;
        if (r->streamed)
            exchange_write(r, r->late.data, r->late.size);
        else
            exchange_refuse(r, 504, &error);
        r->complete = true;
        wake(r);
    }
    pthread_mutex_unlock(&r->lock);
}

void exchange_break_silence(struct http_reply *r, double now)
{
    pthread_mutex_lock(&r->lock);
    if (r->streamed && !r->complete && r->state < REPLY_LEFT &&
        r->silence_seconds > 0 && exchange_waiting(r) == 0 &&
        now - r->wrote_at >= r->silence_seconds)
        exchange_write(r, r->silence.data, r->silence.size);
    pthread_mutex_unlock(&r->lock);
}

void exchange_header(struct http_reply *r, const char *name, const char *value)
{
    if (!*value)
        return;
    bytes_add(&r->headers, name, strlen(name) + 1);
    size_t from = r->headers.size;
    bytes_add(&r->headers, value, strlen(value) + 1);
    for (size_t i = from; i + 1 < r->headers.size; i++)
        if ((unsigned char)r->headers.data[i] < ' ' ||
            r->headers.data[i] == 127)
            r->headers.data[i] = ' ';
}

struct exchange_body exchange_body(const struct http_reply *r)
{
    static const char no_memory[] =
        "{\"error\":{\"message\":\"out of memory\",\"type\":"
        "\"server_error\",\"param\":null,\"code\":\"server_error\"}}";
    if (r->lost)
        return (struct exchange_body){no_memory, sizeof no_memory - 1};
    return (struct exchange_body){r->content.size ? r->content.data : "",
                                  r->content.size};
}

/* Count what is to be sent, until it is; false: there was no room, and it has
 * become an error.  One alone always has room. */
static bool keep_content(struct http_reply *r, struct bytes *body)
{
    static const struct http_error no_room = {
        .message = "too many large replies at once", .code = "overloaded"};
    struct exchange_room *room = r->room;
    size_t size = body->size, alone = 0;
    if (size <= SMALL_REPLY || !room)
        return true;
    if (take_room(&room->replies, size, room->most_replies) ||
        atomic_compare_exchange_strong(&room->replies, &alone, size)) {
        r->content_room = size;
        return true;
    }
    bytes_free(body);
    http_error_body(body, 503, &no_room);
    return false;
}

void exchange_answer(struct http_reply *r, int status, const char *type,
                     struct bytes *body)
{
    if (!keep_content(r, body)) {
        status = 503;
        type = "application/json";
        exchange_header(r, "Retry-After", "1");
    }
    if (type)
        exchange_header(r, "Content-Type", type);
    bool failed = body->failed || r->headers.failed;
    if (failed) {
        bytes_free(body);
        bytes_free(&r->headers);
        exchange_header(r, "Content-Type", "application/json");
    }
    r->content = *body;
    *body = (struct bytes){0};
    r->lost = failed;
    r->status = failed ? 500 : status;
    r->begun = r->complete = true;
}

void exchange_refuse(struct http_reply *r, int status,
                     const struct http_error *error)
{
    struct bytes body = {0};
    http_error_body(&body, status, error);
    exchange_answer(r, status, "application/json", &body);
}
