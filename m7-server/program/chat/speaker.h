/* The model that answers in a conversation: asked through rung.h, with a
 * prompt of its template, and understood by a turn. */
#ifndef SPEAKER_H
#define SPEAKER_H

#include "answer_wait.h"
#include "chat_screen.h"
#include "conversation.h"
#include "error.h"
#include "options.h"
#include "served.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct speaker {
    struct served_list models; /* owned */
    const struct served *model;       /* of them: the one that is asked */
    const struct settings *settings;  /* not owned */
    struct rung_request asked; /* but for the prompt */
    struct rung_bias biases[MOST_GIVEN];
    uint64_t seed; /* of the first answer */
    size_t most;   /* tokens of an answer, by -n; SIZE_MAX: as many as fit */
    size_t n_asked;
    enum thinking_choice thinking;
    struct answer_wait *wait; /* not owned */
};

/* How an answer went. */
struct spoken {
    struct rung_result result; /* without its text */
    size_t n_reasoning;        /* of its new tokens, in thought */
    size_t most;               /* that there could have been */
    uint64_t seed;
    bool interrupted;
};

/* Open the models at paths (n,), as the command line wants it, which must last
 * as long; the first that answers is asked.  What the command line does not
 * say of sampling is as the model's makers advise.  wait, which must be
 * initialised, is kept. */
int speaker_open(struct speaker *s, const struct settings *settings,
                 const char *const *paths, size_t n, struct answer_wait *wait,
                 struct error *e);
void speaker_close(struct speaker *s);

/* From now on ask the model of this name.  It has a cache of its own, in which
 * is what it was asked before. */
int speaker_choose(struct speaker *s, const char *name, struct error *e);

/* Can it call tools? */
bool speaker_takes_tools(const struct speaker *s);

/* Let it answer; what it says is shown, and becomes part of the conversation.
 * Each answer has a seed of its own.  Fails where the conversation leaves no
 * room for an answer, and where its template refuses it. */
int speaker_answer(struct speaker *s, struct conversation *c,
                   struct chat_screen *screen, struct spoken *spoken,
                   struct error *e);

#endif
