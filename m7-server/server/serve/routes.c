/* The routes: see routes.h.  What needs no model is answered here. */
#include "routes.h"

#include "list_answer.h"
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* --- what is answered at once -------------------------------------------- */

static void get_health(void *context, const struct http_request *request,
                       struct http_reply *reply)
{
    (void)context;
    (void)request;
    reply_with(reply, json_pack("{s:s}", "status", "ok"), "");
}

static struct served_model facts_of(const struct served *m)
{
    return (struct served_model){m->facts->name, m->facts->created,
                                 m->facts->context, m->facts->embeds};
}

static void get_models(void *context, const struct http_request *request,
                       struct http_reply *reply)
{
    (void)request;
    struct server *s = context;
    struct served_model *models = calloc(s->models.n, sizeof *models);
    for (size_t i = 0; models && i < s->models.n; i++)
        models[i] = facts_of(&s->models.items[i]);
    reply_with(reply, models ? model_list_answer(models, s->models.n) : NULL,
               "");
    free(models);
}

static void get_model(void *context, const struct http_request *request,
                      struct http_reply *reply)
{
    struct server *s = context;
    struct api_error e;
    struct served *m = served_any(&s->models, request->rest, &e);
    if (!m) {
        reply_refused(reply, &e);
        return;
    }
    struct served_model facts = facts_of(m);
    reply_with(reply, model_answer(&facts), "");
}

static void get_metrics(void *context, const struct http_request *request,
                        struct http_reply *reply)
{
    (void)request;
    struct server *s = context;
    static const struct http_head head = {
        .status = 200, .type = "text/plain; version=0.0.4; charset=utf-8"};
    struct bytes out = {0};
    struct metrics_model *models = calloc(s->models.n, sizeof *models);
    for (size_t i = 0; models && i < s->models.n; i++) {
        struct served *m = &s->models.items[i];
        models[i] =
            (struct metrics_model){.name = m->facts->name,
                                   .metrics = &m->metrics,
                                   .weight_bytes = m->facts->weight_bytes};
        rung_stats(m->engine, &models[i].stats);
    }
    if (models)
        metrics_write(&s->metrics, models, s->models.n, &out);
    out.failed |= !models;
    http_reply_send(reply, &head, &out);
    free(models);
}

static void get_page(void *context, const struct http_request *request,
                     struct http_reply *reply)
{
    (void)context;
    const struct page_file *file = page_find(request->path);
    struct api_error e;
    if (!file) {
        api_fail(&e, 404, "there is nothing at this address");
        reply_refused(reply, &e);
        return;
    }
    const struct http_header headers[] = {
        {"Content-Security-Policy", page_policy},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-cache"}};
    const struct http_head head = {200, file->content_type, headers, 3};
    struct bytes body = {0};
    bytes_add_string(&body, file->text);
    http_reply_send(reply, &head, &body);
}

/* --- what the desk makes ready ------------------------------------------- */

static void note_request(void *context, const char *id, const char *model,
                         const struct answering_figures *figures)
{
    struct server *s = context;
    if (s->log)
        request_log_note(s->log, id, model, figures);
}

/* What is done with a request of each address. */
struct desk_route {
    const char *path;
    server_route *route;
};

static const struct desk_route desk_routes[] = {
    {"/v1/chat/completions", route_chat},
    {"/v1/completions", route_completions},
    {"/v1/embeddings", route_embeddings},
    {"/tokenize", route_tokenize},
    {"/detokenize", route_detokenize},
    {"/apply-template", route_template},
};

/* At the desk. */
static void at_desk(void *context, const struct http_request *request,
                    struct http_reply *reply, double seconds)
{
    struct server *s = context;
    const struct answering_arrival arrival = {request, reply, seconds,
                                              note_request, context,
                                              s->finisher};
    for (size_t i = 0; i < sizeof desk_routes / sizeof desk_routes[0]; i++)
        if (strcmp(desk_routes[i].path, request->path) == 0) {
            desk_routes[i].route(s, &arrival);
            return;
        }
    reply_with(reply, NULL, "");
}

/* Bodies of more than so many bytes have a desk of their own: reading one of
 * 4 MB takes a fifth of a second, for which nobody else should wait. */
enum desk_sizes { LARGE_BODY = 256 * 1024 };

static void post(void *context, const struct http_request *request,
                 struct http_reply *reply)
{
    struct server *s = context;
    if (s->log)
        request_log_begin(s->log, request->id);
    desk_submit(request->body_size > LARGE_BODY ? s->large_desk : s->desk,
                at_desk, request, reply);
}

/* The page asks for the key itself, so it needs none. */
const struct http_route server_routes[] = {
    {"POST", "/v1/chat/completions", false, false, post},
    {"POST", "/v1/completions", false, false, post},
    {"POST", "/v1/embeddings", false, false, post},
    {"POST", "/tokenize", false, false, post},
    {"POST", "/detokenize", false, false, post},
    {"POST", "/apply-template", false, false, post},
    {"GET", "/v1/models", false, false, get_models},
    {"GET", "/v1/models/", true, false, get_model},
    {"GET", "/metrics", false, false, get_metrics},
    {"GET", "/health", false, true, get_health},
    {"GET", "/", false, true, get_page},
    {"GET", "/page.css", false, true, get_page},
    {"GET", "/page.js", false, true, get_page},
    {"GET", "/show.js", false, true, get_page},
    {"GET", "/stream.js", false, true, get_page},
    {"GET", "/icon.svg", false, true, get_page},
};

const size_t n_server_routes = sizeof server_routes / sizeof server_routes[0];
