/* May this request be answered?  What can be said before its body has come.
 *
 * libmicrohttpd has parsed the lines and answered, in words of its own, what
 * cannot be parsed at all.  Here is what it lets pass: RFC 9110, and RFC 9112,
 * sections 3 and 6, say what a server must not. */
#include "http_guard.h"
#include "http_server.h"
#include "http_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct check {
    struct http_server *server;
    struct http_connection *connection;
    struct http_reply *reply;
    const char *method, *version;

    struct http_header *headers; /* to be filled in */
    char *text;                  /* room for their strings */
    size_t n_headers, bytes;
    bool malformed;
    const char *host; /* the server's name as it was asked, or NULL */
};

/* Refuse with a message and a code. */
static void refuse_request(struct check *k, int status, const char *code,
                           const char *message)
{
    struct http_error error = {.message = message, .code = code};
    exchange_refuse(k->reply, status, &error);
}

/* Refuse, and close: what follows may be anything. */
static void refuse_malformed(struct check *k, const char *message)
{
    exchange_header(k->reply, "Connection", "close");
    refuse_request(k, 400, "malformed_request", message);
}

static bool is_token(const char *text, size_t size)
{
    static const char others[] = "!#$%&'*+-.^_`|~0123456789"
                                 "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return size > 0 && strspn(text, others) == size;
}

static bool is_value(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] < ' ' && text[i] != '\t') ||
            text[i] == 127)
            return false;
    return true;
}

static enum MHD_Result measure_header(void *context, enum MHD_ValueKind kind,
                                      const char *name, size_t name_size,
                                      const char *value, size_t value_size)
{
    (void)kind;
    struct check *k = context;
    k->n_headers++;
    k->bytes += name_size + value_size + 2;
    if (!is_token(name, name_size) || (value && !is_value(value, value_size)))
        k->malformed = true;
    return MHD_YES;
}

static const char *copy(struct check *k, const char *text, size_t size)
{
    char *at = k->text;
    memcpy(at, text, size);
    at[size] = 0;
    k->text += size + 1;
    return at;
}

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind,
                                   const char *name, size_t name_size,
                                   const char *value, size_t value_size)
{
    (void)kind;
    struct check *k = context;
    struct http_header *h = &k->headers[k->reply->request.n_headers++];
    h->name = copy(k, name, name_size);
    h->value = copy(k, value ? value : "", value ? value_size : 0);
    return MHD_YES;
}

static void check_headers(struct check *k)
{
    struct http_reply *r = k->reply;
    MHD_get_connection_values_n(r->network, MHD_HEADER_KIND, measure_header,
                                k);
    size_t width = sizeof *k->headers;
    k->headers = malloc(k->n_headers * width + k->bytes + 1);
    if (!k->headers || !r->target) {
        free(k->headers);
        refuse_request(k, 503, NULL, "no memory for the request");
        return;
    }
    r->header_memory = k->headers;
    k->text = (char *)(k->headers + k->n_headers);
    r->request.headers = k->headers;
    MHD_get_connection_values_n(r->network, MHD_HEADER_KIND, take_header, k);
    k->bytes += strlen(r->target);
    if (k->bytes > k->server->options.limits.header_bytes) {
        exchange_header(r, "Connection", "close");
        refuse_request(k, 431, "headers_too_large",
                       "the request's headers are too large");
    } else if (k->malformed)
        refuse_malformed(k, "a header is malformed");
}

/* "HEAD" is a GET to the handler. */
static void check_method(struct check *k)
{
    struct http_reply *r = k->reply;
    size_t size = strlen(k->method);
    if (size >= sizeof r->method || !is_token(k->method, size)) {
        refuse_malformed(k, "the request's method is malformed");
        return;
    }
    r->head_only = strcmp(k->method, "HEAD") == 0;
    strcpy(r->method, r->head_only ? "GET" : k->method);
    r->request.method = r->method;
}

static void check_path(struct check *k)
{
    struct http_reply *r = k->reply;
    struct target target;
    if (target_split(r->target, &target) || target_path(&target, &r->path)) {
        refuse_malformed(k, "the request's path is malformed");
        return;
    }
    if (r->path.failed) {
        refuse_request(k, 503, NULL, "no memory for the request");
        return;
    }
    r->request.path = r->path.data;
    r->request.query = target.query;
    k->host = http_header(&r->request, "Host");
    if (target.host &&
        !guard_host(&k->server->options, target.host, target.host_size))
        refuse_request(k, 403, "unknown_host", "this server has no such name");
}

static size_t count_headers(const struct http_request *request,
                            const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < request->n_headers; i++)
        n += strcasecmp(request->headers[i].name, name) == 0;
    return n;
}

/* Where the body ends must be said once: what two servers read in two ways,
 * one behind the other, lets a request through unseen (RFC 9112, 11.2). */
static void check_framing(struct check *k)
{
    const struct http_request *request = &k->reply->request;
    const char *coding = http_header(request, "Transfer-Encoding");
    const char *length = http_header(request, "Content-Length");
    if (count_headers(request, "Content-Length") > 1 ||
        count_headers(request, "Transfer-Encoding") > 1 || (coding && length))
        refuse_malformed(k, "the length of the request's body is given twice");
    else if (length &&
             (!*length || strspn(length, "0123456789") != strlen(length)))
        refuse_malformed(k, "the header Content-Length is malformed");
    else if (coding && strcasecmp(coding, "chunked") != 0)
        refuse_malformed(k, "the header Transfer-Encoding is not \"chunked\"");
}

