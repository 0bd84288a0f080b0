/* Keys of a JSON object that must not be overlooked: see keys.h. */
#include "keys.h"

#include "read_keys.h"

#include <string.h>

bool words_have(const char *list, const char *word)
{
    size_t length = strlen(word);
    const char *at = list;
    while (length > 0 && (at = strstr(at, word))) {
        bool begins = at == list || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == 0))
            return true;
        at += length;
    }
    return false;
}

/* Keys whose false or null changes a model, though this program does not read
 * them. */
static const char never_off[] =
    "is_causal truncate layer_types original_max_position_embeddings "
    "_attn_implementation return_dict";

/* Keys whose true says what their absence says. */
static const char always_on[] = "is_causal return_dict";

/* Keys whose null says what their absence says.  That of all others is a
 * value of its own, mostly none that makes sense. */
static const char may_be_null[] =
    "architectures attention_dropout bos_token_id eos_token_id pad_token_id "
    "dtype torch_dtype transformers_version num_key_value_heads head_dim "
    "rope_scaling rope_parameters layer_types sliding_window "
    "attn_logit_softcapping final_logit_softcapping no_rope_layers "
    "num_global_key_value_heads beta_fast beta_slow attention_factor mscale "
    "mscale_all_dim audio_config _name_or_path _commit_hash "
    "_sliding_window_pattern id2label label2id problem_type "
    "classifier_dropout sep_token_id use_bidirectional_attention";

int fail_value(const struct node *n, const char *expected, struct error *e)
{
    return node_fail(n, ERROR_UNSUPPORTED, e,
                     "this program has only models in which it is %s",
                     expected);
}

/* Of a key that this program does not read the one value that it could be
 * told, as JSON; NULL for a key that should not be there at all. */
static const char *only_value(const char *key)
{
    if (words_have(always_on, key))
        return "true";
    return strcmp(key, "_attn_implementation") == 0 ? "\"eager\"" : NULL;
}

static int fail_unknown(const struct node *n, const char *whose,
                        struct error *e)
{
    const char *only = only_value(n->key);
    if (only)
        return fail_value(n, only, e);
    return node_fail(n, ERROR_UNSUPPORTED, e,
                     "is not a key that this program knows for %s", whose);
}

/* Whether a key that this program does not read says what its absence says. */
static bool is_usual(const char *key, const json_t *value)
{
    if (json_is_true(value))
        return words_have(always_on, key);
    if (json_is_string(value) && strcmp(key, "_attn_implementation") == 0)
        return strcmp(json_string_value(value), "eager") == 0;
    return (json_is_null(value) || json_is_false(value)) &&
           !words_have(never_off, key);
}

/* Whether a key in none of the lists may be passed over. */
static bool is_nothing(const char *model_type, const char *key,
                       const json_t *value)
{
    return is_usual(key, value) ||
           (model_type && !transformers_reads(model_type, key));
}

static bool is_listed(const char *const *lists, size_t n_lists,
                      const char *key)
{
    for (size_t i = 0; i < n_lists; i++)
        if (words_have(lists[i], key))
            return true;
    return false;
}

int keys_check(const struct node *object, const char *const *lists,
               size_t n_lists, const char *model_type, const char *whose,
               struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        struct node n = node_member(object, key);
        bool known = is_listed(lists, n_lists, key);
        if (known && json_is_null(value) && !words_have(may_be_null, key))
            return node_fail(&n, ERROR_INPUT, e,
                             "is null: leave it out, or say what it is");
        if (!known && !is_nothing(model_type, key, value))
            return fail_unknown(&n, whose, e);
    }
    return 0;
}
