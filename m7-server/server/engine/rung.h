/* The engine as a library: open a model, make text of it, close it.
 *
 * A model has one thread, its engine, which runs all that is asked of it
 * together, a step at a time: of every request that is being answered the next
 * token, and a slice of a prompt that is still to be read.  So requests come
 * from any thread, at any time, and none waits for another's end; and each
 * gets the tokens that it would get alone, to the bit.
 *
 * Ownership.  What a function makes, its own function frees: rung_close,
 * rung_release, rung_free_ids, rung_free_text.  What is passed in is copied
 * before the function returns, unless its comment says "kept".  What a
 * callback is given lasts until the callback returns.
 *
 * Threads.  Every function may be called by any thread at any time, but for
 * rung_open and rung_close: these by one thread at a time, and no other call
 * may use a model while it is being closed.  Callbacks run on the engine's
 * thread: while one works, nobody's text goes on; it must not wait, and not
 * call rung_generate, rung_continue, rung_embed, rung_wait or rung_close.
 *
 * Errors.  Functions return 0, or -1 with *e filled in; those that return a
 * pointer NULL.  e may be NULL.  Nothing is printed, but by a model's file
 * that shrinks while it is open: its bytes cannot be had any more, so that
 * ends the program with a message.
 *
 * Includes nothing of what it hides; good for ctypes, and for C++, where it is
 * included between extern "C" { and }. */
#ifndef RUNG_H
#define RUNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- errors --------------------------------------------------------------*/

enum rung_code {
    RUNG_OK,
    RUNG_INPUT,       /* a file, text or setting is not what it should be */
    RUNG_UNSUPPORTED, /* well formed, but unknown to this program */
    RUNG_SYSTEM,      /* the operating system refused */
    RUNG_MEMORY,      /* an allocation failed */
    RUNG_TOO_LONG,    /* the text is longer than the model's context: the
                         numbers are in `asked` and `limit` */
    RUNG_BUSY         /* the queue is full: the same in `asked` and `limit` */
};

struct rung_error {
    int code; /* enum rung_code */
    size_t asked, limit;
    char message[1024]; /* one line, no full stop, no newline */
};

/* --- models --------------------------------------------------------------*/

struct rung_model;

/* How a model is to run.  All zero is a good choice: start with {0}. */
struct rung_options {
    const char *name;       /* what the model is called; NULL: as its folder */
    size_t threads;         /* that compute; 0: one for each core */
    bool exact;             /* plain arithmetic in place of kernels */
    bool keep_packed;       /* keep the kernels' copy of the weights on disk,
                               beside them; one that is there is used anyhow */
    const char *cache_form; /* of keys and values: "f32", "f16", "int8",
                               "k4v4", "k4v3" or "k3v2"; NULL: "f32" */
    size_t context;         /* tokens of text and answer; 0: the model's */
    size_t requests;        /* answered at once; 0: 16; at most 32 */
    size_t queue;           /* that may wait besides; 0: 256 */
    size_t cache_tokens;    /* in the caches of all requests together, at least
                               `context`; 0: requests times context, or what
                               fits in a quarter of the memory if that is less,
                               and no less than one context */
    size_t step_tokens;     /* that one step reads at most; 0: 64; at least
                               `requests` */
    /* What guesses the next tokens of answers, so that a step can read
     * several: a small model's path; or "ngram", for what followed earlier in
     * the text; NULL: nothing does.  Answers are the same with it.  A model
     * that is made for vectors has none. */
    const char *draft;
    size_t draft_tokens;    /* guessed at once, at most 16; 0: up to 4, as long
                               as guesses save more than they cost */
};

/* Open the model at `path`: its folder, or its .safetensors or .gguf file.
 * options NULL: all zero.  Takes as long as to read the weights once. */
struct rung_model *rung_open(const char *path,
                             const struct rung_options *options,
                             struct rung_error *e);

/* End what runs, as cancelled, and free all but the tickets, which are still
 * to be released.  Returns when no callback is going to be called any more.
 * NULL is no model. */
void rung_close(struct rung_model *m);

/* How a text becomes one vector. */
enum rung_pooling {
    RUNG_POOL_LAST, /* the last token's, which alone has seen all others */
    RUNG_POOL_MEAN, /* the mean of all */
    RUNG_POOL_FIRST /* the first token's ("cls") */
};

