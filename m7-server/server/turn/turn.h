/* One turn of a chat: what the model is given to read, which tokens it may
 * not write, and what its text means.
 *
 * Stands between a chat's template and the engine.  Knows neither HTTP nor the
 * engine: what goes out is a prompt and a filter of tokens, what comes in are
 * tokens and their text, and what they mean is told as events of markup.h. */
#ifndef TURN_H
#define TURN_H

#include "buffer.h"
#include "chat_template.h"
#include "error.h"
#include "markup.h"
#include "token_filter.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum tool_choice {
    TOOL_AUTO,     /* the model chooses */
    TOOL_NONE,     /* no tools are shown, and no call can be written */
    TOOL_REQUIRED, /* the answer is a call of one of the tools */
    TOOL_NAMED     /* of this one */
};

enum thinking_choice {
    THINKING_DEFAULT, /* as the template does by itself */
    THINKING_OFF,
    THINKING_ON
};

/* A model's part in all its turns: made once, and only read by them. */
struct turn_model {
    const struct chat_template *template;
    const struct markup *markup;     /* NULL: the family has no calls */
    const struct thinking *thinking; /* NULL: it does not think */
    const struct token_texts *texts; /* of all its tokens */
};

/* A request's part; all borrowed, and kept alive until turn_free. */
struct turn_options {
    json_t *messages; /* as chat_template.h has them */
    json_t *tools;    /* as in a request, or NULL */
    enum tool_choice choice;
    const char *tool; /* of TOOL_NAMED */
    bool parallel;    /* more than one call may come */
    enum thinking_choice thinking;
    const char *effort;         /* reasoning_effort, or NULL */
    json_t *template_arguments; /* chat_template_kwargs, or NULL */
    bool no_answer;             /* the prompt ends with the messages */
    const struct turn *first;   /* of the same request, whose prompt is this
                                   one's, too, and is not made again; NULL */
    const struct tm *now;       /* for the template */
    uint64_t seed;              /* of the calls' ids */
    markup_function *event;     /* told what the text means */
    void *context;              /* its first argument */
};

enum turn_finish {
    TURN_STOP,      /* the model ended its text, or a stop string did */
    TURN_LENGTH,    /* the limit of tokens did */
    TURN_TOOL_CALLS /* it ended, and calls are what it says */
};

struct turn {
    struct bytes prompt;  /* to be read by the model; marks in it are marks.
                             Empty where it is that of options.first */
    bool template_raised; /* after an error: the words are the template's, and
                             the request is at fault */
    const char *at_fault; /* after an error: what of the options, "tools" or
                             "tool_choice"; NULL: neither */
    struct token_filter filter;
    size_t n_tokens, n_reasoning; /* of the answer; of it in thinking */
    bool over;                    /* nothing more is wanted of the model */
    bool begins_thinking;         /* the prompt ends in a thought, */
    bool begins_with_header;      /* or before a header: turn_prompt.h */

    const struct turn_model *model;
    struct turn_options options;
    struct markup_parser *parser;
    struct markup_parser *calls; /* of the filter, where thinking is off: it
                                    tells nothing, and another thread reads
                                    with it; or NULL */
};

/* Begin: t->prompt is there afterwards, and t->filter for the engine, unless
 * turn_filters says no.  The other answers of a request (n > 1) name the first
 * one's turn.  *t must stay where it is.  Free it also after an
 * error. */
int turn_begin(struct turn *t, const struct turn_model *model,
               const struct turn_options *options, struct error *e);

/* Must turn_forbid be asked at each step? */
bool turn_filters(const struct turn *t);

/* The engine's question, a rung_forbid_function whose context is the turn:
 * which tokens must not come next after ids (n,).  For one thread at a time,
 * and not for two answers of one turn (n > 1): each has a turn of its own. */
void turn_forbid(void *turn, const int *ids, size_t n, size_t n_prompt,
                 float *logits, size_t vocab_size);

/* A token of the answer, and the text (size,) that became certain with it.
 * Text of special tokens, which is no text to the engine, is put in where it
 * is a mark.  Once t->over is true, more has no effect. */
int turn_put(struct turn *t, int id, const char *text, size_t size,
             struct error *e);

/* The answer has ended, with this rest of its text, by itself or at the limit:
 * what was held back is told, and how it ended goes to *finish. */
int turn_end(struct turn *t, const char *text, size_t size, bool at_limit,
             enum turn_finish *finish, struct error *e);

/* "stop", "length", "tool_calls". */
const char *turn_finish_name(enum turn_finish finish);

void turn_free(struct turn *t);

#endif
