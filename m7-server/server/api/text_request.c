/* Requests about plain texts: see text_request.h. */
#include "text_request.h"

#include "chat_request.h"

#include <stdint.h>
#include <stdlib.h>

/* --- inputs -------------------------------------------------------------- */

static void inputs_free(struct text_inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        free(in->items[i].ids);
    free(in->items);
    *in = (struct text_inputs){0};
}

/* Their texts go with the body. */
static void inputs_release(struct text_inputs *in)
{
    for (size_t i = 0; i < in->n; i++)
        in->items[i].text = NULL;
}

static int read_input_ids(const struct node *list, struct text_input *out,
                          struct api_error *a)
{
    size_t n = 0;
    if (node_array(list, &n, &a->why))
        return api_refuse_type(a, list);
    if (n == 0)
        return api_refuse_at(a, list, "empty_array", "is empty");
    out->ids = calloc(n, sizeof *out->ids);
    if (!out->ids)
        return api_fail(a, 500, "out of memory");
    for (out->n = 0; out->n < n; out->n++) {
        struct node id = node_element(list, out->n);
        long long value = 0;
        if (node_integer(&id, &value, &a->why))
            return api_refuse_type(a, &id);
        if (value < 0 || value > INT32_MAX)
            return api_refuse_at(a, &id, "invalid_value",
                                 "%lld is the id of no token", value);
        out->ids[out->n] = (int)value;
    }
    return 0;
}

static int read_text_input(const struct node *value, struct text_input *out,
                           struct api_error *a)
{
    if (json_is_array(value->value))
        return read_input_ids(value, out, a);
    if (node_text(value, &out->text, &out->size, &a->why))
        return api_refuse_type(a, value);
    return 0;
}

static int read_list(const struct node *value, struct text_inputs *in,
                     struct api_error *a)
{
    size_t n = json_array_size(value->value);
    if (n > MOST_TEXTS)
        return api_refuse_at(a, value, "array_above_max_length",
                             "expected up to %d texts, found %zu", MOST_TEXTS,
                             n);
    for (in->n = 0; in->n < n;) {
        struct node element = node_element(value, in->n++);
        if (read_text_input(&element, &in->items[in->n - 1], a))
            return -1;
    }
    return 0;
}

/* A string, strings, ids, or lists of ids: the first element tells. */
static int read_text_inputs(const struct node *value, struct text_inputs *in,
                            struct api_error *a)
{
    size_t n = json_array_size(value->value);
    bool list = json_is_array(value->value);
    bool ids = json_is_integer(json_array_get(value->value, 0));
    if (list && n == 0)
        return api_refuse_at(a, value, "empty_array", "is empty");
    in->items = calloc(list && !ids ? n : 1, sizeof *in->items);
    if (!in->items)
        return api_fail(a, 500, "out of memory");
    if (list && !ids)
        return read_list(value, in, a);
    in->n = 1;
    return read_text_input(value, &in->items[0], a);
}

/* --- completions --------------------------------------------------------- */

static const struct parameter completion_rows[] = {
    {"prompt", take_json,
     .offset = offsetof(struct completion_request, said_prompt),
     .required = true},
    {"echo", take_flag, .offset = offsetof(struct completion_request, echo)},
    {"max_tokens", take_count,
     .offset = offsetof(struct completion_request, generation.max_tokens),
     .least = 0, .most = INT32_MAX},
    {"best_of", take_count,
     .offset = offsetof(struct completion_request, best_of), .least = 1,
     .most = MOST_CHOICES, .harmless = "1"},
    {"logprobs", take_count,
     .offset = offsetof(struct completion_request, logprobs), .least = 0,
     .most = MOST_LOGPROBS},
    {"suffix", refuse_parameter,
     .words = "models here go on with a text, and fill no gap in one"},
};

static const struct parameter_table completion_parameters = {
    completion_rows, sizeof completion_rows / sizeof completion_rows[0], NULL};

