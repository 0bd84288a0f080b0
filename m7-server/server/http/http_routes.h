/* Which handler a request goes to. */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "http.h"

/* What asks for routes (count,) with a path. */
struct http_routes {
    const struct http_route *list;
    size_t count;
};

/* The first route for a method and a path, or NULL.  The methods that the path
 * has are appended to *allow, "GET, HEAD, OPTIONS"; nothing, when there is no
 * such path. */
const struct http_route *routes_find(const struct http_routes *routes,
                                     const char *method, const char *path,
                                     struct bytes *allow);

/* What follows a route's path: "" where it is the whole. */
const char *route_rest(const struct http_route *route, const char *path);

#endif
