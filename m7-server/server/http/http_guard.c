/* Who may ask: see http_guard.h. */
#include "http_guard.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

/* Whether two strings are equal, in a time that depends on the length of
 * `given` alone, which its owner knows. */
static bool same_key(const char *given, const char *key)
{
    size_t size = strlen(given), key_size = strlen(key);
    volatile unsigned char differ = size != key_size;
    for (size_t i = 0; i < size; i++) {
        char other = key[key_size == 0 ? 0 : i % key_size];
        differ |= (unsigned char)(given[i] ^ other);
    }
    return differ == 0;
}

bool guard_key(const struct http_options *o, const char *authorization)
{
    if (o->n_keys == 0)
        return true;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
        return false;
    const char *given = authorization + 7;
    given += strspn(given, " ");
    bool found = false;
    for (size_t i = 0; i < o->n_keys; i++)
        found |= same_key(given, o->keys[i]);
    return found;
}

static bool is_number(const char *name)
{
    unsigned char address[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, address) == 1 ||
           inet_pton(AF_INET6, name, address) == 1;
}

/* The name of host (size,), HOST, HOST:PORT or [HOST]:PORT, as a string. */
static bool host_name(const char *host, size_t size, char name[256])
{
    bool bracket = size > 0 && *host == '[';
    const char *end = memchr(host, bracket ? ']' : ':', size);
    if (bracket && !end)
        return false;
    host += bracket;
    size_t length = end ? (size_t)(end - host) : size - bracket;
    if (length == 0 || length > 255 || memchr(host, 0, length))
        return false;
    memcpy(name, host, length);
    name[length] = 0;
    return !bracket || strchr(name, ':');
}

/* Whether a name is "localhost" or ends in ".localhost": RFC 6761, 6.3. */
static bool is_local(const char *name)
{
    size_t size = strlen(name);
    return size >= 9 && strcasecmp(name + size - 9, "localhost") == 0 &&
           (size == 9 || name[size - 10] == '.');
}

bool guard_host(const struct http_options *o, const char *host, size_t size)
{
    char name[256];
    if (!host_name(host, size, name))
        return false;
    if (is_number(name) || is_local(name))
        return true;
    for (size_t i = 0; i < o->n_hosts; i++)
        if (strcasecmp(o->hosts[i], name) == 0 ||
            strcmp(o->hosts[i], "*") == 0)
            return true;
    return false;
}

bool guard_origin(const struct http_options *o, const char *origin)
{
    for (size_t i = 0; i < o->n_origins; i++)
        if (strcasecmp(o->origins[i], origin) == 0 ||
            strcmp(o->origins[i], "*") == 0)
            return true;
    return false;
}

bool guard_is_own(const char *origin, const char *host)
{
    const char *name = strstr(origin, "://");
    return name && strncasecmp(origin, "http", 4) == 0 && host &&
           strcasecmp(name + 3, host) == 0;
}
