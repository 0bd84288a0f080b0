/* What a request says of the text to be made: see generation_request.h. */
#include "generation_request.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string that ends the text; an empty one would end every text.  Of one byte
 * the engine keeps several, for each answer. */
static int take_stop(const struct node *value, struct generation_request *g,
                     struct api_error *a)
{
    const char *stop;
    if (node_string(value, &stop, &a->why))
        return api_refuse_type(a, value);
    size_t size = strlen(stop);
    if (size == 0)
        return api_refuse_at(a, value, "invalid_value", "is empty");
    if (size > RUNG_STOP_BYTES)
        return api_refuse_at(a, value, "string_above_max_length",
                             "expected up to %d bytes, found %zu",
                             RUNG_STOP_BYTES, size);
    g->stops[g->n_stops] = strdup(stop);
    if (!g->stops[g->n_stops])
        return api_fail(a, 500, "out of memory");
    g->n_stops++;
    return 0;
}

static int take_stops(const struct node *value, const struct parameter *p,
                      void *request, struct api_error *a)
{
    (void)p;
    struct generation_request *g = request;
    size_t n = 0;
    if (!json_is_array(value->value))
        return take_stop(value, g, a);
    node_array(value, &n, &a->why);
    if (n > MOST_STOPS)
        return api_refuse_at(a, value, "array_above_max_length",
                             "expected up to %d strings, found %zu",
                             MOST_STOPS, n);
    for (size_t i = 0; i < n; i++) {
        struct node stop = node_element(value, i);
        if (take_stop(&stop, g, a))
            return -1;
    }
    return 0;
}

static int take_seed(const struct node *value, const struct parameter *p,
                     void *request, struct api_error *a)
{
    (void)p;
    struct generation_request *g = request;
    long long seed = 0;
    if (node_integer(value, &seed, &a->why))
        return api_refuse_type(a, value);
    g->seeded = true;
    g->how.seed = (uint64_t)seed;
    return 0;
}

/* 0 and -1: all tokens. */
static int take_top_k(const struct node *value, const struct parameter *p,
                      void *request, struct api_error *a)
{
    if (json_is_integer(value->value) &&
        json_integer_value(value->value) == -1)
        return 0;
    return take_count(value, p, request, a);
}

/* The id that a member's name is: 1 to 9 digits. */
static int read_bias_id(const struct node *member, int *id,
                        struct api_error *a)
{
    size_t length = strspn(member->key, "0123456789");
    if (length == 0 || length > 9 || member->key[length])
        return api_refuse_at(a, member, "invalid_value",
                             "its name must be the id of a token");
    *id = atoi(member->key);
    return 0;
}

static int take_bias(const struct node *member, struct generation_request *g,
                     struct api_error *a)
{
    double value = 0;
    struct rung_bias *bias = &g->biases[g->how.n_biases];
    if (read_bias_id(member, &bias->id, a) ||
        check_range(member, -100, 100, &value, a))
        return -1;
    bias->value = (float)value;
    g->how.n_biases++;
    return 0;
}

static int take_biases(const struct node *value, const struct parameter *p,
                       void *request, struct api_error *a)
{
    (void)p;
    struct generation_request *g = request;
    size_t n = json_object_size(value->value);
    if (node_object(value, &a->why))
        return api_refuse_type(a, value);
    if (n > MOST_BIASES)
        return api_refuse_at(a, value, "invalid_value",
                             "expected up to %d tokens, found %zu",
                             MOST_BIASES, n);
    if (n > 0 && !(g->biases = calloc(n, sizeof *g->biases)))
        return api_fail(a, 500, "out of memory");
    g->how.biases = g->biases;
    const char *key;
    json_t *bias;
    json_object_foreach(value->value, key, bias)
    {
        struct node member = node_member(value, key);
        if (take_bias(&member, g, a))
            return -1;
    }
    return 0;
}

/* Text, in no form that would have to be kept. */
static int take_format(const struct node *value, const struct parameter *p,
                       void *request, struct api_error *a)
{
    (void)p;
    (void)request;
    struct node type = node_member(value, "type");
    const char *word;
    if (node_object(value, &a->why))
        return api_refuse_type(a, value);
    if (check_word(&type, "text|json_object|json_schema", &word, a))
        return -1;
    if (strcmp(word, "text") != 0)
        return api_refuse_at(a, value, "unsupported_value",
                             "this server cannot hold an answer to %s", word);
    return 0;
}

/* ["text"] is all that a model here can say. */
static int take_modalities(const struct node *value, const struct parameter *p,
                           void *request, struct api_error *a)
{
    (void)p;
    (void)request;
    size_t n = 0;
    const char *word;
    if (node_array(value, &n, &a->why))
        return api_refuse_type(a, value);
    for (size_t i = 0; i < n; i++) {
        struct node element = node_element(value, i);
        if (check_word(&element, "text", &word, a))
            return -1;
    }
    return 0;
}

