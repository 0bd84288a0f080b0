/* The models that are served: see served.h. */
#include "served.h"

#include "chat_sources.h"
#include "sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum served_sizes {
    LEAST_ROOM = 2048 /* tokens that may follow a prompt in any case */
};

int fail_engine(struct error *e, const struct rung_error *why)
{
    enum error_code code = why->code == RUNG_SYSTEM        ? ERROR_SYSTEM
                           : why->code == RUNG_MEMORY      ? ERROR_MEMORY
                           : why->code == RUNG_UNSUPPORTED ? ERROR_UNSUPPORTED
                                                           : ERROR_INPUT;
    return fail(e, code, "%s", why->message);
}

static int check_served_name(const struct served_list *list,
                             const struct rung_facts *facts, struct error *e)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].facts->name, facts->name) == 0)
            return fail(e, ERROR_INPUT, "two models are called %s: %s and %s",
                        facts->name, list->items[i].facts->path, facts->path);
    return 0;
}

/* How the model marks thinking and calls is seen in its template, in that for
 * tools where it has several. */
static int find_markup(struct served *m, const char *path, struct error *e)
{
    struct chat_sources sources;
    if (chat_sources_read(&sources, path, e))
        return -1;
    json_t *all = sources.templates, *text = json_object_get(all, "tool_use");
    const char *template =
        json_string_value(text ? text : json_object_get(all, "default"));
    if (template) {
        m->turns.markup = markup_of_template(template);
        m->turns.thinking = thinking_of_template(template);
    }
    chat_sources_free(&sources);
    return 0;
}

bool served_calls_are_text(const struct served *m)
{
    return m->template && !m->turns.markup &&
           chat_template_abilities(m->template, true)->tools;
}

/* A token_bytes_function of an engine. */
static size_t bytes_of(void *context, int id, char *out, size_t room,
                       bool *special)
{
    const struct rung_model *engine = context;
    *special = rung_is_special(engine, id);
    return rung_token_bytes(engine, id, out, room);
}

static int open_turns(struct served *m, const char *path, struct error *e)
{
    m->template = chat_template_open(path, e);
    if (!m->template || find_markup(m, path, e) ||
        token_texts_init(&m->texts, m->facts->vocab_size, bytes_of, m->engine,
                         e))
        return -1;
    m->texts.ends = m->facts->eos;
    m->texts.n_ends = m->facts->n_eos;
    m->turns.template = m->template;
    m->turns.texts = &m->texts;
    return 0;
}

/* However the two paths are written. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static int open_served(struct served_list *list, const char *path,
                       const struct rung_options *options, struct error *e)
{
    struct served *m = &list->items[list->n];
    struct rung_options own = *options;
    struct rung_error why;
    uint64_t number;
    if (own.draft && is_same_file(own.draft, path)) { /* not for itself */
        own.draft = NULL;
        own.draft_tokens = 0;
    }
    m->engine = rung_open(path, &own, &why);
    if (!m->engine)
        return fail_engine(e, &why);
    m->facts = rung_facts(m->engine);
    if (check_served_name(list, m->facts, e)) {
        rung_close(m->engine);
        return -1;
    }
    list->n++;
    if (rung_fingerprint(m->engine, &number, &why))
        return fail_engine(e, &why);
    snprintf(m->fingerprint, sizeof m->fingerprint, "rung-%016" PRIx64,
             number);
    return m->facts->embeds ? 0 : open_turns(m, path, e);
}

int served_open(struct served_list *list, const char *const *paths, size_t n,
                const struct rung_options *options, struct error *e)
{
    *list = (struct served_list){calloc(n, sizeof *list->items), 0};
    if (!list->items)
        return fail_memory(e, "the models");
    for (size_t i = 0; i < n; i++)
        if (open_served(list, paths[i], options, e)) {
            served_close(list);
            return -1;
        }
    return 0;
}

void served_close(struct served_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        rung_close(list->items[i].engine);
        chat_template_free(list->items[i].template);
        token_texts_free(&list->items[i].texts);
    }
    free(list->items);
    *list = (struct served_list){0};
}

struct served *served_any(const struct served_list *list, const char *name,
                          struct api_error *a)
{
    for (size_t i = 0; i < list->n; i++)
        if (!name || strcmp(list->items[i].facts->name, name) == 0)
            return &list->items[i];
    api_refuse_model(a, name);
    return NULL;
}

/* Where none is named, the first that can do it. */
static struct served *first_of(const struct served_list *list, bool embeds,
                               struct api_error *a)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].facts->embeds == embeds)
            return &list->items[i];
    api_refuse(a, "model_not_found", "no model here %s",
               embeds ? "makes vectors" : "answers");
    return NULL;
}

struct served *served_find(const struct served_list *list, const char *name,
                           bool embeds, struct api_error *a)
{
    if (!name)
        return first_of(list, embeds, a);
    struct served *m = served_any(list, name, a);
    if (!m || m->facts->embeds == embeds)
        return m;
    api_refuse_field(a, "model", "invalid_value",
                     embeds
                         ? "request: model: %s answers, and makes no vectors"
                         : "request: model: %s makes vectors, and no answers",
                     name);
    return NULL;
}

size_t served_room(const struct served *m, size_t prompt)
{
    size_t context = m->facts->context;
    size_t left = context > prompt ? context - prompt : 0;
    size_t share = m->facts->cache_tokens / larger_size(m->facts->requests, 1);
    size_t room = share > prompt ? share - prompt : 0;
    return smaller_size(left, larger_size(room, LEAST_ROOM));
}
