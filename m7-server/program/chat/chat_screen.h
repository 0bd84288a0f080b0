/* How an answer is shown while it comes, on standard output: its text as it
 * is; thoughts dimmed on a terminal, and elsewhere between "[thinks]" and
 * "[answers]", or folded away; calls of tools in brackets.
 *
 * What a model says must not steer a terminal: there, control characters
 * become "?". */
#ifndef CHAT_SCREEN_H
#define CHAT_SCREEN_H

#include "markup.h"

#include <stdbool.h>

enum screen_part {
    SCREEN_NOTHING,
    SCREEN_THOUGHT,
    SCREEN_TEXT,
    SCREEN_CALL
};

/* Start one for each answer, with the first four. */
struct chat_screen {
    bool terminal; /* that is where standard output goes */
    bool colour;
    bool folded; /* thoughts are not shown */
    bool apart;  /* an empty line comes first */

    enum screen_part part; /* what is being shown */
    bool line_is_open;     /* the last line has no end yet */
    int failed;            /* errno of what could not be written, or 0 */
};

void chat_screen_show(struct chat_screen *s, const struct markup_event *event);

/* The answer has ended: so does its line. */
void chat_screen_end(struct chat_screen *s);

#endif
