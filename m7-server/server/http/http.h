/* A server of HTTP/1.1: it listens, keeps limits, checks who asks, and calls
 * the handler of a route.
 *
 * What bodies mean is the handlers' business; this room knows nothing of
 * models or of OpenAI's API, but for the shape of its errors (http_error.h).
 *
 * Threads.  Two belong to a server.  The network thread is libmicrohttpd's: it
 * reads requests, calls handlers, and sends what replies hold.  The watch
 * (http_watch.h) looks at clocks and at sockets: it notices clients that
 * leave.  A handler must not block, for the others wait for it: it answers at
 * once, or hands the reply to another thread (http_reply.h). */
#ifndef HTTP_H
#define HTTP_H

#include "error.h"
#include "http_reply.h"
#include "http_request.h"

#include <stdbool.h>
#include <stddef.h>

struct http_server;

/* What one client, or all of them, may ask of the server.  Who exceeds a limit
 * gets the status that stands beside it. */
struct http_limits {
    size_t header_bytes;    /* the request line and the headers: 431 */
    size_t body_bytes;      /* of one request: 413 */
    size_t all_bodies;      /* of all requests, but for the first 64 KiB of
                               each, until they are freed: 503 */
    size_t all_replies;     /* of all replies but streams and those of up to
                               64 KiB, if it is not the only one: 503 */
    size_t stream_bytes;    /* that wait for a slow reader: he is cut off */
    size_t connections;     /* at once: 503 */
    double header_seconds;  /* from a request's first byte: 408 */
    double body_seconds;    /* from then to its last: 408 */
    double request_seconds; /* from there to the end of the reply: 504 */
    double idle_seconds;    /* between requests, or without any byte of a
                               reply being taken: the connection is closed */
};

extern const struct http_limits http_default_limits;

/* What a request came to: for a log.  Holds nothing that a client said but
 * the method and the path, which are "" when they could not be read.  A
 * request without a whole first line is none. */
struct http_outcome {
    const char *method, *path, *id;
    int status;     /* 0: it was cut off before there was one */
    size_t bytes;   /* of the body that were given to the network */
    double seconds; /* from the request line to the last byte */
    bool whole;     /* the reply was sent to its end */
};

/* Strings and lists belong to the caller, who keeps them until http_free. */
struct http_options {
    const char *address; /* a number, IPv4 or IPv6; NULL: 127.0.0.1 */
    int port;            /* 0: any that is free */

    /* Who may ask: "Authorization: Bearer KEY".  Without keys, everybody. */
    const char *const *keys;
    size_t n_keys;

    /* Pages of other origins ("https://chat.example") that a browser may let
     * ask; "*" is all of them.  Without any: none but our own. */
    const char *const *origins;
    size_t n_origins;

    /* Names that the server has, besides localhost and all numbers; "*" is
     * all names.  A page whose name is bent to this machine's address (DNS
     * rebinding) asks under a name of its own, and gets 403. */
    const char *const *hosts;
    size_t n_hosts;

    struct http_limits limits; /* begin with http_default_limits */

    /* Called on the network thread after each request; may be NULL. */
    void (*log)(void *context, const struct http_outcome *outcome);
    void *log_context;
};

/* Answers a request, now or later; `context` is http_start's.  Called on the
 * network thread.  The request and the reply stay until the reply is ended,
 * which has to happen once, whatever becomes of the client. */
typedef void http_handler(void *context, const struct http_request *request,
                          struct http_reply *reply);

/* GET answers HEAD, too.  OPTIONS is answered by the server itself. */
struct http_route {
    const char *method;
    const char *path; /* decoded: "/v1/models" */
    bool prefix;      /* `path` is how it begins; the rest may be anything */
    bool open;        /* needs no key */
    http_handler *handle;
};

/* Listen, and serve routes (n_routes,), of which the first that fits counts;
 * they stay the caller's, until http_free.  NULL after an error: an address
 * that is taken, say. */
struct http_server *http_start(const struct http_options *options,
                               const struct http_route *routes,
                               size_t n_routes, void *context,
                               struct error *e);

int http_port(const struct http_server *s);

/* Take no more connections, and answer no more requests but those that have
 * begun; whoever still asks gets 503.  Returns at once. */
void http_drain(struct http_server *s);

/* Wait until no request is at work, at most `seconds`; whether none is. */
bool http_wait(struct http_server *s, double seconds);

/* End at once: replies that are not finished are cut off, and their producers
 * told (REPLY_STOPPED), who may end them later.  A graceful stop is
 * http_drain, http_wait until it is true or a second signal comes, and then
 * this. */
void http_free(struct http_server *s);

#endif
