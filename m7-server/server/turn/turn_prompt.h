/* What the model is given to read: a request's messages, tools and wishes
 * about thinking, through the model's template. */
#ifndef TURN_PROMPT_H
#define TURN_PROMPT_H

#include "turn.h"

/* What a request wants of thinking, said in any of the ways in which it can
 * be: reasoning_effort "none"; enable_thinking or thinking, in the template's
 * arguments. */
enum thinking_choice thinking_wanted(const struct turn_options *options);

/* Render the prompt of a turn that has its model and options.  Thinking off is
 * off: where a template has no switch for it, an empty block of thinking ends
 * the prompt. */
int turn_render(struct turn *t, struct error *e);

/* A model can call what its prompt tells it of.  A template that has no place
 * for tools leaves them out without a word: then their names, and those of
 * their arguments, must stand in the messages, or it is an error. */
int turn_check_tools(struct turn *t, struct error *e);

#endif
