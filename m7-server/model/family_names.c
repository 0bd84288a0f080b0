/* What families call their weights: see family_names.h. */
#include "family_names.h"

const struct weight_names llama_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .q_norm = "self_attn.q_norm",
    .k_norm = "self_attn.k_norm",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
};

const struct weight_names hunyuan_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .q_norm = "self_attn.query_layernorm",
    .k_norm = "self_attn.key_layernorm",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
};

const struct weight_names gemma_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .q_norm = "self_attn.q_norm",
    .k_norm = "self_attn.k_norm",
    .mix_after = "post_attention_layernorm",
    .feed_norm = "pre_feedforward_layernorm",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
    .feed_after = "post_feedforward_layernorm",
};

const struct weight_names glm4_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .mix_after = "post_self_attn_layernorm",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.gate_up_proj",
    .up = "mlp.gate_up_proj",
    .down = "mlp.down_proj",
    .feed_after = "post_mlp_layernorm",
};

const struct weight_names internlm2_names = {
    .embedding = "tok_embeddings",
    .norm = "norm",
    .head = "output",
    .mix_norm = "attention_norm",
    .q = "attention.wqkv",
    .k = "attention.wqkv",
    .v = "attention.wqkv",
    .o = "attention.wo",
    .feed_norm = "ffn_norm",
    .gate = "feed_forward.w1",
    .up = "feed_forward.w3",
    .down = "feed_forward.w2",
};

const struct weight_names olmo2_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .q_norm = "self_attn.q_norm",
    .k_norm = "self_attn.k_norm",
    .mix_after = "post_attention_layernorm",
    .gate = "mlp.gate_proj",
    .up = "mlp.up_proj",
    .down = "mlp.down_proj",
    .feed_after = "post_feedforward_layernorm",
};

const struct weight_names phi3_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.qkv_proj",
    .k = "self_attn.qkv_proj",
    .v = "self_attn.qkv_proj",
    .o = "self_attn.o_proj",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.gate_up_proj",
    .up = "mlp.gate_up_proj",
    .down = "mlp.down_proj",
};

/* Without a gate, the first matrix takes its place. */
const struct weight_names starcoder2_names = {
    .embedding = "embed_tokens",
    .norm = "norm",
    .head = "lm_head",
    .mix_norm = "input_layernorm",
    .q = "self_attn.q_proj",
    .k = "self_attn.k_proj",
    .v = "self_attn.v_proj",
    .o = "self_attn.o_proj",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.c_fc",
    .down = "mlp.c_proj",
};

const struct weight_names neox_names = {
    .embedding = "embed_in",
    .norm = "final_layer_norm",
    .head = "embed_out",
    .mix_norm = "input_layernorm",
    .q = "attention.query_key_value",
    .k = "attention.query_key_value",
    .v = "attention.query_key_value",
    .o = "attention.dense",
    .feed_norm = "post_attention_layernorm",
    .gate = "mlp.dense_h_to_4h",
    .down = "mlp.dense_4h_to_h",
    .mask = "attention.bias",
    .mask_value = "attention.masked_bias",
};
