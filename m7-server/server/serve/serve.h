/* The server: models that answer, behind the routes of OpenAI's API.
 *
 * Joins what lies below: a request comes from http, api says what it asks, the
 * desk (desk.h) makes it ready, the engine answers, turn says what the text
 * means, api puts it into words, and http sends it.  Prints nothing: its words
 * go to functions of who starts it. */
#ifndef SERVE_H
#define SERVE_H

#include "error.h"
#include "http.h"
#include "rung.h"

struct server;

/* Strings and lists belong to the caller, until serve_free. */
struct serve_options {
    const char *const *models; /* (n_models,) paths, at least one; of several
                                  the first is asked where none is named */
    size_t n_models;
    struct rung_options engine; /* of each; without a name */
    struct http_options http;   /* without `log` */

    /* Told a line for the user, of a model without a template, say.  Called
     * while the server starts; may be NULL. */
    void (*say)(void *context, const char *line);

    /* Told a line of JSON for each request when it has ended, with times and
     * counts, and no word of what was asked.  Called on other threads; may be
     * NULL. */
    void (*log)(void *context, const char *line);
    void *context; /* the first argument of both */
};

/* Open the models, and listen.  NULL after an error. */
struct server *serve_start(const struct serve_options *options,
                           struct error *e);

int serve_port(const struct server *s);

/* Take no more requests; those that are there are answered. */
void serve_drain(struct server *s);

/* Wait at most `seconds`; whether nothing is left to answer. */
bool serve_wait(struct server *s, double seconds);

/* End at once, whatever is still being answered. */
void serve_free(struct server *s);

#endif
