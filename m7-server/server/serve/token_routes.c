/* POST /tokenize and /detokenize: a text and its tokens. */
#include "routes.h"

#include "asking.h"
#include "text_answer.h"
#include "text_request.h"

#include "json_write.h"

#include <string.h>

/* How the tokenizer's file spells each token. */
static json_t *pieces_of(const struct served *m, const int *ids, size_t n)
{
    json_t *pieces = json_array();
    for (size_t i = 0; i < n; i++) {
        const char *token = rung_token(m->engine, ids[i]);
        json_add(&pieces,
                 token ? text_json(token, strlen(token)) : json_string(""));
    }
    return pieces;
}

/* The names of unknown parameters, with a zero behind them. */
static const char *unknown_of(struct request_body *body)
{
    bytes_add(&body->unknown, "", 1);
    return body->unknown.failed ? "" : body->unknown.data;
}

/* 32 megabytes of one letter are as many tokens, which take ten seconds and
 * gigabytes, and are 200 megabytes of JSON.  So there is a bound, the one for
 * ids that are sent here; and one for bytes, since a word of spaces has to be
 * merged before its tokens can be counted: 8 megabytes of them take 2 seconds
 * of a core, and the time grows as they do. */
enum tokenize_bounds {
    MOST_TOKENS = MOST_VALUES,
    MOST_TEXT_BYTES = 8 << 20
};

static int check_text_size(const struct tokenize_request *q,
                           const char *param, struct api_error *e)
{
    if (q->size <= MOST_TEXT_BYTES)
        return 0;
    return api_refuse_field(e, param, "string_above_max_length",
                            "request: %s: expected up to %d bytes, found %zu",
                            param, MOST_TEXT_BYTES, q->size);
}

static int fail_tokenize(struct api_error *e, const char *param,
                         const struct rung_error *why)
{
    if (why->code != RUNG_TOO_LONG)
        return fail_rung(e, param, 0, why);
    return api_refuse_field(e, param, "string_above_max_length",
                            "request: %s: expected up to %d tokens, found at "
                            "least %zu",
                            param, MOST_TOKENS, why->asked);
}

/* The answer, or NULL with *e filled in. */
static json_t *tokenize_body(struct server *s,
                             const struct tokenize_request *q,
                             struct api_error *e)
{
    const struct rung_encoding how = {.wrap = q->add_special,
                                      .most = MOST_TOKENS};
    const char *param = q->said_content ? "content" : "prompt";
    struct served *m = served_any(&s->models, q->model, e);
    struct rung_error why;
    int *ids;
    size_t n;
    if (!m || check_text_size(q, param, e))
        return NULL;
    if (rung_encode(m->engine, q->text, q->size, &how, &ids, &n, &why)) {
        fail_tokenize(e, param, &why);
        return NULL;
    }
    json_t *pieces = q->pieces ? pieces_of(m, ids, n) : NULL;
    json_t *body = tokenize_answer(ids, n, m->facts->context, pieces);
    if (!body || (q->pieces && !pieces))
        api_fail(e, 500, "out of memory");
    rung_free_ids(ids);
    return body;
}

void route_tokenize(struct server *s, const struct answering_arrival *arrival)
{
    struct tokenize_request q;
    struct api_error e;
    if (tokenize_request_read(&q, arrival->http->body,
                              arrival->http->body_size, &e)) {
        reply_refused(arrival->reply, &e);
        return;
    }
    json_t *body = tokenize_body(s, &q, &e);
    if (body)
        reply_with(arrival->reply, body, unknown_of(&q.body));
    else
        reply_refused(arrival->reply, &e);
    tokenize_request_free(&q);
}

static json_t *detokenize_body(struct server *s,
                               const struct detokenize_request *q,
                               struct api_error *e)
{
    struct served *m = served_any(&s->models, q->model, e);
    struct rung_error why;
    char *text;
    size_t size;
    if (!m)
        return NULL;
    if (rung_decode(m->engine, q->tokens.ids, q->tokens.n, true, &text, &size,
                    &why)) {
        fail_rung(e, "tokens", 0, &why);
        return NULL;
    }
    json_t *body = detokenize_answer(text, size);
    if (!body)
        api_fail(e, 500, "out of memory");
    rung_free_text(text);
    return body;
}

void route_detokenize(struct server *s,
                      const struct answering_arrival *arrival)
{
    struct detokenize_request q;
    struct api_error e;
    if (detokenize_request_read(&q, arrival->http->body,
                                arrival->http->body_size, &e)) {
        reply_refused(arrival->reply, &e);
        return;
    }
    json_t *body = detokenize_body(s, &q, &e);
    if (body)
        reply_with(arrival->reply, body, unknown_of(&q.body));
    else
        reply_refused(arrival->reply, &e);
    detokenize_request_free(&q);
}
