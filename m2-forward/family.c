/* Families of models: see family.h.  The only file that knows their names. */
#include "family.h"

#include "keys.h"

#include <string.h>

static const struct family families[] = {
    {.architecture = "LlamaForCausalLM",
     .model_type = "llama",
     .keys = "attention_bias mlp_bias",
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias"},
    {.architecture = "MistralForCausalLM",
     .model_type = "mistral",
     .keys = "sliding_window",
     .windows = WINDOW_ALL},
    {.architecture = "Qwen2ForCausalLM",
     .model_type = "qwen2",
     .keys = "use_sliding_window sliding_window max_window_layers layer_types",
     .qkv_bias = "always",
     .windows = WINDOW_UPPER},
    {.architecture = "Qwen3ForCausalLM",
     .model_type = "qwen3",
     .keys = "use_sliding_window sliding_window max_window_layers layer_types "
             "attention_bias",
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .qk_norm = true,
     .windows = WINDOW_UPPER},
};

static const size_t n_families = sizeof families / sizeof families[0];

/* Keys that every family reads. */
static const char common_keys[] =
    "architectures model_type vocab_size hidden_size intermediate_size "
    "num_hidden_layers num_attention_heads num_key_value_heads head_dim "
    "max_position_embeddings tie_word_embeddings bos_token_id eos_token_id "
    "hidden_act rms_norm_eps rope_theta rope_scaling rope_parameters";

/* Keys that say how a model was trained or stored, or how others run it; the
 * numbers that it computes do not depend on them. */
static const char harmless_keys[] =
    "dtype torch_dtype transformers_version use_cache pad_token_id "
    "initializer_range attention_dropout pretraining_tp is_llama_config";

/* The row whose architecture, or where config.json names none, whose
 * model_type is the model's. */
static const struct family *find_row(const struct config *c)
{
    for (size_t i = 0; i < n_families; i++) {
        const struct family *f = &families[i];
        const char *named = *c->architecture ? c->architecture : c->model_type;
        const char *own = *c->architecture ? f->architecture : f->model_type;
        if (strcmp(named, own) == 0)
            return f;
    }
    return NULL;
}

const struct family *family_find(const struct config *c, struct error *e)
{
    const struct family *f = find_row(c);
    struct node names = node_member(&c->root, "architectures");
    struct node type = node_member(&c->text, "model_type");
    if (!f) {
        node_fail(&names, ERROR_UNSUPPORTED, e,
                  "this program knows no model \"%s\"",
                  *c->architecture ? c->architecture : c->model_type);
        return NULL;
    }
    if (strcmp(c->model_type, f->model_type) != 0) {
        node_fail(&type, ERROR_INPUT, e,
                  "found \"%s\", but a %s is of type \"%s\"", c->model_type,
                  f->architecture, f->model_type);
        return NULL;
    }
    const char *const lists[] = {common_keys, harmless_keys, f->keys};
    return keys_check(&c->text, lists, 3, f->architecture, e) ? NULL : f;
}