/* What there is to know of a model.  Strings belong to it. */
struct rung_facts {
    const char *name;         /* by its options */
    const char *path;         /* as it was opened */
    const char *folder;       /* that it is in: where a template may be */
    const char *architecture; /* "Qwen3ForCausalLM"; "" when it says none */
    const char *model_type;   /* "qwen3" */
    int64_t created;          /* weights last changed: seconds since 1970 */
    size_t context;           /* tokens of a request, by its options */
    size_t trained_context;   /* tokens that it is made for */
    size_t vocab_size;        /* ids are 0 .. vocab_size - 1 */
    size_t width;             /* numbers of a vector of rung_embed */
    size_t n_layers;
    size_t weight_bytes;      /* of its files */
    size_t cache_token_bytes; /* of a token in its cache, and in its draft's */
    size_t requests, queue, cache_tokens; /* by its options */
    int bos;                  /* begins a text; -1: none */
    const int *eos;           /* (n_eos,): each ends a text */
    size_t n_eos;
    bool embeds;              /* it is made for vectors: its files say how, or
                                 its tokenizer ends a text with an end token */
    int pooling;              /* enum rung_pooling */
    const char *kernels;      /* "avx512" ...; "exact" */
};

/* They stay the same, and valid until the model is closed. */
const struct rung_facts *rung_facts(const struct rung_model *m);

/* A number that differs, as good as certainly, where models compute
 * differently.  Reads all weights, so ask once. */
int rung_fingerprint(const struct rung_model *m, uint64_t *out,
                     struct rung_error *e);

/* What a .gguf model says of chats, as a tokenizer_config.json would; NULL: it
 * is no such model.  Free *text with rung_free_text. */
int rung_chat_config(const char *path, char **text, struct rung_error *e);

/* --- text and tokens -----------------------------------------------------*/

/* Bytes from .. end - 1 of a text. */
struct rung_range {
    size_t from, end;
};

/* How text becomes tokens.  All zero: the text as it stands, in which every
 * mark ("<|im_end|>") is found.
 *
 * `plain` are the parts that somebody else wrote, as users do: a mark that
 * lies in one, or reaches into one, is not taken for a token but spelt out.
 * Tokens are otherwise those of the whole text.  A mark is any added token
 * that is not white space alone. */
struct rung_encoding {
    bool wrap; /* with what the tokenizer puts around a text: BOS and such */
    const struct rung_range *plain; /* (n_plain,), rising */
    size_t n_plain;
    size_t most; /* tokens; 0: any number.  A text of more, in UTF-8, is
                    refused (RUNG_TOO_LONG), and not cut to its end */
};

/* The ids (*n,) of a text (size,) in UTF-8; what is not UTF-8 is read as
 * U+FFFD, and with that `plain` must be empty.  how NULL: all zero.  Free *ids
 * with rung_free_ids. */
int rung_encode(const struct rung_model *m, const char *text, size_t size,
                const struct rung_encoding *how, int **ids, size_t *n,
                struct rung_error *e);
void rung_free_ids(int *ids);

/* The text (*size,) of ids (n,), always UTF-8, with a zero behind it.
 * `marks`: with that of special tokens.  Free *text with rung_free_text. */
int rung_decode(const struct rung_model *m, const int *ids, size_t n,
                bool marks, char **text, size_t *size, struct rung_error *e);
void rung_free_text(char *text);

/* The id of a token as a model's file spells it ("<|im_end|>"); -1: none. */
int rung_find_token(const struct rung_model *m, const char *token);

/* The token of an id as the file spells it, valid until the model is closed;
 * NULL: the id is none. */
const char *rung_token(const struct rung_model *m, int id);

/* The bytes that a token stands for, which may be part of a character: as
 * many of them as there is room for, in out (room,).  Returns how many there
 * are; 0 when the id is none, SIZE_MAX without memory. */
size_t rung_token_bytes(const struct rung_model *m, int id, char *out,
                        size_t room);

/* Whether an id is an added token that is marked special. */
bool rung_is_special(const struct rung_model *m, int id);

/* --- requests ------------------------------------------------------------*/

struct rung_bias {
    int id;
    float value; /* what is added to its logit */
};

