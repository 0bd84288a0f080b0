/* Messages as clients send them, made into what a template can show.
 *
 * As `transformers` does, a thought (reasoning_content, thinking or
 * reasoning) gets both names that templates read.  Beyond that, for a template
 * that
 *
 *     shows arguments of past calls wrong or not at all when they are a
 *     string, and right when they are an object: strings that hold an object
 *     become objects; the other way round for a template that needs strings
 *
 *     shows calls as messages with a header (GLM-4): each becomes one, and
 *     results get the role "observation"
 *
 *     shows no parts: lists of text parts become one text; the other way round
 *     for a template that shows nothing else
 *
 * What it shows is found out by rendering small conversations once. */
#ifndef CHAT_MESSAGES_H
#define CHAT_MESSAGES_H

#include "chat_template.h"
#include "jinja.h"

/* What `t` does with the tokens given; without the memory to try it, -1. */
int chat_abilities_find(const struct jinja *t, json_t *tokens,
                        struct chat_abilities *out, struct error *e);

/* A copy of `messages` (an array of objects, or an error) for a template with
 * these abilities; the caller frees it.  NULL after an error. */
json_t *chat_messages(json_t *messages, const struct chat_abilities *a,
                      struct error *e);

#endif