static void check_host(struct check *k)
{
    size_t n = count_headers(&k->reply->request, "Host");
    if (n > 1 || (n == 0 && strcmp(k->version, "HTTP/1.0") != 0))
        refuse_malformed(k, "the header Host must be there once");
    else if (n == 1 &&
             !guard_host(&k->server->options, k->host, strlen(k->host)))
        refuse_request(k, 403, "unknown_host",
                       "this server has no such name as the header Host says");
}

/* A page of another origin may send some requests without asking first; what
 * they do is then done, though it cannot read the reply. */
static void check_origin(struct check *k)
{
    struct http_reply *r = k->reply;
    const struct http_options *o = &k->server->options;
    const char *origin = http_header(&r->request, "Origin");
    if (o->n_origins > 0)
        exchange_header(r, "Vary", "Origin");
    if (!origin || !*origin || guard_is_own(origin, k->host))
        return;
    if (guard_origin(o, origin)) {
        exchange_header(r, "Access-Control-Allow-Origin", origin);
        exchange_header(r, "Access-Control-Expose-Headers", "*");
    } else if (strcmp(r->method, "GET") != 0 &&
               strcmp(r->method, "OPTIONS") != 0)
        refuse_request(k, 403, "unknown_origin",
                       "pages of this origin may not ask this server");
}

static void check_capacity(struct check *k)
{
    struct http_server *s = k->server;
    pthread_mutex_lock(&s->lock);
    bool draining = s->draining;
    bool full = s->n_connections > s->options.limits.connections;
    pthread_mutex_unlock(&s->lock);
    if (!draining && !full)
        return;
    exchange_header(k->reply, "Connection", "close");
    exchange_header(k->reply, "Retry-After", draining ? "5" : "1");
    refuse_request(k, 503, draining ? "stopping" : "overloaded",
                   draining ? "the server is stopping"
                            : "too many connections at once");
}

/* OPTIONS: what may be asked; to a page of an allowed origin in the words of
 * the Fetch Standard, section 3.2 (CORS protocol). */
static void answer_options(struct check *k, const char *allow)
{
    struct http_reply *r = k->reply;
    const char *headers =
        http_header(&r->request, "Access-Control-Request-Headers");
    if (http_header(&r->request, "Access-Control-Request-Method")) {
        exchange_header(r, "Access-Control-Allow-Methods", allow);
        exchange_header(r, "Access-Control-Max-Age", "600");
        if (headers)
            exchange_header(r, "Access-Control-Allow-Headers", headers);
    }
    exchange_header(r, "Allow", allow);
    exchange_answer(r, 204, NULL, &(struct bytes){0});
}

static void refuse_stranger(struct check *k)
{
    exchange_header(k->reply, "WWW-Authenticate", "Bearer");
    refuse_request(k, 401, "invalid_api_key",
                   "a valid API key is needed: Authorization: Bearer KEY");
}

static void refuse_unknown(struct check *k)
{
    struct bytes message = {0};
    bytes_add_string(&message, "unknown path: ");
    bytes_add(&message, k->reply->path.data, k->reply->path.size);
    refuse_request(k, 404, "unknown_url",
                   message.failed ? "unknown path" : message.data);
    bytes_free(&message);
}

static void find_route(struct check *k, struct bytes *allow)
{
    struct http_reply *r = k->reply;
    const struct http_request *request = &r->request;
    const struct http_route *route =
        routes_find(&k->server->routes, r->method, request->path, allow);
    bool known = allow->size > 0;
    bytes_add(allow, "", 1);
    if (allow->failed)
        refuse_request(k, 503, NULL, "no memory for the request");
    else if (known && strcmp(r->method, "OPTIONS") == 0)
        answer_options(k, allow->data);
    else if (!(route && route->open) &&
             !guard_key(&k->server->options,
                        http_header(request, "Authorization")))
        refuse_stranger(k);
    else if (!known)
        refuse_unknown(k);
    else if (!route) {
        exchange_header(r, "Allow", allow->data);
        refuse_request(k, 405, "method_not_allowed",
                       "this path does not have this method");
    } else {
        k->connection->route = route;
        r->request.rest =
            route->prefix ? route_rest(route, request->path) : "";
    }
}

static void check_route(struct check *k)
{
    struct bytes allow = {0};
    find_route(k, &allow);
    bytes_free(&allow);
}

static void check_body(struct check *k)
{
    const struct http_request *request = &k->reply->request;
    const char *coding = http_header(request, "Content-Encoding");
    const char *length = http_header(request, "Content-Length");
    size_t most = k->server->options.limits.body_bytes;
    char message[128];
    if (coding && strcasecmp(coding, "identity") != 0)
        refuse_request(k, 415, "unsupported_encoding",
                       "bodies cannot be compressed: Content-Encoding");
    else if (length && strtoull(length, NULL, 10) > most) {
        snprintf(message, sizeof message,
                 "the request's body is larger than %zu bytes", most);
        refuse_request(k, 413, "request_too_large", message);
    }
}

void check_request(struct http_server *s, struct http_connection *c,
                   const char *method, const char *version)
{
    static void (*const checks[])(struct check *) = {
        check_headers, check_method,   check_path,  check_framing, check_host,
        check_origin,  check_capacity, check_route, check_body};
    struct check k = {.server = s,
                      .connection = c,
                      .reply = c->reply,
                      .method = method,
                      .version = version};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!c->reply->begun)
            checks[i](&k);
}
