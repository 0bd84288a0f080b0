/* Prompts: the text that a command is to go on with, as it is or wrapped as a
 * question. */
#ifndef PROMPT_H
#define PROMPT_H

#include "error.h"
#include "options.h"
#include "reading.h"

/* Open a reading as reading_open does, of the command's first argument, and
 * heed --chat, --system and --think. */
int prompt_open(struct reading *r, const struct settings *s, size_t more,
                struct error *e);

#endif
