/* The command that shows what could come next, and how likely. */
#include "commands.h"
#include "forward.h"
#include "generate.h"
#include "input.h"
#include "print.h"
#include "show.h"
#include "sizes.h"

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
    json_put(&object, "id", json_integer(c.id));
    json_put(&object, "token", json_string(tokenizer_token(t, c.id)));
    json_put(&object, "probability", json_real((double)c.probability));
    return object;
}

static int show_candidates(const struct input *in, const struct settings *s,
                           const struct candidate *candidates, size_t n,
                           struct error *e)
{
    if (!s->json)
        return print_candidates(in->tokenizer, candidates, n, e);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&list, json_candidate(in->tokenizer, candidates[i]));
    return print_json_line(list, e);
}

/* Run the text, and rank the n tokens that could come after it: candidates
 * (vocab_size,). */
static int rank_next(const struct input *in, const struct settings *settings,
                     struct candidate *candidates, size_t *n, struct error *e)
{
    const struct model *m = &in->model;
    struct state s;
    if (state_init_chunked(&s, m, in->ids.size, state_chunk(m), e))
        return -1;
    s.cache_form = settings->cache;
    int result = forward(m, &s, in->ids.data, in->ids.size, NULL, e);
    if (result == 0 && !next_logits(m, &in->non_tokens, &s, NULL, e))
        result = -1;
    if (result == 0)
        *n = rank_candidates(s.logits, m->config.vocab_size, candidates);
    state_free(&s);
    return result;
}

static int show_next(const struct input *in, const struct settings *s,
                     struct error *e)
{
    size_t n = 0, most = number_or(s->best, 5);
    struct candidate *candidates =
        calloc(in->model.config.vocab_size, sizeof *candidates);
    if (!candidates)
        return fail_memory(e, "the candidates");
    int result = rank_next(in, s, candidates, &n, e);
    if (result == 0)
        result = show_candidates(in, s, candidates, smaller_size(n, most), e);
    free(candidates);
    return result;
}

int cmd_next(const struct settings *s, struct error *e)
{
    struct input in;
    if (input_open(&in, s->model, s->arguments[0], 0, e))
        return -1;
    print_ignored(&in.model);
    int result = input_pack(&in, s, e);
    if (result == 0)
        result = show_next(&in, s, e);
    input_close(&in);
    return result;
}