/* Says which tokens must not come next after ids (n,), of which the first
 * n_prompt are the prompt: sets their logits (vocab_size,) to -INFINITY, and
 * touches no other. */
typedef void rung_forbid_function(void *context, const int *ids, size_t n,
                                  size_t n_prompt, float *logits,
                                  size_t vocab_size);

/* How to choose tokens, in this order; rung_request_init gives the values
 * that change nothing, which are behind each. */
struct rung_sampling {
    float repetition;                 /* 1; above 0 */
    float presence, frequency;        /* 0 */
    const struct rung_bias *biases;   /* (n_biases,) */
    size_t n_biases;                  /* 0 */
    rung_forbid_function *forbid;     /* NULL; on the engine's thread */
    void *forbid_context;             /* its first argument; kept */
    float temperature;                /* 1; 0: the likeliest, always */
    size_t top_k;                     /* 0 */
    double top_p;                     /* 1 */
    float min_p;                      /* 0 */
    double typical_p;                 /* 1 */
    uint64_t seed;                    /* 0: of the random numbers */
};

/* A token and its log probability, by the model, before any sampling. */
struct rung_choice {
    int id;
    double logprob;
};

/* A new token. */
struct rung_token_event {
    size_t index; /* 0: the first; of the prompt's tokens, too */
    int id;
    const char *text; /* (size,): what is certain by now of the text: whole
                         characters, and nothing that may begin a stop string;
                         of special tokens none; may be of tokens before */
    size_t size;
    double logprob;                /* with logprobs, else 0 */
    const struct rung_choice *top; /* (n_top,), the likeliest first */
    size_t n_top;
};

/* Why a request ended. */
enum rung_reason {
    RUNG_STOP,      /* an end token, a stop string; or the vector is there */
    RUNG_LENGTH,    /* as many tokens as were asked for */
    RUNG_CANCELLED, /* by rung_cancel, rung_close, or its own callback */
    RUNG_FAILED     /* `error` says why */
};

/* How a request ended.  Seconds are of the clock. */
struct rung_result {
    int reason;    /* enum rung_reason */
    int end_token; /* that ended it, and which no callback got; -1: none */
    const char *text; /* (size,): what was held back; NULL after on_end */
    size_t size;
    const float *vector; /* (width,), of length 1, where `embeds`; the same */
    size_t prompt_tokens;
    size_t cached_tokens; /* of them, which a request before had read */
    size_t new_tokens;    /* the end token among them */
    double queued;        /* until it had a place */
    double prefill;       /* from then on, until its first token */
    double decode;        /* from then on */
    size_t draft_tokens;    /* guesses at what it would say, */
    size_t accepted_tokens; /* and of these, what it said */
    double draft;  /* of its decode, while its tokens were guessed, */
    double verify; /* and while steps ran in which guesses were read */
    struct rung_error error;
};

/* Take a new token.  Returns 0 to go on; anything else cancels the request. */
typedef int rung_token_function(void *context,
                                const struct rung_token_event *t);

/* The request has ended: called once for each that was submitted, and last. */
typedef void rung_end_function(void *context, const struct rung_result *r);

enum rung_bounds { RUNG_STOP_BYTES = 1024 }; /* of what ends a text */

struct rung_request {
    const int *ids; /* (n_ids,): the prompt; at least one */
    size_t n_ids;
    bool embeds;       /* its vector is wanted, and no new tokens: what is
                          below, up to on_token, is not looked at */
    size_t max_tokens; /* new ones, the end token among them; at least one */
    struct rung_sampling sampling;
    const char *const *stops; /* (n_stops,), each of 1 to RUNG_STOP_BYTES:
                                 the text ends before the first of them */
    size_t n_stops;
    const int *ends; /* (n_ends,): tokens that end it besides the model's */
    size_t n_ends;
    bool ignore_eos;       /* the model's own do not end it */
    bool logprobs;         /* of each token its log probability, */
    size_t top_logprobs;   /* and of as many that were likeliest */
    rung_token_function *on_prompt; /* before all others, each token of the
                                       prompt but the first, without text; so
                                       all of it is computed.  NULL: no */
    rung_token_function *on_token;  /* NULL: nobody listens */
    rung_end_function *on_end;      /* the same */
    void *context;                  /* their first argument; kept */
};

