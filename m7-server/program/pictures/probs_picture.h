/* The picture of sampling: how likely the likeliest tokens are, as bars, in a
 * row for the model and for each step of the chain. */
#ifndef PROBS_PICTURE_H
#define PROBS_PICTURE_H

#include "error.h"
#include "options.h"

/* Draw what could follow arguments[0], as the settings ask for, to
 * s->output. */
int draw_probs(const struct settings *s, char **arguments, struct error *e);

#endif
