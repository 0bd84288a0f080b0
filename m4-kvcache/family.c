/* Families of models: see family.h.  The only file that knows their names. */
#include "family.h"

#include "keys.h"

#include <string.h>

/* Llama's names, which most others have, too. */
#define LLAMA_NAMES                                                           \
    .embedding = "embed_tokens", .norm = "norm", .head = "lm_head",           \
    .q = "self_attn.q_proj", .k = "self_attn.k_proj",                         \
    .v = "self_attn.v_proj", .o = "self_attn.o_proj",                         \
    .gate = "mlp.gate_proj", .up = "mlp.up_proj", .down = "mlp.down_proj"

static const struct weight_names llama_names = {
    LLAMA_NAMES,
    .mix_norm = "input_layernorm",
    .feed_norm = "post_attention_layernorm",
};

/* Norms before and after each half. */
static const struct weight_names gemma_names = {
    LLAMA_NAMES,
    .mix_norm = "input_layernorm",
    .mix_after = "post_attention_layernorm",
    .feed_norm = "pre_feedforward_layernorm",
    .feed_after = "post_feedforward_layernorm",
};

/* Gate and up share a tensor. */
static const struct weight_names glm4_names = {
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

/* Norms only after each half. */
static const struct weight_names olmo2_names = {
    LLAMA_NAMES,
    .mix_after = "post_attention_layernorm",
    .feed_after = "post_feedforward_layernorm",
};

static const struct weight_names phi3_names = {
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

/* No gate. */
static const struct weight_names starcoder2_names = {
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

/* No gate; queries, keys and values take turns, head by head. */
static const struct weight_names neox_names = {
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
};

static const struct family families[] = {
    {.architecture = "LlamaForCausalLM",
     .model_type = "llama",
     .keys = "attention_bias mlp_bias",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias"},
    {.architecture = "MistralForCausalLM",
     .model_type = "mistral",
     .said = "num_key_value_heads",
     .keys = "sliding_window",
     .names = &llama_names,
     .norm = NORM_RMS,
     .windows = WINDOW_ALL,
     .window = 4096},
    {.architecture = "Qwen2ForCausalLM",
     .model_type = "qwen2",
     .said = "num_key_value_heads",
     .keys = "use_sliding_window sliding_window max_window_layers layer_types",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "always",
     .windows = WINDOW_UPPER,
     .window = 4096},
    {.architecture = "Qwen3ForCausalLM",
     .model_type = "qwen3",
     .said = "num_key_value_heads",
     .keys = "use_sliding_window sliding_window max_window_layers layer_types "
             "attention_bias",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .qk_norm = QK_NORM_HEAD,
     .windows = WINDOW_UPPER,
     .window = 4096},
    {.architecture = "SmolLM3ForCausalLM",
     .model_type = "smollm3",
     .said = "num_key_value_heads",
     .keys = "attention_bias mlp_bias use_sliding_window sliding_window "
             "layer_types no_rope_layers no_rope_layer_interval",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias",
     .windows = WINDOW_UNTURNED,
     .thetas = {2000000},
     .tied = true},
    {.architecture = "Gemma2ForCausalLM",
     .model_type = "gemma2",
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "query_pre_attn_scalar attn_logit_softcapping "
             "final_logit_softcapping cache_implementation",
     .names = &gemma_names,
     .norm = NORM_RMS,
     .norm_offset = 1,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .activation_key = "hidden_activation",
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_MOST,
     .window = 4096,
     .full_every = 2,
     .scale_embedding = true,
     .score_cap = 50,
     .logit_cap = 30,
     .said = "num_key_value_heads head_dim",
     .tied = true},
    {.architecture = "Gemma3ForCausalLM",
     .model_type = "gemma3_text",
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "sliding_window_pattern query_pre_attn_scalar "
             "final_logit_softcapping rope_local_base_freq "
             "cache_implementation",
     .names = &gemma_names,
     .norm = NORM_RMS,
     .norm_offset = 1,
     .qk_norm = QK_NORM_HEAD,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .activation_key = "hidden_activation",
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_MOST,
     .window = 4096,
     .full_every = 6,
     .two_ropes = true,
     .theta_keys = {NULL, "rope_local_base_freq"},
     .thetas = {1000000, 10000},
     .scale_embedding = true,
     .said = "num_key_value_heads head_dim",
     .tied = true},
    {.architecture = "Gemma3ForConditionalGeneration",
     .model_type = "gemma3_text",
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "sliding_window_pattern query_pre_attn_scalar "
             "rope_local_base_freq cache_implementation",
     .outer_type = "gemma3",
     .outer_keys = "vision_config boi_token_index eoi_token_index "
                   "image_token_index mm_tokens_per_image",
     .others = "vision_tower. multi_modal_projector. model.vision_tower. "
               "model.multi_modal_projector.",
     .names = &gemma_names,
     .norm = NORM_RMS,
     .norm_offset = 1,
     .qk_norm = QK_NORM_HEAD,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .activation_key = "hidden_activation",
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_MOST,
     .window = 4096,
     .full_every = 6,
     .two_ropes = true,
     .theta_keys = {NULL, "rope_local_base_freq"},
     .thetas = {1000000, 10000},
     .scale_embedding = true,
     .said = "num_key_value_heads head_dim",
     .tied = true},
    {.architecture = "Gemma4ForCausalLM",
     .model_type = "gemma4_text",
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "final_logit_softcapping global_head_dim attention_k_eq_v "
             "num_global_key_value_heads per_layer_config "
             "vocab_size_per_layer_input",
     .zero_key = "hidden_size_per_layer_input",
     .zero_if_there = "num_kv_shared_layers",
     .names = &gemma_names,
     .norm = NORM_RMS,
     .qk_norm = QK_NORM_HEAD,
     .v_norm = true,
     .layer_scale = true,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .activation_key = "hidden_activation",
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_MOST,
     .window = 512,
     .full_every = 6,
     .last_is_full = true,
     .two_ropes = true,
     .thetas = {-1, -1},
     .scalings = "default linear llama3 yarn dynamic proportional",
     .scale_embedding = true,
     .plain_scores = true,
     .said = "num_key_value_heads head_dim",
     .tied = true},
    {.architecture = "Gemma4ForConditionalGeneration",
     .model_type = "gemma4_text",
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "final_logit_softcapping global_head_dim attention_k_eq_v "
             "num_global_key_value_heads per_layer_config "
             "vocab_size_per_layer_input",
     .zero_key = "hidden_size_per_layer_input",
     .zero_if_there = "num_kv_shared_layers",
     .outer_type = "gemma4",
     .outer_keys = "vision_config audio_config audio_token_id boa_token_id "
                   "boi_token_id eoa_token_id eoa_token_index eoi_token_id "
                   "image_token_id video_token_id "
                   "vision_soft_tokens_per_image",
     .others = "model.vision_tower. model.embed_vision. model.audio_tower. "
               "model.embed_audio.",
     .names = &gemma_names,
     .norm = NORM_RMS,
     .qk_norm = QK_NORM_HEAD,
     .v_norm = true,
     .layer_scale = true,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .activation_key = "hidden_activation",
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_MOST,
     .window = 512,
     .full_every = 6,
     .last_is_full = true,
     .two_ropes = true,
     .thetas = {-1, -1},
     .scalings = "default linear llama3 yarn dynamic proportional",
     .scale_embedding = true,
     .plain_scores = true,
     .said = "num_key_value_heads head_dim",
     .tied = true},
    {.architecture = "Glm4ForCausalLM",
     .model_type = "glm4",
     .keys = "attention_bias partial_rotary_factor",
     .names = &glm4_names,
     .norm = NORM_RMS,
     .eps = 0.00000015625,
     .qkv_bias = "attention_bias",
     .biased = true,
     .neighbours = true,
     .fraction = 0.5,
     .said = "num_key_value_heads head_dim"},
    {.architecture = "GraniteForCausalLM",
     .model_type = "granite",
     .keys = "attention_bias mlp_bias embedding_multiplier "
             "residual_multiplier attention_multiplier logits_scaling",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias"},
    {.architecture = "Olmo2ForCausalLM",
     .model_type = "olmo2",
     .keys = "attention_bias",
     .names = &olmo2_names,
     .norm = NORM_RMS,
     .eps = 1e-5,
     .qk_norm = QK_NORM_ALL,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias"},
    {.architecture = "Phi3ForCausalLM",
     .model_type = "phi3",
     .keys = "sliding_window partial_rotary_factor "
             "original_max_position_embeddings resid_pdrop embd_pdrop",
     .names = &phi3_names,
     .norm = NORM_RMS,
     .eps = 1e-5,
     .windows = WINDOW_ALL,
     .fraction = 1,
     .scalings = "default longrope"},
    {.architecture = "Starcoder2ForCausalLM",
     .model_type = "starcoder2",
     .said = "num_key_value_heads",
     .keys = "use_bias sliding_window norm_epsilon residual_dropout "
             "embedding_dropout",
     .names = &starcoder2_names,
     .norm = NORM_LAYER,
     .eps_key = "norm_epsilon",
     .eps = 1e-5,
     .qkv_bias = "use_bias",
     .o_bias = "use_bias",
     .mlp_bias = "use_bias",
     .biased = true,
     .activation = "gelu_pytorch_tanh",
     .windows = WINDOW_ALL,
     .tied = true},
    {.architecture = "GPTNeoXForCausalLM",
     .model_type = "gpt_neox",
     .keys = "attention_bias use_parallel_residual layer_norm_eps "
             "rotary_emb_base rotary_pct hidden_dropout classifier_dropout",
     .names = &neox_names,
     .norm = NORM_LAYER,
     .eps_key = "layer_norm_eps",
     .eps = 1e-5,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "always",
     .biased = true,
     .activation = "gelu",
     .theta_keys = {"rotary_emb_base"},
     .fraction_key = "rotary_pct",
     .fraction = 0.25,
     .interleaved_qkv = true},
};

static const size_t n_families = sizeof families / sizeof families[0];

bool family_reads(const struct family *f, const char *key)
{
    return words_have(f->keys, key);
}

const struct family *family_row(size_t i)
{
    return i < n_families ? &families[i] : NULL;
}
