/* The models that are served, by name. */
#ifndef SERVED_H
#define SERVED_H

#include "api_error.h"
#include "metrics.h"
#include "rung.h"
#include "turn.h"

#include <stdbool.h>

struct served {
    struct rung_model *engine;      /* owned */
    const struct rung_facts *facts; /* of the engine */
    struct chat_template *template; /* owned; NULL: it makes vectors */
    struct token_texts texts;       /* of all its tokens; owned */
    struct turn_model turns;        /* with a template */
    char fingerprint[32];           /* of its answers */
    struct model_metrics metrics;
};

struct served_list {
    struct served *items; /* (n,); owned */
    size_t n;
};

/* Open models (n,) at paths; no two may have one name.  After an error *list
 * holds nothing. */
int served_open(struct served_list *list, const char *const *paths, size_t n,
                const struct rung_options *options, struct error *e);
void served_close(struct served_list *list);

/* The model of this name, which makes vectors or does not; NULL: the first
 * that does.  Refuses what is not there. */
struct served *served_find(const struct served_list *list, const char *name,
                           bool embeds, struct api_error *a);

/* The same of any model. */
struct served *served_any(const struct served_list *list, const char *name,
                          struct api_error *a);

/* Shows the model's template tools, but calls that nobody here can read?  Then
 * they are answered as text. */
bool served_calls_are_text(const struct served *m);

/* The engine's error as one of ours; returns -1. */
int fail_engine(struct error *e, const struct rung_error *why);

/* How many tokens may follow a prompt when a request does not say: as many as
 * the context holds, but where all who are served together have less room than
 * that, no more than everyone's share of it, so that one open question does
 * not keep the others waiting. */
size_t served_room(const struct served *m, size_t prompt);

#endif