static const struct parameter rows[] = {
    {"model", take_any_string,
     .offset = offsetof(struct generation_request, model)},
    {"max_tokens", take_count,
     .offset = offsetof(struct generation_request, max_tokens), .least = 1,
     .most = INT32_MAX},
    {"max_completion_tokens", take_count,
     .offset = offsetof(struct generation_request, max_completion_tokens),
     .least = 1, .most = INT32_MAX},
    {"n", take_count, .offset = offsetof(struct generation_request, n),
     .least = 1, .most = MOST_CHOICES, .harmless = "1"},
    {"stop", .read = take_stops},
    {"seed", .read = take_seed, .harmless = "*"},
    {"stream", take_flag,
     .offset = offsetof(struct generation_request, stream)},
    {"stream_options", take_json,
     .offset = offsetof(struct generation_request, said_options)},

    {"temperature", take_float,
     .offset = offsetof(struct generation_request, how.temperature),
     .least = 0, .most = 2, .harmless = "1"},
    {"top_p", take_double,
     .offset = offsetof(struct generation_request, how.top_p), .least = 0,
     .most = 1, .harmless = "1"},
    {"top_k", take_top_k,
     .offset = offsetof(struct generation_request, how.top_k), .least = 0,
     .most = INT32_MAX},
    {"min_p", take_float,
     .offset = offsetof(struct generation_request, how.min_p), .least = 0,
     .most = 1},
    {"typical_p", take_double,
     .offset = offsetof(struct generation_request, how.typical_p), .least = 0,
     .most = 1, .harmless = "1"},
    {"presence_penalty", take_float,
     .offset = offsetof(struct generation_request, how.presence), .least = -2,
     .most = 2},
    {"frequency_penalty", take_float,
     .offset = offsetof(struct generation_request, how.frequency), .least = -2,
     .most = 2},
    {"repetition_penalty", take_float,
     .offset = offsetof(struct generation_request, how.repetition),
     .least = 0.01, .most = 100, .harmless = "1"},
    {"logit_bias", .read = take_biases},
    {"response_format", .read = take_format, .harmless = "text"},
    {"modalities", .read = take_modalities, .harmless = "text"},

    {"user", .read = take_note},
    {"metadata", .read = take_note},
    {"safety_identifier", .read = take_note},
    {"service_tier", .read = take_note},
    {"prompt_cache_key", .read = take_note},
    {"prompt_cache_options", .read = take_note},
    {"prompt_cache_retention", .read = take_note},
    {"prediction", .read = take_note},
    {"store", refuse_parameter, .words = "nothing is stored here"},
};

const struct parameter_table generation_parameters = {
    rows, sizeof rows / sizeof rows[0], NULL};

const struct parameter_table generation_parameters_elsewhere = {
    rows, sizeof rows / sizeof rows[0], "requests for text"};

void generation_start(struct generation_request *g)
{
    *g = (struct generation_request){
        .max_tokens = SIZE_MAX,
        .max_completion_tokens = SIZE_MAX,
        .n = 1,
        .how = {
            .repetition = 1, .temperature = 1, .top_p = 1, .typical_p = 1}};
}

/* Of two names for one number, both may be said when they agree. */
static int check_max_tokens(struct generation_request *g,
                            const struct node *body, struct api_error *a)
{
    size_t newer = g->max_completion_tokens;
    struct node place = node_member(body, "max_tokens");
    if (newer == SIZE_MAX)
        return 0;
    if (g->max_tokens != SIZE_MAX && g->max_tokens != newer)
        return api_refuse_at(a, &place, "invalid_value",
                             "is %zu, but max_completion_tokens is %zu",
                             g->max_tokens, newer);
    g->max_tokens = newer;
    return 0;
}

static const struct parameter option_rows[] = {
    {"include_usage", take_flag,
     .offset = offsetof(struct generation_request, include_usage)},
    {"include_obfuscation", refuse_parameter,
     .words = "streams are not padded here"},
};

static const struct parameter_table option_table = {
    option_rows, sizeof option_rows / sizeof option_rows[0], NULL};

static int check_stream_options(struct generation_request *g,
                                const struct node *body, struct bytes *unknown,
                                struct api_error *a)
{
    struct node options = node_member(body, "stream_options");
    if (!g->said_options)
        return 0;
    if (node_object(&options, &a->why))
        return api_refuse_type(a, &options);
    if (!g->stream)
        return api_refuse_at(a, &options, "invalid_value",
                             "needs \"stream\": true");
    return parameters_read(&options, &option_table, 1, g, unknown, a);
}

int generation_check(struct generation_request *g, const struct node *body,
                     struct bytes *unknown, struct api_error *a)
{
    if (check_max_tokens(g, body, a))
        return -1;
    return check_stream_options(g, body, unknown, a);
}

int generation_check_biases(const struct generation_request *g, size_t n_vocab,
                            struct api_error *a)
{
    for (size_t i = 0; i < g->how.n_biases; i++) {
        if ((size_t)g->biases[i].id < n_vocab)
            continue;
        char param[32];
        snprintf(param, sizeof param, "logit_bias.%d", g->biases[i].id);
        return api_refuse_field(a, param, "invalid_value",
                                "request: %s: is no token: the model has %zu",
                                param, n_vocab);
    }
    return 0;
}

void generation_free(struct generation_request *g)
{
    while (g->n_stops > 0)
        free(g->stops[--g->n_stops]);
    free(g->biases);
    g->biases = NULL;
}
