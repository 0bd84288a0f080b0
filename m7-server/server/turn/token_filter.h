/* Which tokens may come next, where an answer must begin in one of a few ways
 * or must not contain certain marks.
 *
 * Works on what tokens stand for: one is allowed if its bytes go on with what
 * is required next, whether they end before it does or go beyond.  So it is
 * all the same into which tokens a tokenizer would have cut the text.
 *
 * Knows neither templates nor tools: it is told texts. */
#ifndef TOKEN_FILTER_H
#define TOKEN_FILTER_H

#include "buffer.h"
#include "error.h"
#include "required_texts.h"

#include <stdbool.h>
#include <stddef.h>

/* The bytes of all tokens, of special ones, too. */
struct token_texts {
    struct bytes bytes; /* one after the other */
    size_t *from;       /* (n + 1,): where each begins, and the last ends */
    bool *special;      /* (n,): an added token that is no text */
    size_t n;
    const int *ends; /* (n_ends,): tokens that end an answer; not owned */
    size_t n_ends;
};

/* Writes the bytes of a token to out (room,), and returns how many it has;
 * says in *special what it is. */
typedef size_t token_bytes_function(void *context, int id, char *out,
                                    size_t room, bool *special);

/* Collect the bytes of tokens 0 .. n - 1. */
int token_texts_init(struct token_texts *t, size_t n,
                     token_bytes_function *bytes, void *context,
                     struct error *e);
void token_texts_free(struct token_texts *t);

/* One token's bytes (*size,). */
const char *token_text_of(const struct token_texts *t, int id, size_t *size);

/* Told each token of an answer, or -1 where another answer begins: does the
 * text stand in a call now?  1, 0; -1: no memory. */
typedef int call_reader_function(void *context, int id);

struct token_filter {
    const struct token_texts *texts;

    /* The answer must begin with one of these, or none is required.  Where
     * thinking may come first, it begins with `think_open`, or the prompt has
     * it already (`thinking`), and ends with `think_close`; then what is
     * required follows after `resume`. */
    struct required_texts required;
    const char *think_open, *think_close, *resume;
    bool thinking;
    bool no_space; /* none may stand before what is required */

    /* The answer must not contain these. */
    const char **forbidden; /* (n_forbidden,), owned; the texts are not */
    size_t n_forbidden, forbidden_room;

    /* Nor this mark of a thought, NULL: none; but quoted (mark_quoted.h), and
     * in a call, whose arguments may be any text. */
    const char *thought;
    call_reader_function *read_call; /* NULL: no call may come */
    void *reader;                    /* its first argument */
    int *thought_tokens; /* (n_thought_tokens,), owned: they hold the mark */
    size_t n_thought_tokens, thought_tokens_room;
    bool listed; /* they were looked for */
    bool calling; /* the text stands in a call */

    struct bytes said; /* the answer's text so far */
    size_t n_said;     /* the tokens that it is of */
    size_t searched;   /* how far it was searched for think_close */
    bool satisfied;    /* what was required has come */
    bool failed;       /* no memory: the filter lets nothing pass */
};

/* Require a beginning, which is copied; forbid a mark, which is not. */
void token_filter_require(struct token_filter *f, const struct bytes *text);
void token_filter_forbid(struct token_filter *f, const char *mark);

/* Does it still say anything? */
bool token_filter_is_needed(const struct token_filter *f);

/* After the answer's tokens ids (n,): set the logits (vocab_size,) of those
 * that must not come next to -INFINITY. */
void token_filter_apply(struct token_filter *f, const int *ids, size_t n,
                        float *logits, size_t vocab_size);

void token_filter_free(struct token_filter *f);

#endif
