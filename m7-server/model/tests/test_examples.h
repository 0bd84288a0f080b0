/* For the tests of binding: models of one layer, of families that name and
 * place their tensors otherwise than a Llama. */
#ifndef TEST_EXAMPLES_H
#define TEST_EXAMPLES_H

#include "test_model_files.h"

/* What config.json has in place of the small one's, and all its tensors. */
struct example {
    const struct change *config;
    size_t n_config;
    const struct change *tensors;
    size_t n_tensors;
};

enum example_sizes {
    MOST_TENSORS = 24,
    NONE_MISSING = MOST_TENSORS
};

static inline bool has(const struct change *changes, size_t n,
                       const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(changes[i].name, name) == 0)
            return true;
    return false;
}

/* Write an example's files, without tensor number `missing` if there is such a
 * one. */
static inline void write_example(const struct example *x, size_t missing)
{
    struct change changes[MOST_TENSORS + N_TENSORS];
    size_t n = 0;
    for (size_t i = 0; i < x->n_tensors; i++)
        if (i != missing)
            changes[n++] = x->tensors[i];
    for (size_t i = 0; i < N_TENSORS; i++)
        if (!has(changes, n, small_tensors[i].key))
            changes[n++] = (struct change){small_tensors[i].key, NULL};
    write_small_config(x->config, x->n_config);
    write_small_weights(changes, n, "F32");
}

#define L "model.layers.0."

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* Norms around both halves, of queries and of keys; keys that are values; a
 * scale. */
static const struct change gemma4_config[] = {
    {"architectures", "[\"Gemma4ForCausalLM\"]"},
    {"model_type", "\"gemma4_text\""},
    {"num_key_value_heads", "2"},
    {"head_dim", "4"},
    {"global_head_dim", "4"},
    {"num_global_key_value_heads", "1"},
    {"attention_k_eq_v", "true"},
    {"tie_word_embeddings", "false"},
    {"hidden_size_per_layer_input", "0"},
    {"rope_parameters", "{\"full_attention\": {\"rope_theta\": 100}, "
                        "\"sliding_attention\": {\"rope_theta\": 100}}"}};

static const struct change gemma4_tensors[] = {
    {"model.embed_tokens.weight", "[5, 8]"},
    {"model.norm.weight", "[8]"},
    {"lm_head.weight", "[5, 8]"},
    {L "input_layernorm.weight", "[8]"},
    {L "self_attn.q_proj.weight", "[8, 8]"},
    {L "self_attn.k_proj.weight", "[4, 8]"},
    {L "self_attn.o_proj.weight", "[8, 8]"},
    {L "self_attn.q_norm.weight", "[4]"},
    {L "self_attn.k_norm.weight", "[4]"},
    {L "post_attention_layernorm.weight", "[8]"},
    {L "pre_feedforward_layernorm.weight", "[8]"},
    {L "mlp.gate_proj.weight", "[6, 8]"},
    {L "mlp.up_proj.weight", "[6, 8]"},
    {L "mlp.down_proj.weight", "[8, 6]"},
    {L "post_feedforward_layernorm.weight", "[8]"},
    {L "layer_scalar", "[1]"}};

static const struct example gemma4 = {gemma4_config, N_OF(gemma4_config),
                                      gemma4_tensors, N_OF(gemma4_tensors)};

/* Biases everywhere, and no gate. */
static const struct change starcoder2_config[] = {
    {"architectures", "[\"Starcoder2ForCausalLM\"]"},
    {"model_type", "\"starcoder2\""},
    {"tie_word_embeddings", "false"}};

static const struct change starcoder2_tensors[] = {
    {"model.embed_tokens.weight", "[5, 8]"},
    {"model.norm.weight", "[8]"},
    {"model.norm.bias", "[8]"},
    {"lm_head.weight", "[5, 8]"},
    {L "input_layernorm.weight", "[8]"},
    {L "input_layernorm.bias", "[8]"},
    {L "self_attn.q_proj.weight", "[8, 8]"},
    {L "self_attn.q_proj.bias", "[8]"},
    {L "self_attn.k_proj.weight", "[4, 8]"},
    {L "self_attn.k_proj.bias", "[4]"},
    {L "self_attn.v_proj.weight", "[4, 8]"},
    {L "self_attn.v_proj.bias", "[4]"},
    {L "self_attn.o_proj.weight", "[8, 8]"},
    {L "self_attn.o_proj.bias", "[8]"},
    {L "post_attention_layernorm.weight", "[8]"},
    {L "post_attention_layernorm.bias", "[8]"},
    {L "mlp.c_fc.weight", "[6, 8]"},
    {L "mlp.c_fc.bias", "[6]"},
    {L "mlp.c_proj.weight", "[8, 6]"},
    {L "mlp.c_proj.bias", "[8]"}};

static const struct example starcoder2 = {
    starcoder2_config, N_OF(starcoder2_config), starcoder2_tensors,
    N_OF(starcoder2_tensors)};

/* Queries, keys and values one below the other; gate and up, too. */
static const struct change phi3_config[] = {
    {"architectures", "[\"Phi3ForCausalLM\"]"}, {"model_type", "\"phi3\""}};

static const struct change phi3_tensors[] = {
    {"model.embed_tokens.weight", "[5, 8]"},
    {"model.norm.weight", "[8]"},
    {"lm_head.weight", "[5, 8]"},
    {L "input_layernorm.weight", "[8]"},
    {L "self_attn.qkv_proj.weight", "[16, 8]"},
    {L "self_attn.o_proj.weight", "[8, 8]"},
    {L "post_attention_layernorm.weight", "[8]"},
    {L "mlp.gate_up_proj.weight", "[12, 8]"},
    {L "mlp.down_proj.weight", "[8, 6]"}};

static const struct example phi3 = {phi3_config, N_OF(phi3_config),
                                    phi3_tensors, N_OF(phi3_tensors)};

/* Queries, keys and values in turn, head by head. */
static const struct change neox_config[] = {
    {"architectures", "[\"GPTNeoXForCausalLM\"]"},
    {"model_type", "\"gpt_neox\""},
    {"num_key_value_heads", NULL},
    {"rotary_pct", "0.5"}};

#define G "gpt_neox.layers.0."

static const struct change neox_tensors[] = {
    {"gpt_neox.embed_in.weight", "[5, 8]"},
    {"gpt_neox.final_layer_norm.weight", "[8]"},
    {"gpt_neox.final_layer_norm.bias", "[8]"},
    {"embed_out.weight", "[5, 8]"},
    {G "input_layernorm.weight", "[8]"},
    {G "input_layernorm.bias", "[8]"},
    {G "attention.query_key_value.weight", "[24, 8]"},
    {G "attention.query_key_value.bias", "[24]"},
    {G "attention.dense.weight", "[8, 8]"},
    {G "attention.dense.bias", "[8]"},
    {G "post_attention_layernorm.weight", "[8]"},
    {G "post_attention_layernorm.bias", "[8]"},
    {G "mlp.dense_h_to_4h.weight", "[6, 8]"},
    {G "mlp.dense_h_to_4h.bias", "[6]"},
    {G "mlp.dense_4h_to_h.weight", "[8, 6]"},
    {G "mlp.dense_4h_to_h.bias", "[8]"}};

static const struct example neox = {neox_config, N_OF(neox_config),
                                    neox_tensors, N_OF(neox_tensors)};

#endif
