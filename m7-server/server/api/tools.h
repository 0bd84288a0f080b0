/* The tools that a chat offers to the model, and what it says of their use. */
#ifndef TOOLS_H
#define TOOLS_H

#include "chat_request.h"

/* Check the list: functions, with names of letters, digits, "_" and "-", no
 * two alike, and parameters that are objects. */
int tools_check(const struct node *tools, struct bytes *unknown,
                struct api_error *a);

/* Read "auto", "none", "required" or {"type": "function", ...} into *q, whose
 * tools are checked. */
int tool_choice_read(const struct node *choice, struct chat_request *q,
                     struct api_error *a);

#endif
