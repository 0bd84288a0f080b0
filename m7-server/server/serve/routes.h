/* The routes, and what is behind each of those that the desk makes ready. */
#ifndef ROUTES_H
#define ROUTES_H

#include "answering.h"
#include "server.h"

/* All routes: (n_server_routes,); their context is the struct server. */
extern const struct http_route server_routes[];
extern const size_t n_server_routes;

/* Called at the desk: see to the reply, now or later. */
typedef void server_route(struct server *s,
                          const struct answering_arrival *arrival);

server_route route_chat, route_completions, route_embeddings, route_tokenize,
    route_detokenize, route_template;

#endif
