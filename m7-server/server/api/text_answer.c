/* The answers about plain texts: see text_answer.h. */
#include "text_answer.h"

#include "json_write.h"

static json_t *completion_choice_json(const struct completion_choice *c)
{
    json_t *choice = json_object();
    json_put(&choice, "index", json_integer((json_int_t)c->index));
    json_put(&choice, "text", text_json(c->text, c->size));
    json_put(&choice, "logprobs", c->logprobs ? c->logprobs : json_null());
    json_put(&choice, "finish_reason", finish_word(c->finish));
    return choice;
}

json_t *completion_answer(const struct answer_head *head,
                          const struct completion_choice *choices, size_t n,
                          const struct token_usage *usage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&list, completion_choice_json(&choices[i]));
    json_t *body = answer_start(head, "text_completion");
    json_put(&body, "choices", list);
    json_put(&body, "usage", usage_json(usage));
    return body;
}

json_t *completion_chunk(const struct answer_head *head,
                         const struct completion_choice *choice,
                         const struct token_usage *usage)
{
    json_t *list = json_array();
    if (!usage)
        json_add(&list, completion_choice_json(choice));
    json_t *chunk = answer_start(head, "text_completion");
    json_put(&chunk, "choices", list);
    if (usage)
        json_put(&chunk, "usage", usage_json(usage));
    else if (head->include_usage)
        json_put(&chunk, "usage", json_null());
    return chunk;
}

json_t *tokenize_answer(const int *ids, size_t n, size_t context,
                        json_t *pieces)
{
    json_t *tokens = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&tokens, json_integer(ids[i]));
    json_t *body = json_object();
    json_put(&body, "tokens", tokens);
    json_put(&body, "count", json_integer((json_int_t)n));
    json_put(&body, "max_model_len", json_integer((json_int_t)context));
    if (pieces)
        json_put(&body, "token_strs", pieces);
    return body;
}

json_t *detokenize_answer(const char *text, size_t size)
{
    json_t *body = json_object();
    json_put(&body, "prompt", text_json(text, size));
    json_put(&body, "content", text_json(text, size));
    return body;
}

json_t *template_answer(const char *prompt, size_t size)
{
    json_t *body = json_object();
    json_put(&body, "prompt", text_json(prompt, size));
    return body;
}