const struct parameter_table completion_parameters_elsewhere = {
    completion_rows, sizeof completion_rows / sizeof completion_rows[0],
    "completions"};

static int check_completion(struct completion_request *q,
                            const struct node *root, struct api_error *a)
{
    struct node best_of = node_member(root, "best_of");
    if (q->best_of == 0)
        q->best_of = q->generation.n;
    if (q->best_of < q->generation.n)
        return api_refuse_at(a, &best_of, "invalid_value",
                             "expected at least n, which is %zu, found %zu",
                             q->generation.n, q->best_of);
    if (q->best_of > q->generation.n && q->generation.stream)
        return api_refuse_at(a, &best_of, "invalid_value",
                             "is %zu, and n %zu: which are best is not known "
                             "before all have ended, so none can be streamed",
                             q->best_of, q->generation.n);
    q->generation.logprobs = q->logprobs != SIZE_MAX;
    if (q->generation.logprobs)
        q->generation.top_logprobs = q->logprobs;
    return 0;
}

static int read_completion(struct completion_request *q, struct api_error *a)
{
    const struct parameter_table tables[] = {completion_parameters,
                                             generation_parameters,
                                             chat_parameters_elsewhere};
    struct node root = node_root("request", q->body.json);
    struct node prompt = node_member(&root, "prompt");
    if (parameters_read(&root, tables, 3, q, &q->body.unknown, a) ||
        generation_check(&q->generation, &root, &q->body.unknown, a) ||
        check_completion(q, &root, a))
        return -1;
    return read_text_inputs(&prompt, &q->prompts, a);
}

int completion_request_read(struct completion_request *q, const char *text,
                            size_t size, struct api_error *a)
{
    *q = (struct completion_request){.logprobs = SIZE_MAX};
    generation_start(&q->generation);
    if (body_parse(&q->body, text, size, a))
        return -1;
    int result = read_completion(q, a);
    if (result)
        completion_request_free(q);
    return result;
}

void completion_request_release(struct completion_request *q)
{
    inputs_release(&q->prompts);
    body_release(&q->body);
    q->generation.model = NULL;
    q->said_prompt = q->generation.said_options = NULL;
}

void completion_request_free(struct completion_request *q)
{
    inputs_free(&q->prompts);
    generation_free(&q->generation);
    body_free(&q->body);
}

/* --- embeddings ---------------------------------------------------------- */

static const struct parameter embedding_rows[] = {
    {"model", take_any_string,
     .offset = offsetof(struct embedding_request, model)},
    {"input", take_json,
     .offset = offsetof(struct embedding_request, said_input),
     .required = true},
    {"encoding_format", take_word,
     .offset = offsetof(struct embedding_request, format),
     .words = "float|base64"},
    {"dimensions", take_count,
     .offset = offsetof(struct embedding_request, dimensions), .least = 1,
     .most = INT32_MAX},
    {"user", .read = take_note},
};

static const struct parameter_table embedding_parameters = {
    embedding_rows, sizeof embedding_rows / sizeof embedding_rows[0], NULL};

/* Of an empty text there is nothing to tell. */
static int check_texts(const struct node *value, const struct text_inputs *in,
                       struct api_error *a)
{
    for (size_t i = 0; i < in->n; i++) {
        struct node element = node_element(value, i);
        if (in->items[i].text && in->items[i].size == 0)
            return api_refuse_at(
                a, json_is_array(value->value) ? &element : value,
                "invalid_value", "is empty");
    }
    return 0;
}

static int read_embedding(struct embedding_request *q, struct api_error *a)
{
    struct node root = node_root("request", q->body.json);
    struct node input = node_member(&root, "input");
    const struct parameter_table tables[] = {
        embedding_parameters, chat_parameters_elsewhere,
        completion_parameters_elsewhere, generation_parameters_elsewhere};
    if (parameters_read(&root, tables, 4, q, &q->body.unknown, a))
        return -1;
    q->base64 = q->format && q->format[0] == 'b';
    if (read_text_inputs(&input, &q->inputs, a))
        return -1;
    return check_texts(&input, &q->inputs, a);
}

