/* Log probabilities as they come: see told_tokens.h. */
#include "told_tokens.h"

#include "answer.h"
#include "buffer.h"
#include "generation_request.h"

#include <stdint.h>
#include <stdlib.h>

enum told_sizes {
    MOST_LIKELY = 1 + MOST_LOGPROBS, /* the token, and the likeliest */
    SHORT_TOKEN = 256                /* bytes of nearly all */
};

/* Append a token's bytes, and return how many they are. */
static size_t add_token_bytes(const struct rung_model *m, int id,
                              struct bytes *out)
{
    char text[SHORT_TOKEN];
    size_t size = rung_token_bytes(m, id, text, sizeof text);
    if (size <= sizeof text) {
        bytes_add(out, text, size);
        return size;
    }
    char *longer = size < SIZE_MAX ? malloc(size) : NULL;
    if (longer && rung_token_bytes(m, id, longer, size) == size)
        bytes_add(out, longer, size);
    else
        out->failed = true;
    free(longer);
    return size;
}

/* Fill in likely[0], the token, and behind it those that were likeliest;
 * their bytes go to `store`. */
static void fill_likely(const struct rung_model *m,
                        const struct rung_token_event *t,
                        struct likely_token *likely, struct bytes *store)
{
    size_t from = 0;
    for (size_t i = 0; i <= t->n_top && i < MOST_LIKELY; i++) {
        int id = i == 0 ? t->id : t->top[i - 1].id;
        likely[i].logprob = i == 0 ? t->logprob : t->top[i - 1].logprob;
        likely[i].size = add_token_bytes(m, id, store);
    }
    for (size_t i = 0; i <= t->n_top && i < MOST_LIKELY && !store->failed;
         i++) {
        likely[i].bytes = store->data ? store->data + from : "";
        from += likely[i].size;
    }
}

/* Put the lists of `one`, which is taken over, behind those of the others. */
static int extend(struct told_tokens *told, json_t *one)
{
    const char *key;
    json_t *list;
    int failed = !one;
    if (!told->list) {
        told->list = one;
        return failed;
    }
    json_object_foreach(one, key, list)
    {
        json_t *others = json_object_get(told->list, key);
        if (json_is_array(list))
            failed |= json_array_extend(others, list);
    }
    json_decref(one);
    return failed;
}

static void add_told(struct told_tokens *told, const struct rung_model *m,
                     const struct rung_token_event *t, size_t offset,
                     bool first)
{
    struct likely_token likely[MOST_LIKELY];
    struct bytes store = {0};
    fill_likely(m, t, likely, &store);
    size_t n_top = t->n_top < MOST_LOGPROBS ? t->n_top : MOST_LOGPROBS;
    if (!store.failed) {
        struct chosen_token chosen = {likely[0], likely + 1, n_top, offset,
                                      first};
        json_t *one = told->completion ? completion_logprobs(&chosen, 1)
                                       : chat_logprobs(&chosen, 1);
        told->failed |= extend(told, one) != 0;
    }
    told->failed |= store.failed;
    bytes_free(&store);
}

void told_add(struct told_tokens *told, const struct rung_model *m,
              const struct rung_token_event *t, size_t offset)
{
    add_told(told, m, t, offset, false);
}

void told_add_first(struct told_tokens *told, const struct rung_model *m,
                    int id)
{
    const struct rung_token_event t = {.id = id};
    add_told(told, m, &t, 0, true);
}

json_t *told_take(struct told_tokens *told)
{
    json_t *list = told->list;
    told->list = NULL;
    return list;
}
