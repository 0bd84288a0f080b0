/* The server: see serve.h. */
#include "serve.h"

#include "routes.h"
#include "server.h"

#include <stdlib.h>

/* On a thread of http. */
static void request_ended(void *context, const struct http_outcome *outcome)
{
    struct server *s = context;
    metrics_add_status(&s->metrics, outcome->status);
    if (s->log)
        request_log_end(s->log, outcome);
}

static void say_calls_are_text(const struct served *m,
                               const struct serve_options *options)
{
    struct bytes line = {0};
    bytes_add_string(&line, m->facts->name);
    bytes_add_string(&line, ": how this model writes calls of tools is not "
                            "known here: they are answered as text");
    bytes_add(&line, "", 1);
    if (!line.failed)
        options->say(options->context, line.data);
    bytes_free(&line);
}

static void say_warnings(const struct server *s,
                         const struct serve_options *options)
{
    for (size_t i = 0; options->say && i < s->models.n; i++) {
        const struct served *m = &s->models.items[i];
        const char *warning =
            m->template ? chat_template_warning(m->template) : NULL;
        if (warning)
            options->say(options->context, warning);
        if (served_calls_are_text(m))
            say_calls_are_text(m, options);
    }
}

static int start_server(struct server *s, const struct serve_options *options,
                        struct error *e)
{
    struct http_options http = options->http;
    http.log = request_ended;
    http.log_context = s;
    if (served_open(&s->models, options->models, options->n_models,
                    &options->engine, e))
        return -1;
    say_warnings(s, options);
    if (options->log) {
        s->log = request_log_new(options->log, options->context);
        if (!s->log)
            return fail_memory(e, "the log");
    }
    s->desk = desk_start(s, e);
    s->large_desk = s->desk ? desk_start(s, e) : NULL;
    s->finisher = s->large_desk ? finisher_start(e) : NULL;
    if (!s->finisher)
        return -1;
    s->http = http_start(&http, server_routes, n_server_routes, s, e);
    return s->http ? 0 : -1;
}

struct server *serve_start(const struct serve_options *options,
                           struct error *e)
{
    struct server *s = calloc(1, sizeof *s);
    if (!s) {
        fail_memory(e, "the server");
        return NULL;
    }
    if (start_server(s, options, e) == 0)
        return s;
    serve_free(s);
    return NULL;
}

int serve_port(const struct server *s)
{
    return http_port(s->http);
}

void serve_drain(struct server *s)
{
    http_drain(s->http);
}

bool serve_wait(struct server *s, double seconds)
{
    return http_wait(s->http, seconds);
}

/* First http, which tells all replies that this is the end, and waits until
 * the desk and the engines have ended them; what an engine ends when it is
 * closed, while its model is still there, its own thread sees to. */
void serve_free(struct server *s)
{
    if (!s)
        return;
    http_free(s->http);
    desk_stop(s->desk);
    desk_stop(s->large_desk);
    finisher_stop(s->finisher);
    served_close(&s->models);
    finisher_free(s->finisher);
    request_log_free(s->log);
    free(s);
}
