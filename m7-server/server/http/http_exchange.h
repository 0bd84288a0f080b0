/* Inside the room: a request and its reply, between the network and the
 * producer.
 *
 * Both sides hold it: the network from the request line until libmicrohttpd
 * is done with it, the producer from the handler's call until the end of the
 * reply.  Whoever lets go last frees it.  What both touch is under `lock`;
 * while it is held only libmicrohttpd's own locks are taken. */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "http.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Bytes that the exchanges of one server hold, all together, until they are
 * freed; some may be later than the server, so each is an owner of this. */
struct exchange_room {
    atomic_size_t owners;
    atomic_size_t requests; /* of bodies, behind their first 64 KiB */
    atomic_size_t replies;  /* of those to be sent, whole and not small */
    size_t most_requests, most_replies;
};

struct http_reply {
    struct exchange_room *room;
    size_t body_room, content_room; /* of it, that this one holds */

    struct http_request request;
    bool head_only;              /* it was a HEAD */
    char id[40];                 /* request.id */
    char method[24];             /* request.method */
    char peer[INET6_ADDRSTRLEN]; /* request.peer */
    char *target;                /* as sent */
    struct bytes path;           /* request.path */
    void *header_memory; /* request.headers, and behind them their text */
    struct bytes body;   /* request.body */

    pthread_mutex_t lock;
    pthread_cond_t told; /* `calling` has become false */
    atomic_int state;    /* enum http_reply_state; changes under the lock */

    /* The network's side. */
    struct MHD_Connection *network; /* NULL: it has let go */
    int socket;
    bool suspended; /* libmicrohttpd leaves it alone until it is resumed */
    bool broken;    /* nothing more is sent */
    size_t sent;    /* bytes of the body */

    /* The producer's side. */
    bool ended; /* the producer has let go, or has never held it */
    bool calling;
    void (*gone)(void *context, enum http_reply_state why);
    void *gone_context;

    /* What is to be sent. */
    bool begun;    /* `status` and `headers` are complete */
    bool streamed; /* `content` grows until `complete` */
    bool complete;
    bool lost; /* there was no memory for `content` */
    int status;
    struct bytes headers; /* NAME 0 VALUE 0 ... */
    struct bytes content;
    size_t taken; /* bytes at the start of content that are sent */
    size_t most;  /* bytes that may wait */
    struct bytes silence, late; /* of struct http_stream */
    double silence_seconds;
    double begun_at; /* the request line */
    double asked_at; /* the end of the request */
    double wrote_at; /* the last byte of the stream was given */
};

/* Seconds of a clock that never goes back. */
double exchange_clock(void);

/* Room with one owner; NULL without memory.  The last owner who lets go frees
 * it. */
struct exchange_room *exchange_room_new(const struct http_limits *limits);
void exchange_room_leave(struct exchange_room *room);

/* An exchange that the network holds; NULL without memory.  `most` is
 * stream_bytes; room NULL: nothing that it holds is counted. */
struct http_reply *exchange_new(struct MHD_Connection *network, int socket,
                                size_t most, struct exchange_room *room);

/* Add to the request's body; false: there is no room for it. */
bool exchange_collect(struct http_reply *r, const char *body, size_t size);

/* Free the request's body, and give back the room that it had, but for that
 * of as many bytes as stay of it. */
void exchange_forget_body(struct http_reply *r, size_t stays);

/* The producer begins to hold it: before the handler is called. */
void exchange_give(struct http_reply *r);

/* The network lets go; a producer who is still at work is told.  The exchange
 * may be gone after that. */
void exchange_leave(struct http_reply *r);

/* The producer lets go; the lock is held, and is given back. */
void exchange_end(struct http_reply *r);

/* Add bytes to a stream; the lock is held.  Beyond the bound it is cut. */
void exchange_write(struct http_reply *r, const void *data, size_t size);

/* Let the network look at what there is to send. */
void exchange_wake(struct http_reply *r);

/* Nobody reads the stream, for it answers a HEAD: its producer may stop. */
void exchange_quiet(struct http_reply *r);

/* Send no more, for a reason, and close the connection. */
void exchange_cut(struct http_reply *r, enum http_reply_state why);

/* The time is over: say so, as far as still can be. */
void exchange_late(struct http_reply *r);

/* Break a stream's silence, when it has lasted too long. */
void exchange_break_silence(struct http_reply *r, double now);

/* The network's figures for a log. */
struct exchange_count {
    int status;
    size_t sent;
};

struct exchange_count exchange_count(struct http_reply *r);

/* What a reply that is no stream has to say: data (size,). */
struct exchange_body {
    const char *data;
    size_t size;
};

/* Where there was no memory it is an error that needs none. */
struct exchange_body exchange_body(const struct http_reply *r);

/* Fill in the reply for the network, whole; the lock is held, or nobody else
 * has the exchange yet.  A body or headers that have failed make it a 500, one
 * that there is no room for a 503. */
void exchange_answer(struct http_reply *r, int status, const char *type,
                     struct bytes *body);
void exchange_refuse(struct http_reply *r, int status,
                     const struct http_error *error);
/* Without a value it is not sent: libmicrohttpd takes none. */
void exchange_header(struct http_reply *r, const char *name,
                     const char *value);

/* Bytes that the network has still to take; the lock is held. */
size_t exchange_waiting(const struct http_reply *r);

#endif