int embedding_request_read(struct embedding_request *q, const char *text,
                           size_t size, struct api_error *a)
{
    *q = (struct embedding_request){0};
    if (body_parse(&q->body, text, size, a))
        return -1;
    int result = read_embedding(q, a);
    if (result)
        embedding_request_free(q);
    return result;
}

void embedding_request_release(struct embedding_request *q)
{
    inputs_release(&q->inputs);
    body_release(&q->body);
    q->model = q->format = NULL;
    q->said_input = NULL;
}

void embedding_request_free(struct embedding_request *q)
{
    inputs_free(&q->inputs);
    body_free(&q->body);
}

/* --- tokens -------------------------------------------------------------- */

static const struct parameter tokenize_rows[] = {
    {"model", take_any_string,
     .offset = offsetof(struct tokenize_request, model)},
    {"prompt", take_json,
     .offset = offsetof(struct tokenize_request, said_prompt)},
    {"content", take_json,
     .offset = offsetof(struct tokenize_request, said_content)},
    {"add_special_tokens", take_flag,
     .offset = offsetof(struct tokenize_request, add_special)},
    {"add_special", take_flag,
     .offset = offsetof(struct tokenize_request, add_special)},
    {"return_token_strs", take_flag,
     .offset = offsetof(struct tokenize_request, pieces)},
    {"with_pieces", take_flag,
     .offset = offsetof(struct tokenize_request, pieces)},
    {"messages", refuse_parameter,
     .words = "POST them to /apply-template, and its answer here"},
};

static const struct parameter_table tokenize_parameters = {
    tokenize_rows, sizeof tokenize_rows / sizeof tokenize_rows[0], NULL};

static int read_tokenize(struct tokenize_request *q, struct api_error *a)
{
    struct node root = node_root("request", q->body.json);
    if (parameters_read(&root, &tokenize_parameters, 1, q, &q->body.unknown,
                        a))
        return -1;
    struct node content = node_member(&root, "content");
    struct node prompt = node_member(&root, "prompt");
    if (q->said_prompt && q->said_content)
        return api_refuse_at(a, &content, "invalid_value",
                             "is another name for prompt, which is there");
    const struct node *said = q->said_content ? &content : &prompt;
    if (node_text(said, &q->text, &q->size, &a->why))
        return api_refuse_type(a, said);
    return 0;
}

int tokenize_request_read(struct tokenize_request *q, const char *text,
                          size_t size, struct api_error *a)
{
    *q = (struct tokenize_request){.add_special = true};
    if (body_parse(&q->body, text, size, a))
        return -1;
    int result = read_tokenize(q, a);
    if (result)
        tokenize_request_free(q);
    return result;
}

void tokenize_request_free(struct tokenize_request *q)
{
    body_free(&q->body);
}

static const struct parameter detokenize_rows[] = {
    {"model", take_any_string,
     .offset = offsetof(struct detokenize_request, model)},
    {"tokens", take_json,
     .offset = offsetof(struct detokenize_request, said_tokens),
     .required = true},
};

static const struct parameter_table detokenize_parameters = {
    detokenize_rows, sizeof detokenize_rows / sizeof detokenize_rows[0], NULL};

int detokenize_request_read(struct detokenize_request *q, const char *text,
                            size_t size, struct api_error *a)
{
    *q = (struct detokenize_request){0};
    if (body_parse(&q->body, text, size, a))
        return -1;
    struct node root = node_root("request", q->body.json);
    struct node tokens = node_member(&root, "tokens");
    int result = parameters_read(&root, &detokenize_parameters, 1, q,
                                 &q->body.unknown, a);
    if (result == 0)
        result = read_input_ids(&tokens, &q->tokens, a);
    if (result)
        detokenize_request_free(q);
    return result;
}

void detokenize_request_free(struct detokenize_request *q)
{
    free(q->tokens.ids);
    body_free(&q->body);
}