/* All values that change nothing, and max_tokens 1. */
void rung_request_init(struct rung_request *r);

/* How the model's makers advise to choose, in generation_config.json; what
 * they do not say has the value that changes nothing. */
void rung_advised_sampling(const struct rung_model *m,
                           struct rung_sampling *out);

/* A request on its way.  Belongs to who submitted it. */
struct rung_ticket;

/* Ask for an answer, and return at once: callbacks tell what becomes of it,
 * the first of them perhaps before this returns.  Requests are answered in the
 * order in which they come, as far as there is room.  Refused, without a
 * callback: ids that are no tokens, settings out of bounds (RUNG_INPUT), a
 * prompt and max_tokens beyond the context (RUNG_TOO_LONG), a full queue
 * (RUNG_BUSY).  Release the ticket. */
struct rung_ticket *rung_submit(struct rung_model *m,
                                const struct rung_request *r,
                                struct rung_error *e);

/* The request is not wanted any more: it ends before the engine's next step,
 * and no token comes after the one on its way.  No effect once it ended. */
void rung_cancel(struct rung_ticket *t);

/* Wait until the request has ended and on_end returned.  r may be NULL. */
void rung_wait(struct rung_ticket *t, struct rung_result *r);

/* The ticket is not needed any more; the request goes on.  Allowed in
 * callbacks.  NULL is none. */
void rung_release(struct rung_ticket *t);

/* Which number the request has, in rung_timeline: they count from 1. */
uint64_t rung_number(const struct rung_ticket *t);

/* Submit, wait and release.  Fails as rung_submit does, and where the reason
 * is RUNG_FAILED; r may be NULL. */
int rung_generate(struct rung_model *m, const struct rung_request *r,
                  struct rung_result *result, struct rung_error *e);

/* Takes a piece of a text (size,): 0 to go on. */
typedef int rung_text_function(void *context, const char *text, size_t size);

/* In short: go on with a text, which a zero ends, as `rung generate` does, by
 * max_tokens tokens at most, always the likeliest: to on_text.  Waits. */
int rung_continue(struct rung_model *m, const char *text, size_t max_tokens,
                  rung_text_function *on_text, void *context,
                  struct rung_error *e);

/* A text as tokens: ids (n,). */
struct rung_text {
    const int *ids;
    size_t n;
};

/* The vectors out (n, width) of texts (n,), each of length 1.  Waits for all.
 * Texts are requests like others, and wait in the same queue: as many at once
 * as it takes.  RUNG_BUSY only where it takes none. */
int rung_embed(struct rung_model *m, const struct rung_text *texts, size_t n,
               float *out, struct rung_error *e);

/* --- looking inside ------------------------------------------------------*/

/* Of now, and in all since the model was opened. */
struct rung_stats {
    size_t running, queued;     /* requests */
    size_t cache_tokens_used;   /* in caches: of those that run, what they may
                                   come to need; of others, what is kept */
    size_t cache_tokens;        /* that there is room for */
    size_t cache_bytes_used;    /* by the same tokens */
    uint64_t accepted, refused; /* requests; refused for a full queue */
    uint64_t stopped, at_length, cancelled, failed; /* how they ended */
    uint64_t steps;
    uint64_t prompt_tokens; /* of all that had a place */
    uint64_t cached_tokens; /* of them */
    uint64_t cache_hits;    /* requests that had any */
    uint64_t prefilled, decoded; /* tokens that steps have read */
    uint64_t draft_tokens, accepted_tokens; /* of decoded: guesses; right */
    double busy;                 /* seconds in steps; */
    double draft, verify;        /* of these: guessing, steps with guesses */
};

void rung_stats(struct rung_model *m, struct rung_stats *out);

/* What one request had of one step. */
struct rung_part {
    uint64_t step;    /* they count from 1 */
    uint64_t request; /* rung_number */
    double from, end; /* of the step: seconds since the model was opened */
    size_t tokens;    /* that were read */
    bool decodes;     /* it was the last token, and not a part of the prompt */
    size_t guesses;   /* of the tokens: behind the last one */
};

/* The parts of the latest steps, the oldest first, at most `room`: in
 * out (room,).  Returns how many there are.  Some thousand are kept. */
size_t rung_timeline(struct rung_model *m, struct rung_part *out, size_t room);

#endif
