/* Prompts: the text that a command is to go on with, as it is or wrapped as a
 * question. */
#ifndef PROMPT_H
#define PROMPT_H

#include "error.h"
#include "input.h"
#include "options.h"

/* Open the input as input_open does, of the command's first argument, and
 * heed --chat, --system and --think. */
int prompt_open(struct input *in, const struct settings *s, size_t more,
                struct error *e);

#endif
