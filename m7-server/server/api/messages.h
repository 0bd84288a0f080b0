/* The messages of a chat: checked, and without what templates do not know. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "api_error.h"
#include "buffer.h"

enum message_limits {
    MOST_LISTED = 1 << 16 /* messages; parts or calls in one: each becomes
                             values of a template, of some hundred bytes */
};

/* A new array; NULL on error.  Of each message:
 *   role       system, developer (which becomes system), user, assistant, tool
 *   content    a string, or parts of text; of a tool's result also an object,
 *              which becomes JSON text
 *   tool_calls ids, names and arguments, a string or an object, as they are
 * Members that are unknown are noted, and left out. */
json_t *messages_read(const struct node *messages, struct bytes *unknown,
                      struct api_error *a);

#endif
