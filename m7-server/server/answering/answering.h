/* One request while the engine works for it: a few parts, which are n answers
 * to one prompt, or an answer to each of several, or the vectors of texts.
 *
 * Parts are submitted in their order, as many at once as the engine answers;
 * what comes of each goes to functions of the kind of request.  When all have
 * ended, or the client has left, the reply is ended and all is freed.
 *
 * Threads: begun by the desk; then the engine's thread calls, a part at a
 * time.  `lock` keeps the two apart.  That the client has left comes from
 * another thread, which only sets `gone` and cancels.  What remains when all
 * parts have ended is done there, too, if it is little, or else on a thread of
 * its own (finisher.h); of a request
 * that never began, of which the engine took no part, on the desk. */
#ifndef ANSWERING_H
#define ANSWERING_H

#include "answer.h"
#include "api_error.h"
#include "finisher.h"
#include "http_reply.h"
#include "http_request.h"
#include "served.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct answering;

/* What is asked of the engine once. */
struct answering_part {
    struct answering *whole;
    size_t index;
    _Atomic(struct rung_ticket *) ticket;
    struct rung_request request; /* ready to be submitted */
    double last;                 /* when its latest token came; 0: none yet */
    bool asks_prompt;            /* what is told of the prompt's tokens */
    bool enough;                 /* its kind wants no more of it */
    const bool *lacks_memory;    /* why it forbade all tokens, if set; NULL */
    void *work;                  /* of the kind of request */
};

/* What a kind of request does with its parts.  Functions that can fail return
 * -1 with whole->error filled in; then nothing more is asked for. */
struct answering_kind {
    const char *prefix; /* of ids: "chatcmpl-" */

    /* A token of the prompt of a part that asks for them. */
    int (*prompt)(struct answering_part *part,
                  const struct rung_token_event *t);

    /* A token has come.  Returns 1 when no more are wanted. */
    int (*token)(struct answering_part *part,
                 const struct rung_token_event *t);
    int (*end)(struct answering_part *part, const struct rung_result *r);

    /* A stream begins: what comes before all tokens; may be NULL.  And ends:
     * what comes behind them, but for [DONE]. */
    int (*open)(struct answering *a);
    int (*close)(struct answering *a);

    json_t *(*body)(struct answering *a); /* the whole answer */
    void (*free)(void *work, size_t n);   /* for n parts; and `work` itself */
};

/* What a log tells of a request beside what http knows. */
struct answering_figures {
    size_t parts;
    size_t prompt_tokens, cached_tokens, new_tokens, reasoning_tokens;
    size_t draft_tokens, accepted_tokens; /* guesses; right ones */
    size_t cache_bytes; /* of the keys and values of all its tokens */
    double queued, first_token, prefill, decode; /* seconds; of the slowest */
    double draft, verify;                        /* the same */
};

/* Told how each request ended, before its reply is. */
typedef void answering_note(void *context, const char *id, const char *model,
                            const struct answering_figures *figures);

/* A request as the desk has it. */
struct answering_arrival {
    const struct http_request *http;
    struct http_reply *reply;
    double seconds; /* by latency_clock */
    answering_note *note;
    void *context; /* its first argument */
    struct finisher *finisher;
};

struct answering {
    const struct answering_kind *kind;
    struct answering_arrival from;
    struct served *model;

    struct answer_head head; /* of the answers */
    char id[96];             /* head.id */
    bool stream;
    size_t values;       /* about so many its end frees, or writes as JSON; */
    size_t token_values; /* and so many for each token, if it is no stream */
    const char *unknown; /* parameters, for a header; "" for none */
    void *work;          /* of the kind of request */

    struct answering_part *parts; /* (n,); owned */
    size_t n;

    pthread_mutex_t lock;   /* of what follows, and of the reply */
    size_t next, in_flight; /* parts: to be submitted; being answered */
    bool opened, failed;    /* the stream has begun; `error` has been set */
    struct api_error error;
    struct token_usage usage;
    struct answering_figures figures;
    atomic_bool gone; /* the client has left */
    struct finisher_entry finish_entry;
};

/* A new request of n parts, whose `request`s have the engine's values for what
 * is not said.  work: of its kind, taken over.  Without memory the reply is
 * ended, and NULL returned. */
struct answering *answering_new(const struct answering_kind *kind,
                                const struct answering_arrival *arrival,
                                size_t n, void *work);

/* It has this model, and unknown parameters, which are the body's and get a
 * zero behind them. */
int answering_describe(struct answering *a, struct served *model,
                       struct bytes *unknown, struct api_error *e);

/* All is ready: submit, and see to the reply, whatever happens.  Takes *a
 * over. */
void answering_begin(struct answering *a);

/* It was refused before it began: end the reply with `error`.  Frees *a. */
void answering_refuse(struct answering *a, const struct api_error *error);

/* Send a chunk, which is taken over, to the client. */
int answering_send(struct answering *a, json_t *chunk);

/* The error of failed memory, for functions of a kind. */
int answering_fail_memory(struct answering *a);

/* How a text ended. */
enum finish_reason finish_of(const struct rung_result *r);

/* Reply at once, with a body that is taken over; NULL: no memory. */
void reply_with(struct http_reply *reply, json_t *body, const char *unknown);
void reply_refused(struct http_reply *reply, const struct api_error *error);

#endif
