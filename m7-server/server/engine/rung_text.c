/* Text and tokens: see rung.h. */
#include "engine.h"
#include "rung_errors.h"

#include "sizes.h"
#include "unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- to tokens ----------------------------------------------------------- */

static int check_ranges(const struct rung_encoding *how, const char *text,
                        size_t size, struct error *e)
{
    size_t end = 0;
    if (how->n_plain > 0 && utf8_valid(text, size) != size)
        return fail(e, ERROR_INPUT,
                    "a text with plain parts must be UTF-8; byte %zu is not",
                    utf8_valid(text, size));
    for (size_t i = 0; i < how->n_plain; i++) {
        const struct rung_range *r = &how->plain[i];
        if (r->from < end || r->end < r->from || r->end > size)
            return fail(e, ERROR_INPUT,
                        "plain part %zu, from %zu to %zu, is out of order or "
                        "beyond the text's %zu bytes",
                        i, r->from, r->end, size);
        end = r->end;
    }
    return 0;
}

static int encode_ids(const struct rung_model *m, const char *text,
                      size_t size, const struct rung_encoding *how,
                      struct ids *ids, struct error *e)
{
    struct encode_rules rules = {how->wrap, {NULL, how->n_plain}, how->most};
    if (check_ranges(how, text, size, e))
        return -1;
    if (how->n_plain == 0 && utf8_valid(text, size) == size)
        return tokenizer_encode_by(m->tokenizer, text, size, &rules, ids, e);
    if (how->n_plain == 0)
        return tokenizer_encode(m->tokenizer, text, size, how->wrap, ids, e);
    struct text_range *ranges = calloc(how->n_plain, sizeof *ranges);
    if (!ranges)
        return fail_memory(e, "the plain parts");
    for (size_t i = 0; i < how->n_plain; i++)
        ranges[i] = (struct text_range){how->plain[i].from,
                                        how->plain[i].end};
    rules.plain.ranges = ranges;
    int result =
        tokenizer_encode_by(m->tokenizer, text, size, &rules, ids, e);
    free(ranges);
    return result;
}

static int fail_most(size_t most, struct rung_error *out)
{
    return fail_out_limit(out, RUNG_TOO_LONG, most + 1, most,
                          "the text has more than %zu tokens", most);
}

int rung_encode(const struct rung_model *m, const char *text, size_t size,
                const struct rung_encoding *how, int **ids, size_t *n,
                struct rung_error *out)
{
    static const struct rung_encoding as_it_stands;
    struct ids list = {0};
    struct error e;
    int result =
        encode_ids(m, text, size, how ? how : &as_it_stands, &list, &e);
    if (result) {
        ids_free(&list);
        return result < 0 ? fail_out(out, &e) : fail_most(how->most, out);
    }
    *ids = list.data;
    *n = list.size;
    return 0;
}

void rung_free_ids(int *ids)
{
    free(ids);
}

/* --- to text ------------------------------------------------------------- */

int rung_decode(const struct rung_model *m, const int *ids, size_t n,
                bool marks, char **text, size_t *size, struct rung_error *out)
{
    struct bytes bytes = {0};
    struct error e;
    int result = tokenizer_decode(m->tokenizer, ids, n, marks, &bytes, &e);
    *size = bytes.size;
    bytes_add(&bytes, "", 1);
    if (result == 0 && bytes.failed)
        result = fail_memory(&e, "the text");
    if (result) {
        bytes_free(&bytes);
        return fail_out(out, &e);
    }
    *text = bytes.data;
    return 0;
}

void rung_free_text(char *text)
{
    free(text);
}

/* --- single tokens ------------------------------------------------------- */

int rung_find_token(const struct rung_model *m, const char *token)
{
    return tokenizer_find(m->tokenizer, token);
}

const char *rung_token(const struct rung_model *m, int id)
{
    return tokenizer_token(m->tokenizer, id);
}

size_t rung_token_bytes(const struct rung_model *m, int id, char *out,
                        size_t room)
{
    struct bytes bytes = {0};
    struct error e;
    if (!tokenizer_token(m->tokenizer, id))
        return 0;
    int failed = tokenizer_bytes(m->tokenizer, id, &bytes, &e);
    size_t size = failed || bytes.failed ? SIZE_MAX : bytes.size;
    if (size > 0 && size < SIZE_MAX)
        memcpy(out, bytes.data, smaller_size(size, room));
    bytes_free(&bytes);
    return size;
}

bool rung_is_special(const struct rung_model *m, int id)
{
    return tokenizer_is_special(m->tokenizer, id);
}

/* --- text from text ------------------------------------------------------ */

struct continuation {
    rung_text_function *on_text;
    void *context; /* its first argument */
};

static int tell_token(void *context, const struct rung_token_event *t)
{
    const struct continuation *c = context;
    return t->size > 0 ? c->on_text(c->context, t->text, t->size) : 0;
}

static void tell_rest(void *context, const struct rung_result *r)
{
    const struct continuation *c = context;
    if (r->size > 0 && r->reason != RUNG_CANCELLED)
        c->on_text(c->context, r->text, r->size);
}

int rung_continue(struct rung_model *m, const char *text, size_t max_tokens,
                  rung_text_function *on_text, void *context,
                  struct rung_error *e)
{
    static const struct rung_encoding as_prompt = {.wrap = true};
    struct continuation c = {on_text, context};
    struct rung_request r;
    int *ids = NULL;
    rung_request_init(&r);
    r.max_tokens = max_tokens;
    r.sampling.temperature = 0;
    r.on_token = tell_token;
    r.on_end = tell_rest;
    r.context = &c;
    if (rung_encode(m, text, strlen(text), &as_prompt, &ids, &r.n_ids, e))
        return -1;
    r.ids = ids;
    int result = rung_generate(m, &r, NULL, e);
    rung_free_ids(ids);
    return result;
}
