/* A model's output is text.  What of it is thinking, what is said to the
 * user and what is a call of a tool the model shows by marks, and each family
 * of models has its own.  Here the text is taken apart while it comes.
 *
 * Knows families' marks and the tools' schemas; neither tokens, nor
 * templates, nor what a server makes of a call. */
#ifndef MARKUP_H
#define MARKUP_H

#include "buffer.h"
#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is told, in the order of the text.  Whole characters only, and the
 * same words however the text was cut into pieces. */
enum markup_event_type {
    MARKUP_REASONING, /* a piece of what the model thinks: `text` */
    MARKUP_CONTENT,   /* a piece of what it says: `text` */
    MARKUP_CALL,      /* a call begins: `index`, `id`, `name`; once */
    MARKUP_ARGUMENTS, /* a piece of its arguments, an object in JSON */
    MARKUP_CALL_END,  /* the call is complete */
    MARKUP_CALL_BAD,  /* the call has ended, but its arguments are no JSON:
                         they are there as the model wrote them */
    MARKUP_CALL_CUT   /* the text ended inside the call.  Where its name was
                         not yet known, or is no tool's, there was no
                         MARKUP_CALL, and what there is of it was told as
                         content */
};

struct markup_event {
    enum markup_event_type type;
    size_t index;     /* of the call, from 0 */
    const char *id;   /* of MARKUP_CALL: "call_" and 24 hex digits, mostly */
    const char *name; /* of MARKUP_CALL */
    const char *text; /* (size,), valid until the function returns */
    size_t size;
};

typedef void markup_function(void *context, const struct markup_event *event);

/* How a family writes calls, and how it marks thinking: rows of tables. */
struct markup;
struct thinking;

/* By the name that a user gives, NULL when there is no such row. */
const struct markup *markup_named(const char *name);
const struct thinking *thinking_named(const char *name);
const char *markup_name(const struct markup *m);
const char *thinking_name(const struct thinking *t);

/* The names of all rows, "a, b, c": for messages. */
void markup_names(struct bytes *out);
void thinking_names(struct bytes *out);

/* By the text of a model's chat template, or NULL: it shows none. */
const struct markup *markup_of_template(const char *template_text);
const struct thinking *thinking_of_template(const char *template_text);

/* Has this prompt opened a thinking block and not closed it?  Then the
 * model's text begins inside it. */
bool thinking_is_open(const struct thinking *t, const char *prompt,
                      size_t size);

/* Where the mark begins that has opened it; `size`: none has. */
size_t thinking_opened_at(const struct thinking *t, const char *prompt,
                          size_t size);

/* The marks around thinking; what stands between it and what follows it; an
 * empty block, to end the prompt of a model that shall not think.  Of gpt-oss
 * it is what begins the final channel. */
const char *thinking_open(const struct thinking *t);
const char *thinking_close(const struct thinking *t);
const char *thinking_resume(const struct thinking *t);
const char *thinking_empty(const struct thinking *t);

/* What no answer may have where thinking is off: the beginning that all
 * thoughts share. */
const char *thinking_begins(const struct thinking *t);

/* Behind gpt-oss's empty block no call can come, since a message is a call
 * from its header on.  So where one may come the prompt ends before a header,
 * and the answer must begin with one of these, which NULL ends.  NULL: of all
 * others, whose empty block may stand before anything. */
const char *const *thinking_answers(const struct thinking *t);

/* Is this text (size,), of a special token, a mark of one of them, or part of
 * one?  Either may be NULL. */
bool markup_has_mark(const struct markup *m, const struct thinking *t,
                     const char *text, size_t size);

/* What a family writes before the arguments of a call, for one that must come,
 * up to their first bracket: append it, with `name` in it, to `out`; and what
 * it can begin with, whatever the name, for calls that must not come: NULL
 * after the last, `i` from 0. */
void markup_prefix(const struct markup *m, const char *name,
                   struct bytes *out);
const char *markup_opening(const struct markup *m, size_t i);

struct markup_options {
    const struct markup *markup;     /* NULL: calls are not looked for */
    const struct thinking *thinking; /* NULL: there is no thinking */
    bool thinking_open;              /* the prompt has opened it */
    bool thinking_off;      /* nobody wants it: a thought is one wherever it
                          begins, and not only before what is said; but for a
                          mark that is quoted (mark_quoted.h) */
    const json_t *tools;    /* as in a request: [{"type": "function",
                                "function": {...}}]; borrowed; or NULL */
    size_t most_calls;      /* after so many nothing more is told; 0: all */
    uint64_t seed;          /* of the calls' ids */
    markup_function *event; /* told everything */
    void *context;          /* its first argument */
};

struct markup_parser;

/* A text begins.  NULL when there is no memory. */
struct markup_parser *markup_begin(const struct markup_options *options,
                                   struct error *e);

/* Some more text, of any size, also cut within a character; broken characters
 * are repaired. */
int markup_put(struct markup_parser *p, const char *text, size_t size,
               struct error *e);

/* No more text comes: what was held back is told. */
int markup_end(struct markup_parser *p, struct error *e);

/* How many calls began, and whether the text stands in a thinking block. */
size_t markup_calls(const struct markup_parser *p);
bool markup_is_thinking(const struct markup_parser *p);

/* Does the text stand in a call?  From its name on, or within a value before
 * it; a mark alone, which may be spoken of, is none yet. */
bool markup_is_calling(const struct markup_parser *p);

/* Have there been as many calls as there may be?  The rest of the text is
 * dropped. */
bool markup_is_over(const struct markup_parser *p);

void markup_free(struct markup_parser *p);

#endif
