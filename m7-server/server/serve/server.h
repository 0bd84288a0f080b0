/* The server's own parts, for the files of this room. */
#ifndef SERVER_H
#define SERVER_H

#include "desk.h"
#include "finisher.h"
#include "metrics.h"
#include "request_log.h"
#include "serve.h"
#include "served.h"

struct server {
    struct served_list models;
    struct http_metrics metrics;
    struct request_log *log;   /* owned; NULL: nobody reads one */
    struct desk *desk;         /* owned */
    struct desk *large_desk;   /* owned; for large bodies */
    struct finisher *finisher; /* owned */
    struct http_server *http;  /* owned */
};

#endif
