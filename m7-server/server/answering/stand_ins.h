/* Which texts of a chat are not the assistant's, and others to stand in for
 * them: what a template makes of those shows which words are its own. */
#ifndef STAND_INS_H
#define STAND_INS_H

#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct chat_texts {
    json_t **list; /* (n,), in the messages' order: strings; owned, they are
                      not */
    size_t n, room;
};

/* After an error *t holds nothing. */
int chat_texts_init(struct chat_texts *t, const json_t *messages,
                    struct error *e);
void chat_texts_free(struct chat_texts *t);

/* The messages, with a text that nobody would write in place of each of these:
 * to be rendered.  NULL without memory. */
json_t *stand_ins_for(const json_t *messages);

/* The first stand-in in a text (size,), for one of n texts: what stands before
 * it, how long it is, and the number of its text.  false: there is none. */
bool stand_in_find(const char *text, size_t size, size_t n, size_t *before,
                   size_t *length, size_t *number);

#endif
