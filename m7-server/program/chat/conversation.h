/* What was said in a chat: messages as OpenAI's API has them, which templates
 * take and --tools belongs to.
 *
 * Whose turn it is follows from the last message: behind an answer that calls
 * tools it is theirs, so what is said next is the result of a call; else it is
 * the user's.  Knows neither model nor terminal. */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct conversation {
    json_t *messages; /* an array; owned */
    json_t *tools;    /* an array, or NULL; owned */
};

/* Begin one.  system and tools, the path of a file, may be NULL. */
int conversation_init(struct conversation *c, const char *system,
                      const char *tools, struct error *e);
void conversation_free(struct conversation *c);

/* Forget what was said, but for the system's message. */
void conversation_clear(struct conversation *c);

/* Who the model is to be, from now on; "" is nobody in particular. */
int conversation_set_system(struct conversation *c, const char *text,
                            struct error *e);

/* The user, or the tool that was called, says a text (size,). */
int conversation_say(struct conversation *c, const char *text, size_t size,
                     struct error *e);

/* An answer, which is taken over: role, content and so on. */
int conversation_add_answer(struct conversation *c, json_t *answer,
                            struct error *e);

/* The name of the tool whose result is wanted next; NULL: none is. */
const char *conversation_called(const struct conversation *c);

/* What was thought before the last answer (*size,); NULL: nothing was. */
const char *conversation_thought(const struct conversation *c, size_t *size);

/* Is an answer wanted? */
bool conversation_is_asked(const struct conversation *c);

/* Take back the last answer, and the results of its calls; false: there is
 * none. */
bool conversation_take_back(struct conversation *c);

/* Take back what was said last, which got no answer. */
void conversation_take_back_question(struct conversation *c);

/* Write the messages to a file, as a request to a server has them. */
int conversation_save(const struct conversation *c, const char *model,
                      const char *path, struct error *e);

#endif
