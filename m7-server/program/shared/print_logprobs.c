/* Printing log probabilities: see print_logprobs.h. */
#include "print_logprobs.h"

#include "json_write.h"
#include "logprobs.h"
#include "show.h"

#include <stdio.h>

enum most_shown {
    MOST_TOP = 20
};

static struct logprob of_chosen(const struct judged *j)
{
    size_t n = j->input->model.config.vocab_size;
    double base = logprob_base(j->logits, n);
    return (struct logprob){j->id, (double)j->logits[j->id] - base};
}

static size_t of_likeliest(const struct judged *j, struct logprob *top)
{
    size_t n = j->input->model.config.vocab_size;
    size_t most = j->n_top < MOST_TOP ? j->n_top : MOST_TOP;
    return logprob_top(j->logits, n, top, most);
}

/* Print a log probability and its token, with spaces up to `width`. */
static int print_one(const struct tokenizer *t, struct logprob one, int width,
                     struct error *e)
{
    struct bytes piece = {0}, text = {0};
    int result = tokenizer_bytes(t, one.id, &piece, e);
    bytes_add_string(&text, "\"");
    show_text(piece.data, piece.size, &text);
    bytes_add_string(&text, "\"");
    if (result == 0 && text.failed)
        result = fail_memory(e, "a token");
    if (result == 0)
        printf("%8.4f  %-*.*s", one.value, width, (int)text.size, text.data);
    bytes_free(&text);
    bytes_free(&piece);
    return result;
}

void print_logprobs_head(size_t n_top)
{
    printf(" logprob  token");
    if (n_top > 0)
        printf("           the likeliest");
    putchar('\n');
}

int print_logprobs(const struct judged *j, struct error *e)
{
    struct logprob top[MOST_TOP];
    const struct tokenizer *t = j->input->tokenizer;
    size_t n = of_likeliest(j, top);
    if (print_one(t, of_chosen(j), n ? 14 : 0, e))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (print_one(t, top[i], i + 1 < n ? 14 : 0, e))
            return -1;
    if (putchar('\n') == EOF || fflush(stdout))
        return fail_errno(e, "standard output");
    return 0;
}

static json_t *json_one(const struct tokenizer *t, struct logprob one)
{
    json_t *object = json_object();
    json_put(&object, "id", json_integer(one.id));
    json_put(&object, "token", json_string(tokenizer_token(t, one.id)));
    json_put(&object, "logprob", json_real(one.value));
    return object;
}

json_t *json_logprobs(const struct judged *j)
{
    struct logprob top[MOST_TOP];
    const struct tokenizer *t = j->input->tokenizer;
    size_t n = of_likeliest(j, top);
    json_t *list = json_array(), *object = json_one(t, of_chosen(j));
    for (size_t i = 0; i < n; i++)
        json_add(&list, json_one(t, top[i]));
    json_put(&object, "top", list);
    return object;
}
