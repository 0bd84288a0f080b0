/* The command that looks at a session's file, or makes it shorter. */
#include "commands.h"
#include "print.h"
#include "session.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static size_t count_bytes(const struct cache *c)
{
    return cache_bytes(c) + c->length * sizeof *c->ids;
}

static int print_session_json(const struct session *s, struct error *e)
{
    char model[17];
    json_t *ids = json_array();
    for (size_t i = 0; i < s->cache.length; i++)
        json_add(&ids, json_integer(s->cache.ids[i]));
    snprintf(model, sizeof model, "%016llx", (unsigned long long)s->model);
    return print_json_line(
        json_pack("{s:s, s:I, s:s, s:I, s:o}", "model", model, "layers",
                  (json_int_t)s->cache.n_layers, "cache", s->cache.form->name,
                  "bytes",
                  (json_int_t)count_bytes(&s->cache), "ids", ids),
        e);
}

/* Layers of a window may have lost the beginning. */
static size_t count_rings(const struct cache *c)
{
    size_t n = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        n += c->layers[l].first > 0;
    return n;
}

static int show_session(const struct settings *s, struct session *session,
                        struct error *e)
{
    const struct cache *c = &session->cache;
    if (s->json)
        return print_session_json(session, e);
    printf("tokens       %zu\n", c->length);
    printf("layers       %zu", c->n_layers);
    if (count_rings(c) > 0)
        printf(", %zu of which hold the newest positions only",
               count_rings(c));
    printf("\ncache        %s", c->form->name);
    printf("\nbytes        %zu\n", count_bytes(c));
    printf("fingerprint  %016llx\n", (unsigned long long)session->model);
    return 0;
}

/* Keep the first --at tokens, in the file `path`. */
static int shorten(const struct settings *s, struct session *session,
                   const char *path, struct error *e)
{
    size_t length = session->cache.length;
    size_t at = number_or(s->at, length);
    if (at > length)
        return fail(e, ERROR_INPUT, "%s has %zu tokens, and %zu are to stay",
                    s->arguments[1], length, at);
    size_t left = cache_truncate(&session->cache, at);
    if (left != at)
        return fail(e, ERROR_INPUT,
                    "%s cannot go back to %zu tokens: its windows hold "
                    "the newest positions only",
                    s->arguments[1], at);
    return session_save(path, &session->cache, session->model, e);
}

static int fork_session(const struct settings *s, struct session *session,
                        struct error *e)
{
    return shorten(s, session, s->arguments[2], e);
}

static int rewind_session(const struct settings *s, struct session *session,
                          struct error *e)
{
    if (!s->at.said)
        return fail(e, ERROR_USAGE,
                    "rewind needs --at: how many tokens are "
                    "to stay");
    return shorten(s, session, s->arguments[1], e);
}

struct deed {
    const char *name;
    int n_arguments;
    const char *takes; /* its options, by name */
    int (*run)(const struct settings *s, struct session *session,
               struct error *e);
};

static const struct deed deeds[] = {
    {"show", 2, "json", show_session},
    {"fork", 3, "at", fork_session},
    {"rewind", 2, "at", rewind_session},
};

static int run_deed(const struct deed *deed, const struct settings *s,
                    struct error *e)
{
    char part[80];
    struct session session;
    snprintf(part, sizeof part, "session %s", deed->name);
    if (options_check(s, part, deed->takes, e))
        return -1;
    if (s->n_arguments != deed->n_arguments)
        return fail(e, ERROR_USAGE, "session %s takes %s", deed->name,
                    deed->n_arguments == 2 ? "one file" : "two files");
    if (session_load(s->arguments[1], &session, e))
        return -1;
    int result = deed->run(s, &session, e);
    session_free(&session);
    return result;
}

int cmd_session(const struct settings *s, struct error *e)
{
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(s->arguments[0], deeds[i].name) == 0)
            return run_deed(&deeds[i], s, e);
    return fail(e, ERROR_USAGE, "\"%s\" is none of show, fork, rewind",
                s->arguments[0]);
}
