/* What the model is given to read: a request's messages, tools and wishes
 * about thinking, through the model's template. */
#ifndef TURN_PROMPT_H
#define TURN_PROMPT_H

#include "turn.h"

/* What a request wants of thinking, said in any of the ways in which it can
 * be: reasoning_effort "none"; enable_thinking or thinking, in the template's
 * arguments. */
enum thinking_choice thinking_wanted(const struct turn_options *options);

/* Are tools shown; and can the answer have a call that is read as one? */
bool turn_shows_tools(const struct turn_options *options);
bool turn_may_call(const struct turn *t);

/* Render the prompt of a turn that has its model and options.  Thinking off is
 * off: where a template has no switch for it, an empty block of thinking ends
 * the prompt.  Where behind that no call could come, but one may, it is left
 * out (thinking_answers). */
int turn_render(struct turn *t, struct error *e);

/* Has it been left out, so that the answer begins with a header?  The filter
 * has then to see to it that this is none of a thought. */
bool turn_awaits_header(const struct turn *t);

/* A model can call what its prompt tells it of.  A template that has no place
 * for tools leaves them out without a word: then their names, and those of
 * their arguments, must stand in the messages, or it is an error; so are more
 * than 64 KiB of names, which are not looked for.  Takes a time of the prompt
 * and the names together. */
int turn_check_tools(struct turn *t, struct error *e);

#endif
