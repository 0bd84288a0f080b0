/* One answer of a chat, as it comes: a turn of the model, whose thoughts,
 * words and calls are kept, or sent at once in chunks. */
#ifndef CHAT_PART_H
#define CHAT_PART_H

#include "answering.h"
#include "chat_answer.h"
#include "told_tokens.h"
#include "turn.h"

/* A call that was begun. */
struct chat_call {
    char *id; /* owned */
    struct bytes name, arguments;
};

struct chat_part {
    struct answering_part *part;
    struct turn turn;
    bool begun; /* the turn is to be freed */

    struct bytes content, reasoning; /* not of a stream, which sends them */
    struct chat_call *calls;         /* (n_calls,), owned */
    size_t n_calls, room;
    struct told_tokens told;
    enum finish_reason finish;
    bool failed; /* whole->error says why */
};

/* Begin the turn; all that options name is kept.  *p is zero before. */
int chat_part_begin(struct chat_part *p, struct answering_part *part,
                    const struct turn_options *options, struct error *e);

/* A token came: returns 1 when no more are wanted, -1 after an error. */
int chat_part_take(struct chat_part *p, const struct rung_token_event *t,
                   bool logprobs);

/* The text has ended. */
int chat_part_end(struct chat_part *p, const struct rung_result *r);

/* It as a choice, whose calls go to calls (p->n_calls,). */
struct chat_choice chat_part_choice(struct chat_part *p,
                                    struct answer_call *calls);

void chat_part_free(struct chat_part *p);

#endif
