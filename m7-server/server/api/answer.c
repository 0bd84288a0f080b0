/* What all answers share: see answer.h. */
#include "answer.h"

#include "json_write.h"
#include "unicode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nine digits tell every float from the next. */
static const size_t writing = JSON_COMPACT | JSON_REAL_PRECISION(9);

json_t *answer_start(const struct answer_head *head, const char *object)
{
    json_t *body = json_object();
    json_put(&body, "id", json_string(head->id));
    json_put(&body, "object", json_string(object));
    json_put(&body, "created", json_integer(head->created));
    json_put(&body, "model", text_json(head->model, strlen(head->model)));
    json_put(&body, "system_fingerprint", json_string(head->fingerprint));
    return body;
}

json_t *finish_word(enum finish_reason reason)
{
    static const char *const words[] = {[FINISH_STOP] = "stop",
                                        [FINISH_LENGTH] = "length",
                                        [FINISH_TOOL_CALLS] = "tool_calls"};
    return reason == FINISH_NONE ? json_null() : json_string(words[reason]);
}

static json_t *one_count(const char *name, size_t count)
{
    json_t *details = json_object();
    json_put(&details, name, json_integer((json_int_t)count));
    return details;
}

json_t *usage_json(const struct token_usage *u)
{
    json_t *usage = json_object();
    json_put(&usage, "prompt_tokens", json_integer((json_int_t)u->prompt));
    json_put(&usage, "completion_tokens",
             json_integer((json_int_t)u->completion));
    json_put(&usage, "total_tokens",
             json_integer((json_int_t)(u->prompt + u->completion)));
    json_put(&usage, "prompt_tokens_details",
             one_count("cached_tokens", u->cached));
    json_put(&usage, "completion_tokens_details",
             one_count("reasoning_tokens", u->reasoning));
    return usage;
}

json_t *text_json(const char *text, size_t size)
{
    if (size == 0 || utf8_valid(text, size) == size)
        return json_stringn(size > 0 ? text : "", size);
    struct bytes whole = {0};
    utf8_repair(text, size, &whole);
    json_t *string =
        whole.failed ? NULL : json_stringn(whole.data, whole.size);
    bytes_free(&whole);
    return string;
}

/* --- log probabilities --------------------------------------------------- */

/* JSON has no infinity. */
static json_t *logprob_json(double logprob)
{
    return json_real(logprob < -9999 || isnan(logprob) ? -9999 : logprob);
}

static json_t *bytes_json(const struct likely_token *t)
{
    json_t *bytes = json_array();
    for (size_t i = 0; i < t->size; i++)
        json_add(&bytes, json_integer((unsigned char)t->bytes[i]));
    return bytes;
}

static json_t *likely_json(const struct likely_token *t)
{
    json_t *likely = json_object();
    json_put(&likely, "token", text_json(t->bytes, t->size));
    json_put(&likely, "logprob", logprob_json(t->logprob));
    json_put(&likely, "bytes", bytes_json(t));
    return likely;
}

json_t *chat_logprobs(const struct chosen_token *tokens, size_t n)
{
    json_t *content = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *top = json_array();
        for (size_t k = 0; k < tokens[i].n_top; k++)
            json_add(&top, likely_json(&tokens[i].top[k]));
        json_t *one = likely_json(&tokens[i].token);
        json_put(&one, "top_logprobs", top);
        json_add(&content, one);
    }
    json_t *logprobs = json_object();
    json_put(&logprobs, "content", content);
    json_put(&logprobs, "refusal", json_null());
    return logprobs;
}

/* The token's text; of one that is a part of a character "bytes:\xe2\x82",
 * so that no two are alike. */
static void add_token_piece(const struct likely_token *t, struct bytes *out)
{
    if (utf8_valid(t->bytes, t->size) == t->size) {
        bytes_add(out, t->bytes, t->size);
        return;
    }
    bytes_add_string(out, "bytes:");
    for (size_t i = 0; i < t->size; i++) {
        char byte[8];
        snprintf(byte, sizeof byte, "\\x%02x", (unsigned char)t->bytes[i]);
        bytes_add_string(out, byte);
    }
}

static json_t *piece_json(const struct likely_token *t)
{
    struct bytes piece = {0};
    add_token_piece(t, &piece);
    json_t *string = piece.failed ? NULL : text_json(piece.data, piece.size);
    bytes_free(&piece);
    return string;
}

/* A member whose name is the token's text, up to a zero byte: a name has
 * none. */
static void put_piece(json_t **object, const struct likely_token *t)
{
    json_t *name = piece_json(t);
    json_put(object, name ? json_string_value(name) : NULL,
             logprob_json(t->logprob));
    json_decref(name);
}

static json_t *top_json(const struct chosen_token *token)
{
    json_t *top = json_object();
    for (size_t k = 0; k < token->n_top; k++)
        put_piece(&top, &token->top[k]);
    return top;
}

json_t *completion_logprobs(const struct chosen_token *tokens, size_t n)
{
    json_t *pieces = json_array(), *values = json_array();
    json_t *tops = json_array(), *offsets = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct chosen_token *t = &tokens[i];
        json_add(&pieces, piece_json(&t->token));
        json_add(&values, t->first ? json_null()
                                   : logprob_json(t->token.logprob));
        json_add(&tops, t->first ? json_null() : top_json(t));
        json_add(&offsets, json_integer((json_int_t)t->offset));
    }
    json_t *logprobs = json_object();
    json_put(&logprobs, "tokens", pieces);
    json_put(&logprobs, "token_logprobs", values);
    json_put(&logprobs, "top_logprobs", tops);
    json_put(&logprobs, "text_offset", offsets);
    return logprobs;
}

/* --- bytes --------------------------------------------------------------- */

int answer_write(json_t *body, struct bytes *out, struct error *e)
{
    char *text = json_text(body, writing);
    if (text)
        bytes_add_string(out, text);
    bool failed = !text || out->failed;
    free(text);
    json_decref(body);
    return failed ? fail_memory(e, "an answer") : 0;
}

int answer_event(json_t *body, struct bytes *out, struct error *e)
{
    bytes_add_string(out, "data: ");
    if (answer_write(body, out, e))
        return -1;
    bytes_add_string(out, "\n\n");
    return out->failed ? fail_memory(e, "an event") : 0;
}

void answer_done(struct bytes *out)
{
    bytes_add_string(out, "data: [DONE]\n\n");
}
