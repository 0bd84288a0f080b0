/* Answers that are lists: embeddings, and the models that are served. */
#ifndef LIST_ANSWER_H
#define LIST_ANSWER_H

#include "answer.h"

/* vectors (n, width), row-major; as numbers, or as base64 of little-endian
 * floats. */
json_t *embedding_answer(const char *model, const float *vectors, size_t n,
                         size_t width, bool base64, size_t prompt_tokens);

/* A model that is served; nothing is owned. */
struct served_model {
    const char *name;
    long long created; /* seconds since 1970: of its files */
    size_t context;    /* told as max_model_len, which is not OpenAI's */
    bool embeds; /* makes vectors, and no chats: rung.embedding, neither */
};

json_t *model_answer(const struct served_model *model);
json_t *model_list_answer(const struct served_model *models, size_t n);

#endif
