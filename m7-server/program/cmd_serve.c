/* The command that serves models over HTTP until it is told to stop. */
#include "commands.h"
#include "engine_options.h"
#include "found_models.h"
#include "opening.h"
#include "serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum serve_limits {
    LAST_PORT = 65535,
    MEGABYTE = 1000000
};

/* --- which models -------------------------------------------------------- */

/* Those of the command line, or those that are found, and then what guesses
 * for them, unless the command line says that, too. */
static int choose_models(const struct settings *s, struct found_models *f,
                         struct serve_options *o, struct error *e)
{
    o->models = (const char *const *)s->arguments;
    o->n_models = (size_t)s->n_arguments;
    if (o->n_models > 0)
        return 0;
    if (found_models_read(f, e))
        return -1;
    o->models = (const char *const *)f->paths;
    o->n_models = f->n;
    if (f->draft && !o->engine.draft) {
        o->engine.draft = f->draft;
        fprintf(stderr, "rung: %s guesses what others will say\n",
                strrchr(f->draft, '/') + 1);
    }
    return 0;
}

/* --- what it is told ----------------------------------------------------- */

static void say_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "rung: %s\n", line);
}

/* A line at once, for whoever watches; one that cannot be printed is lost. */
static void print_log(void *context, const char *line)
{
    (void)context;
    printf("%s\n", line);
    fflush(stdout);
}

static int read_port(const struct settings *s, int *port, struct error *e)
{
    size_t value = number_or(s->port, 8080);
    if (value > LAST_PORT)
        return fail(e, ERROR_USAGE, "option --port must be from 0 to %d",
                    LAST_PORT);
    *port = (int)value;
    return 0;
}

static struct rung_options serving_options(const struct settings *s)
{
    struct rung_options o = engine_options(s);
    o.context = number_or(s->context, 0);
    o.requests = number_or(s->parallel, 0);
    o.queue = number_or(s->queue, 0);
    return o;
}

static void set_http_limits(const struct settings *s, struct http_limits *l)
{
    if (s->most_body.said)
        l->body_bytes = s->most_body.value * MEGABYTE;
    if (l->all_bodies < l->body_bytes)
        l->all_bodies = l->body_bytes;
    l->connections = number_or(s->connections, l->connections);
    if (s->header_time.said)
        l->header_seconds = (double)s->header_time.value;
    if (s->total_time.said)
        l->request_seconds = (double)s->total_time.value;
}

static int http_options(const struct settings *s, struct http_options *o,
                        struct error *e)
{
    *o = (struct http_options){
        .address = s->host,
        .keys = s->keys.items,
        .n_keys = s->keys.n,
        .origins = s->origins.items,
        .n_origins = s->origins.n,
        .hosts = s->names.items,
        .n_hosts = s->names.n,
        .limits = http_default_limits,
    };
    set_http_limits(s, &o->limits);
    return read_port(s, &o->port, e);
}

/* --- while it runs ------------------------------------------------------- */

static void announce_server(const struct serve_options *o,
                            const struct server *s)
{
    const char *host = o->http.address ? o->http.address : "127.0.0.1";
    bool six = strchr(host, ':') != NULL;
    fprintf(stderr, "Serving %zu model%s at http://%s%s%s:%d/ (Ctrl-C ends)\n",
            o->n_models, o->n_models == 1 ? "" : "s", six ? "[" : "", host,
            six ? "]" : "", serve_port(s));
}

/* The first signal lets what has begun come to its end; the second does not
 * wait for it. */
static void run_until_told(struct server *s, const sigset_t *signals)
{
    const struct timespec moment = {0, 0};
    int signal;
    while (sigwait(signals, &signal))
        ;
    serve_drain(s);
    while (!serve_wait(s, 0.05))
        if (sigtimedwait(signals, NULL, &moment) > 0)
            return;
}

/* Threads that are started from now on leave signals to this one. */
static void hold_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
}

static struct server *open_server(const struct serve_options *o,
                                  struct error *e)
{
    struct opening opening;
    if (opening_begin(&opening, e))
        return NULL;
    struct server *s = serve_start(o, e);
    opening_end(&opening);
    return s;
}

static int serve(const struct serve_options *o, struct error *e)
{
    sigset_t signals;
    hold_signals(&signals);
    struct server *s = open_server(o, e);
    if (!s)
        return -1;
    announce_server(o, s);
    run_until_told(s, &signals);
    serve_free(s);
    return 0;
}

int cmd_serve(const struct settings *s, struct error *e)
{
    const char *key = getenv("RUNG_API_KEY");
    struct found_models found = {.n = 0};
    struct serve_options o = {.engine = serving_options(s),
                              .say = say_line,
                              .log = s->log ? print_log : NULL};
    if (http_options(s, &o.http, e))
        return -1;
    if (s->keys.n == 0 && key && *key) {
        o.http.keys = &key;
        o.http.n_keys = 1;
    }
    int result = choose_models(s, &found, &o, e);
    if (result == 0)
        result = serve(&o, e);
    found_models_free(&found);
    return result;
}
