/* Which parts of a chat's prompt somebody else wrote.
 *
 * A prompt is marks and texts: "<|im_start|>user", then what the user said.
 * Who says "<|im_end|>" in a message has written ten letters, and not ended
 * his turn.  So the engine is told where in the prompt stands what the system,
 * users and tools say, and takes no mark there for one.  What the assistant
 * said is left as it is: its marks are the model's own.
 *
 * To know where, the template is asked a second time, with another text in
 * place of each that is looked for: what is left between those texts is the
 * template's own. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H

#include "buffer.h"
#include "error.h"
#include "rung.h"

#include <jansson.h>
#include <stddef.h>

struct plain_text {
    struct rung_range *ranges; /* (n,), rising; owned */
    size_t n, room;
    size_t searched; /* bytes of the prompt that were looked through for texts;
                        what was for several counts for each */
};

/* Find the texts of messages in a prompt, by the prompt of their stand-ins
 * (stand_ins.h; empty: there is none).
 * A text may stand there as JSON, as `tojson` writes it.
 *
 * Where a template writes something else for them than for the texts, what is
 * found is what stands there word for word, in the messages' order.  A text
 * with marks of the model in it whose place is not certain then is an error:
 * they could be taken for the template's own.  So is, for the same reason,
 * more than 256 MiB that were searched for such texts.  Free *p in any case.
 * model NULL: nothing is a mark. */
int plain_text_find(struct plain_text *p, const struct rung_model *model,
                    const json_t *messages, const struct bytes *stand_ins,
                    const struct bytes *prompt, struct error *e);
void plain_text_free(struct plain_text *p);

#endif
