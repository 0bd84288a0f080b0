/* Requests about plain texts: POST /v1/completions, /v1/embeddings, /tokenize
 * and /detokenize. */
#ifndef TEXT_REQUEST_H
#define TEXT_REQUEST_H

#include "generation_request.h"

enum text_limits {
    MOST_TEXTS = 2048 /* in one request */
};

/* A text, or the ids of one. */
struct text_input {
    const char *text; /* (size,), belongs to the body; NULL: ids */
    size_t size;
    int *ids; /* (n,), owned; not checked against a vocabulary */
    size_t n;
};

/* A string, a list of strings, of ids, or of lists of ids. */
struct text_inputs {
    struct text_input *items; /* (n,), owned */
    size_t n;                 /* above zero */
};

struct completion_request {
    struct generation_request generation;
    struct text_inputs prompts;
    bool echo;      /* the prompt's text comes first */
    size_t best_of; /* texts that are made to a prompt; the n likeliest are
                       sent */

    size_t logprobs; /* while reading; SIZE_MAX: not said */
    json_t *said_prompt;
    struct request_body body;
};

struct embedding_request {
    const char *model;
    struct text_inputs inputs;
    bool base64;
    size_t dimensions; /* 0: all */

    const char *format; /* while reading */
    json_t *said_input;
    struct request_body body;
};

struct tokenize_request {
    const char *model;
    const char *text; /* (size,), belongs to the body */
    size_t size;
    bool add_special;
    bool pieces; /* their bytes, too */

    json_t *said_prompt, *said_content;
    struct request_body body;
};

struct detokenize_request {
    const char *model;
    struct text_input tokens; /* ids */

    json_t *said_tokens;
    struct request_body body;
};

/* Read a body.  After an error the request holds nothing. */
int completion_request_read(struct completion_request *q, const char *text,
                            size_t size, struct api_error *a);
int embedding_request_read(struct embedding_request *q, const char *text,
                           size_t size, struct api_error *a);
int tokenize_request_read(struct tokenize_request *q, const char *text,
                          size_t size, struct api_error *a);
int detokenize_request_read(struct detokenize_request *q, const char *text,
                            size_t size, struct api_error *a);

/* The prompts are ids: free the body, their texts with it. */
void completion_request_release(struct completion_request *q);
void embedding_request_release(struct embedding_request *q);

void completion_request_free(struct completion_request *q);
void embedding_request_free(struct embedding_request *q);
void tokenize_request_free(struct tokenize_request *q);
void detokenize_request_free(struct detokenize_request *q);

/* What only completions take, for requests that refuse it. */
extern const struct parameter_table completion_parameters_elsewhere;

#endif
