/* The picture of the timeline: what each step of the engine has read, of whom,
 * in a batch of several requests. */
#ifndef TIMELINE_PICTURE_H
#define TIMELINE_PICTURE_H

#include "error.h"
#include "options.h"

/* Run the batch of timeline_run.h, and draw it to s->output: steps to the
 * right, a row for each request, and below them all that a step has read.  No
 * arguments. */
int draw_timeline(const struct settings *s, char **arguments, struct error *e);

#endif
