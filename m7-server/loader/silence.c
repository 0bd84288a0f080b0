/* What the silence of a config.json means: see silence.h.  Knows families by
 * their model_type; does not know what the keys are for. */
#include "silence.h"

#include "json_write.h"

#include <stdbool.h>
#include <string.h>

struct silence {
    const char *model_type, *key;
    const char *value; /* as it would stand in the file */
    bool of_whole;     /* only the whole model says it */
};

/* Only families are here whose published files are silent.  Their values are
 * those of transformers' classes. */
static const struct silence silences[] = {
    {"gemma2", "tie_word_embeddings", "true", true},
    {"mistral3", "tie_word_embeddings", "true", true},
    {"gemma4_text", "tie_word_embeddings", "true", true},
    {"smollm3", "tie_word_embeddings", "true", true},
    {"starcoder2", "tie_word_embeddings", "true", true},

    /* The first Llama. */
    {"llama", "max_position_embeddings", "2048", false},

    /* Gemma 3 with pictures, of 4, 12 and 27 billion parameters. */
    {"gemma3_text", "vocab_size", "262208", false},
    {"gemma3_text", "num_attention_heads", "8", false},
    {"gemma3_text", "num_key_value_heads", "4", false},
    {"gemma3_text", "head_dim", "256", false},
    {"gemma3_text", "max_position_embeddings", "131072", false},
    {"gemma3_text", "tie_word_embeddings", "true", true},
    {"gemma3_text", "bos_token_id", "2", false},
    {"gemma3_text", "eos_token_id", "1", false},
};

static const size_t n_silences = sizeof silences / sizeof silences[0];

/* Whether the family is that of the text part or of the whole. */
static bool is_about(const struct silence *s, const json_t *root,
                     const char *model_type)
{
    const char *whole = json_string_value(json_object_get(root, "model_type"));
    return strcmp(s->model_type, model_type) == 0 ||
           (whole && strcmp(s->model_type, whole) == 0);
}

/* What is said of the whole counts where its text part is silent. */
static bool is_said(const struct silence *s, const json_t *root,
                    const json_t *text)
{
    const json_t *whole = json_object_get(root, s->key);
    if (s->of_whole)
        return whole != NULL;
    return json_object_get(text, s->key) || (whole && !json_is_null(whole));
}

json_t *silence_fill(json_t *root, json_t *text, const char *model_type,
                     struct error *e)
{
    json_t *filled = json_array();
    for (size_t i = 0; i < n_silences; i++) {
        const struct silence *s = &silences[i];
        if (!is_about(s, root, model_type) || is_said(s, root, text))
            continue;
        json_t *value = json_loads(s->value, JSON_DECODE_ANY, NULL);
        json_t *silent = s->of_whole ? root : text;
        int failed = json_object_set_new(silent, s->key, value);
        json_add(&filled, failed ? NULL : json_string(s->key));
    }
    if (!filled)
        fail_memory(e, "what config.json leaves out");
    return filled;
}

bool silence_is_on(const char *model_type, const char *key)
{
    for (size_t i = 0; i < n_silences; i++) {
        const struct silence *s = &silences[i];
        if (strcmp(s->model_type, model_type) == 0 && strcmp(s->key, key) == 0)
            return strcmp(s->value, "true") == 0;
    }
    return false;
}
