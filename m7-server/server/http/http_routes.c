/* Routes: see http_routes.h. */
#include "http_routes.h"

#include <string.h>

static bool fits_route(const struct http_route *route, const char *path)
{
    size_t size = strlen(route->path);
    return strncmp(route->path, path, size) == 0 &&
           (route->prefix ? path[size] != 0 : path[size] == 0);
}

const char *route_rest(const struct http_route *route, const char *path)
{
    return path + strlen(route->path);
}

const struct http_route *routes_find(const struct http_routes *routes,
                                     const char *method, const char *path,
                                     struct bytes *allow)
{
    const struct http_route *found = NULL;
    bool some = false;
    for (size_t i = 0; i < routes->count; i++) {
        const struct http_route *route = &routes->list[i];
        if (!fits_route(route, path))
            continue;
        some = true;
        bool get = strcmp(route->method, "GET") == 0;
        bytes_add_string(allow, route->method);
        bytes_add_string(allow, get ? ", HEAD, " : ", ");
        if (!found && strcmp(route->method, method) == 0)
            found = route;
    }
    if (some)
        bytes_add_string(allow, "OPTIONS");
    return found;
}
