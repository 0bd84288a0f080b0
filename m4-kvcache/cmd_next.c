/* The command that shows what could come next, and how likely. */
#include "commands.h"
#include "forward.h"
#include "generate.h"
#include "print.h"
#include "reading.h"
#include "show.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static int print_candidate(const struct tokenizer *t, struct candidate c,
                           struct error *e)
{
    struct bytes piece = {0}, text = {0};
    int result = tokenizer_bytes(t, c.id, &piece, e);
    if (result == 0) {
        show_text(piece.data, piece.size, &text);
        printf("%11.4f  %6d  \"%.*s\"\n", (double)c.probability, c.id,
               (int)text.size, text.data);
    }
    bytes_free(&text);
    bytes_free(&piece);
    return result;
}

static int print_candidates(const struct tokenizer *t,
                            const struct candidate *candidates, size_t n,
                            struct error *e)
{
    printf("probability      id  token\n");
    for (size_t i = 0; i < n; i++)
        if (print_candidate(t, candidates[i], e))
            return -1;
    return 0;
}

static json_t *json_candidate(const struct tokenizer *t, struct candidate c)
{
    json_t *object = json_object();
    json_object_set_new(object, "id", json_integer(c.id));
    json_object_set_new(object, "token",
                        json_string(tokenizer_token(t, c.id)));
    json_object_set_new(object, "probability",
                        json_real((double)c.probability));
    return object;
}

static int show_candidates(const struct reading *r, const struct settings *s,
                           const struct candidate *candidates, size_t n,
                           struct error *e)
{
    if (!s->json)
        return print_candidates(r->tokenizer, candidates, n, e);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list,
                              json_candidate(r->tokenizer, candidates[i]));
    return print_json_line(list, e);
}

/* The scores of all tokens after the text, ranked: (vocab_size,), to be
 * freed. */
static struct candidate *rank_next(const struct reading *r, struct error *e)
{
    const struct model *m = &r->model;
    struct state s;
    struct candidate *candidates =
        calloc(m->config.vocab_size, sizeof *candidates);
    if (!candidates)
        fail_memory(e, "the candidates");
    if (!candidates || state_init(&s, m, r->ids.size, e)) {
        free(candidates);
        return NULL;
    }
    forward(m, &s, r->ids.data, r->ids.size, NULL);
    forward_logits(m, &s, r->ids.size - 1, NULL);
    int result = check_scores(s.logits, m->config.vocab_size, e);
    if (result == 0)
        rank_candidates(s.logits, m->config.vocab_size, candidates);
    state_free(&s);
    if (result == 0)
        return candidates;
    free(candidates);
    return NULL;
}

/* Some models have rows that stand for no token: they are left out. */
static size_t keep_tokens(const struct tokenizer *t,
                          struct candidate *candidates, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (tokenizer_token(t, candidates[i].id))
            candidates[kept++] = candidates[i];
    return kept;
}

int cmd_next(const struct settings *s, struct error *e)
{
    struct reading r;
    if (reading_open(&r, s->model, s->arguments[0], 0, e))
        return -1;
    print_ignored(&r.model);
    struct candidate *candidates = rank_next(&r, e);
    int result = -1;
    if (candidates) {
        size_t most = number_or(s->best, 5);
        size_t n =
            keep_tokens(r.tokenizer, candidates, r.model.config.vocab_size);
        result = show_candidates(&r, s, candidates, n < most ? n : most, e);
    }
    free(candidates);
    reading_close(&r);
    return result;
}
