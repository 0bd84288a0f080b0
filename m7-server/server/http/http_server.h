/* Inside the room: a server and its connections.
 *
 * `lock` is over the list of connections and their phases, which the network
 * thread changes and the watch looks at.  Under it an exchange's lock may be
 * taken, never the other way round. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "http_exchange.h"
#include "http_routes.h"

#include <netinet/in.h>
#include <poll.h>

enum http_server_sizes {
    /* Beyond the limit so many more are accepted, to be told 503. */
    SPARE_CONNECTIONS = 16
};

/* What a connection does; http_watch.c says how long each may last. */
enum connection_phase {
    PHASE_OPENED,  /* no request line has come yet */
    PHASE_HEAD,    /* headers come */
    PHASE_BODY,    /* the body comes */
    PHASE_WORK,    /* the handler has the request, or the reply is sent */
    PHASE_BETWEEN, /* a reply was sent, and perhaps another request comes */
    PHASE_REFUSED, /* the reply went before the body, which is passed over */
    PHASE_CUT      /* closed by us; libmicrohttpd has yet to notice */
};

struct http_connection {
    struct http_connection *next, *previous;
    struct MHD_Connection *network;
    int socket; /* open as long as this is in the list */
    char peer[INET6_ADDRSTRLEN];
    enum connection_phase phase;
    double since;             /* when the phase began */
    double left_since;        /* the client has closed its half; 0: it has not,
                                 or the phase is new */
    struct http_reply *reply; /* of the request, from its first line on */
    int past_status;          /* of a reply that the watch sent, or 0 */

    /* The network thread's alone. */
    const struct http_route *route;
};

struct http_server {
    struct http_options options;
    struct http_routes routes;
    void *context;
    struct MHD_Daemon *daemon;
    int listener, port;
    unsigned long long salt, n_requests; /* for ids */
    struct exchange_room *room; /* of what requests and replies hold */

    pthread_mutex_t lock;
    pthread_cond_t opened; /* there is a connection to watch, or the end */
    struct http_connection *connections;
    size_t n_connections, at_work;
    bool draining, ending;

    pthread_t watch;
    struct pollfd *polled; /* (n_polled,): at least n_connections */
    size_t n_polled;
};

/* http_read.c: libmicrohttpd calls these on the network thread, with the
 * server as `context`. */
void read_connection(void *context, struct MHD_Connection *network, void **own,
                     enum MHD_ConnectionNotificationCode code);
void *read_request_line(void *context, const char *target,
                        struct MHD_Connection *network);
enum MHD_Result receive_request(void *context, struct MHD_Connection *network,
                                const char *url, const char *method,
                                const char *version, const char *body,
                                size_t *body_size, void **own);
void read_completed(void *context, struct MHD_Connection *network, void **own,
                    enum MHD_RequestTerminationCode code);

/* http_check.c: look at a request's first line and headers; a request that is
 * refused has a reply when it returns. */
void check_request(struct http_server *s, struct http_connection *c,
                   const char *method, const char *version);

/* http_send.c: give a reply that has begun to libmicrohttpd; or write one past
 * it, where it would not let us: before the request has come. */
enum MHD_Result send_reply(struct http_reply *r);
void send_past(int socket, const struct http_reply *r);

/* http_watch.c: begin and end the watch; -1 when there can be no thread. */
int watch_start(struct http_server *s);
void watch_stop(struct http_server *s);

#endif
