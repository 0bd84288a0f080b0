/* Which family a model is of, and whether its config.json says more than that
 * family reads: see family.h.  Knows no family's name. */
#include "family.h"

#include "json_write.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

/* Keys that every family reads. */
static const char common_keys[] =
    "architectures model_type vocab_size hidden_size intermediate_size "
    "num_hidden_layers num_attention_heads num_key_value_heads head_dim "
    "max_position_embeddings tie_word_embeddings bos_token_id eos_token_id "
    "hidden_act rms_norm_eps rope_theta rope_scaling rope_parameters";

/* Keys that transformers reads and that say how a model was trained or stored,
 * where its own code is, or what else it may return; the numbers that it
 * computes do not depend on them. */
static const char harmless_keys[] =
    "dtype torch_dtype transformers_version use_cache pad_token_id "
    "sep_token_id initializer_range initializer_factor init_std "
    "attention_dropout hidden_dropout classifier_dropout pretraining_tp "
    "gradient_checkpointing chunk_size_feed_forward auto_map name_or_path "
    "_name_or_path _commit_hash _sliding_window_pattern use_return_dict "
    "output_attentions output_hidden_states id2label label2id "
    "num_labels problem_type";

/* The row whose architecture, or where config.json names none, whose
 * model_type is the model's. */
static const struct family *find_row(const struct config *c)
{
    const struct family *f;
    for (size_t i = 0; (f = family_row(i)); i++) {
        const char *named = *c->architecture ? c->architecture : c->model_type;
        const char *own = *c->architecture ? f->architecture : f->model_type;
        if (strcmp(named, own) == 0)
            return f;
    }
    return NULL;
}

static int check_type(const struct node *object, const char *expected,
                      const char *architecture, struct error *e)
{
    struct node type = node_member(object, "model_type");
    const char *found;
    if (node_string(&type, &found, e))
        return -1;
    if (strcmp(found, expected) == 0)
        return 0;
    return node_fail(&type, ERROR_INPUT, e,
                     "found \"%s\", but a %s is of type \"%s\"", found,
                     architecture, expected);
}

/* Sizes that some families spell otherwise: config.c takes either. */
static const char own_spellings[] =
    "hidden_size intermediate_size num_hidden_layers num_attention_heads "
    "max_position_embeddings";

static bool is_required(const struct family *f, const char *key)
{
    return words_have(own_spellings, key) ||
           (f->required && words_have(f->required, key));
}

/* Fail when one of the keys is missing that must be there. */
static int check_required(const struct family *f, const struct config *c,
                          struct error *e)
{
    static const char *const keys[] = {
        "num_key_value_heads", "head_dim",
        "rope_parameters",     "hidden_size",
        "intermediate_size",   "num_hidden_layers",
        "num_attention_heads", "max_position_embeddings"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct node n = node_member(&c->text, keys[i]);
        if (is_required(f, keys[i]) && !node_has(&n))
            return node_fail(&n, ERROR_INPUT, e,
                             "is %s, and a %s has no rule for it",
                             n.value ? "null" : "missing", f->architecture);
    }
    return 0;
}

/* Fail for a key that the other families read. */
static int check_lacking(const struct family *f, const struct config *c,
                         struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(c->text.value, key, value)
    {
        struct node n = node_member(&c->text, key);
        if (f->lacks && words_have(f->lacks, key))
            return node_fail(&n, ERROR_UNSUPPORTED, e,
                             "is not a key that this program knows for %s",
                             f->architecture);
    }
    return 0;
}

/* A part that this program does not have is absent when its size is 0. */
static int check_zero(const struct family *f, const struct config *c,
                      struct error *e)
{
    if (!f->zero_key)
        return 0;
    struct node n = node_member(&c->text, f->zero_key);
    long long value;
    if (node_integer(&n, &value, e))
        return -1;
    return value == 0 ? 0 : fail_value(&n, "0", e);
}

/* Whether the value is what `expected` says in JSON. */
static bool is_written(const json_t *value, const char *expected)
{
    char *found = json_text(value, JSON_ENCODE_ANY);
    bool same = found && strcmp(found, expected) == 0;
    free(found);
    return same;
}

/* Fail for a key that has another value than the family's only one. */
static int check_fixed(const struct family *f, const struct config *c,
                       struct error *e)
{
    for (size_t i = 0; i < MAX_FIXED_KEYS && f->fixed[i].key; i++) {
        struct node n = node_member(&c->text, f->fixed[i].key);
        if (node_has(&n) && !is_written(n.value, f->fixed[i].value))
            return fail_value(&n, f->fixed[i].value, e);
    }
    return 0;
}

/* In a model that also sees or hears, the part that is about texts stands in
 * an object of its own: check what is beside it. */
static int check_outer(const struct family *f, const struct config *c,
                       struct error *e)
{
    const char *const lists[] = {"architectures model_type text_config "
                                 "tie_word_embeddings bos_token_id "
                                 "eos_token_id",
                                 harmless_keys, f->outer_keys};
    bool inside = c->text.value != c->root.value;
    if (inside != (f->outer_keys != NULL))
        return node_fail(&c->text, ERROR_UNSUPPORTED, e,
                         "a %s %s other parts beside the one for texts",
                         f->architecture, inside ? "has no" : "has");
    if (!inside)
        return 0;
    return keys_check(&c->root, lists, 3, f->model_type, f->architecture, e) ||
                   check_type(&c->root, f->outer_type, f->architecture, e)
               ? -1
               : 0;
}

/* Check that each key there is one that somebody reads, and that those are
 * there which must be. */
static int check_keys(const struct family *f, const struct config *c,
                      struct error *e)
{
    const char *lists[4 + MAX_FIXED_KEYS] = {
        common_keys, harmless_keys, f->keys, f->zero_key ? f->zero_key : ""};
    size_t n_lists = 4;
    for (size_t i = 0; i < MAX_FIXED_KEYS && f->fixed[i].key; i++)
        lists[n_lists++] = f->fixed[i].key;
    if (check_outer(f, c, e) || check_lacking(f, c, e) ||
        check_required(f, c, e) || check_zero(f, c, e) || check_fixed(f, c, e))
        return -1;
    return keys_check(&c->text, lists, n_lists, f->model_type, f->architecture,
                      e);
}

const struct family *family_named(const struct config *c, struct error *e)
{
    const struct family *f = find_row(c);
    struct node names = node_member(&c->root, "architectures");
    if (!f)
        node_fail(&names, ERROR_UNSUPPORTED, e,
                  "this program knows no model \"%s\"",
                  *c->architecture ? c->architecture : c->model_type);
    return f;
}

const struct family *family_find(const struct config *c, struct error *e)
{
    const struct family *f = family_named(c, e);
    if (!f || check_type(&c->text, f->model_type, f->architecture, e) ||
        check_keys(f, c, e))
        return NULL;
    return f;
}
