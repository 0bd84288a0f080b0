/* Who may ask: keys, names of the server, pages of other origins. */
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include "http.h"

#include <stdbool.h>

/* Whether a header Authorization (NULL: there is none) has one of the keys.
 * The time that it takes does not depend on how much of a key is right. */
bool guard_key(const struct http_options *o, const char *authorization);

/* Whether HOST or HOST:PORT (size,) is a name of this server.  A page of
 * somebody else's can make its own name lead here, but cannot make the browser
 * ask under another; and a number leads nowhere else. */
bool guard_host(const struct http_options *o, const char *host, size_t size);

/* Whether a page of this origin may read our replies. */
bool guard_origin(const struct http_options *o, const char *origin);

/* Whether an origin is the server's own page, asked under `host`. */
bool guard_is_own(const char *origin, const char *host);

#endif
