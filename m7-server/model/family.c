/* Families of models: see family.h.  Knows them by name, as only silence.c
 * does beside it; what their weights are called is in family_names.c. */
#include "family.h"

#include "keys.h"

static const struct family families[] = {
    /* Llama 2 and 3, SmolLM2 and many more: no switch is on. */
    {.architecture = "LlamaForCausalLM",
     .model_type = "llama",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias",
     .keys = "attention_bias mlp_bias"},

    /* Jiang et al. 2023. */
    {.architecture = "MistralForCausalLM",
     .model_type = "mistral",
     .names = &llama_names,
     .norm = NORM_RMS,
     .windows = WINDOW_ALL,
     .window = 4096,
     .keys = "sliding_window",
     .required = "num_key_value_heads"},

    {.architecture = "Mistral3ForConditionalGeneration",
     .model_type = "mistral",
     .outer_type = "mistral3",
     .outer_keys = "vision_config image_token_index multimodal_projector_bias "
                   "projector_hidden_act spatial_merge_size "
                   "vision_feature_layer",
     .other_tensors =
         "vision_tower. multi_modal_projector. model.vision_tower. "
         "model.multi_modal_projector.",
     .names = &llama_names,
     .norm = NORM_RMS,
     .windows = WINDOW_ALL,
     .window = 4096,
     .keys = "sliding_window",
     .required = "num_key_value_heads"},

    /* Qwen 2 and 2.5: Yang et al. 2024. */
    {.architecture = "Qwen2ForCausalLM",
     .model_type = "qwen2",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "always",
     .windows = WINDOW_UPPER,
     .window = 4096,
     .keys = "use_sliding_window sliding_window max_window_layers layer_types",
     .required = "num_key_value_heads"},

    /* Qwen 3, Qwen3-Embedding, the reading model: Yang et al. 2025. */
    {.architecture = "Qwen3ForCausalLM",
     .model_type = "qwen3",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qk_norm = QK_NORM_HEAD,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .windows = WINDOW_UPPER,
     .window = 4096,
     .keys = "use_sliding_window sliding_window max_window_layers layer_types "
             "attention_bias",
     .required = "num_key_value_heads"},

    /* Every fourth layer does not turn: Yang et al. 2025, "RoPE to NoPE". */
    {.architecture = "SmolLM3ForCausalLM",
     .model_type = "smollm3",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias",
     .windows = WINDOW_UNTURNED,
     .thetas = {2000000},
     .keys = "attention_bias mlp_bias use_sliding_window sliding_window "
             "max_window_layers layer_types no_rope_layers "
             "no_rope_layer_interval",
     .required = "num_key_value_heads"},

    /* Gemma Team 2024. */
    {.architecture = "Gemma2ForCausalLM",
     .model_type = "gemma2",
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
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "query_pre_attn_scalar attn_logit_softcapping "
             "final_logit_softcapping",
     .required = "num_key_value_heads head_dim"},

    /* Gemma Team 2025.  What is required may be absent all the same: silence.c
     * has filled it in; null it may not be. */
    {.architecture = "Gemma3ForCausalLM",
     .model_type = "gemma3_text",
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
     .scalings = "default linear llama3 yarn dynamic",
     .scale_embedding = true,
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "sliding_window_pattern query_pre_attn_scalar "
             "final_logit_softcapping rope_local_base_freq",
     .required = "num_key_value_heads head_dim"},
    {.architecture = "Gemma3ForConditionalGeneration",
     .model_type = "gemma3_text",
     .outer_type = "gemma3",
     .outer_keys = "vision_config boi_token_index eoi_token_index "
                   "image_token_index mm_tokens_per_image",
     .other_tensors =
         "vision_tower. multi_modal_projector. model.vision_tower. "
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
     .scalings = "default linear llama3 yarn dynamic",
     .scale_embedding = true,
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "sliding_window_pattern query_pre_attn_scalar "
             "rope_local_base_freq",
     .required = "num_key_value_heads head_dim"},

    /* Its dense models. */
    {.architecture = "Gemma4ForCausalLM",
     .model_type = "gemma4_text",
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
     .scalings = "default linear llama3 yarn dynamic proportional",
     .scale_embedding = true,
     .plain_scores = true,
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "final_logit_softcapping global_head_dim attention_k_eq_v "
             "num_global_key_value_heads per_layer_config "
             "vocab_size_per_layer_input",
     .lacks = "rope_theta rope_scaling",
     .required = "num_key_value_heads head_dim rope_parameters",
     .zero_key = "hidden_size_per_layer_input",
     .fixed = {{"num_kv_shared_layers", "0"},
               {"use_bidirectional_attention", "\"vision\""}}},
    {.architecture = "Gemma4ForConditionalGeneration",
     .model_type = "gemma4_text",
     .outer_type = "gemma4",
     .outer_keys = "vision_config audio_config audio_token_id boa_token_id "
                   "boi_token_id eoa_token_id eoa_token_index eoi_token_id "
                   "image_token_id video_token_id "
                   "vision_soft_tokens_per_image",
     .other_tensors =
         "model.vision_tower. model.embed_vision. model.audio_tower. "
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
     .scalings = "default linear llama3 yarn dynamic proportional",
     .scale_embedding = true,
     .plain_scores = true,
     .keys = "attention_bias hidden_activation sliding_window layer_types "
             "final_logit_softcapping global_head_dim attention_k_eq_v "
             "num_global_key_value_heads per_layer_config "
             "vocab_size_per_layer_input",
     .lacks = "rope_theta rope_scaling",
     .required = "num_key_value_heads head_dim rope_parameters",
     .zero_key = "hidden_size_per_layer_input",
     .fixed = {{"num_kv_shared_layers", "0"},
               {"use_bidirectional_attention", "\"vision\""}}},

    /* GLM-4-0414. */
    {.architecture = "Glm4ForCausalLM",
     .model_type = "glm4",
     .names = &glm4_names,
     .norm = NORM_RMS,
     .eps = 0.00000015625,
     .qkv_bias = "attention_bias",
     .biased = true,
     .neighbours = true,
     .fraction = 0.5,
     .keys = "attention_bias partial_rotary_factor",
     .required = "num_key_value_heads head_dim"},

    /* Granite 3: four multipliers. */
    {.architecture = "GraniteForCausalLM",
     .model_type = "granite",
     .names = &llama_names,
     .norm = NORM_RMS,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .mlp_bias = "mlp_bias",
     .keys = "attention_bias mlp_bias embedding_multiplier "
             "residual_multiplier attention_multiplier logits_scaling"},

    /* Queries and keys are normalized when they have turned. */
    {.architecture = "HunYuanDenseV1ForCausalLM",
     .model_type = "hunyuan_v1_dense",
     .names = &hunyuan_names,
     .norm = NORM_RMS,
     .eps = 1e-5,
     .qk_norm = QK_NORM_TURNED,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .scalings = "default linear llama3 yarn longrope dynamic alpha",
     .keys = "attention_bias eod_token_id",
     .required = "head_dim",
     .fixed = {{"use_qk_norm", "true"},
               {"use_rotary_pos_emb", "true"},
               {"norm_type", "\"rms\""},
               {"num_experts", "1"},
               {"class_num", "0"}}},

    /* A Llama in files of another kind: Cai et al. 2024. */
    {.architecture = "InternLM2ForCausalLM",
     .model_type = "internlm2",
     .names = &internlm2_names,
     .norm = NORM_RMS,
     .qkv_bias = "bias",
     .o_bias = "bias",
     .biased = true,
     .scalings = "default linear dynamic",
     .interleaved_qkv = true,
     .keys = "bias",
     .lacks = "head_dim rope_parameters",
     .fixed = {{"attn_implementation", "\"eager\""}}},

    /* Norms only behind each half: OLMo Team 2025. */
    {.architecture = "Olmo2ForCausalLM",
     .model_type = "olmo2",
     .names = &olmo2_names,
     .norm = NORM_RMS,
     .eps = 1e-5,
     .qk_norm = QK_NORM_ALL,
     .qkv_bias = "attention_bias",
     .o_bias = "attention_bias",
     .keys = "attention_bias"},

    /* Phi-3 and Phi-4-mini: Abdin et al. 2024. */
    {.architecture = "Phi3ForCausalLM",
     .model_type = "phi3",
     .names = &phi3_names,
     .norm = NORM_RMS,
     .eps = 1e-5,
     .windows = WINDOW_ALL,
     .fraction = 1,
     .scalings = "default longrope",
     .keys = "sliding_window partial_rotary_factor "
             "original_max_position_embeddings resid_pdrop embd_pdrop"},

    /* No Llama: LayerNorm, biases, a plain MLP (Lozhkov et al. 2024). */
    {.architecture = "Starcoder2ForCausalLM",
     .model_type = "starcoder2",
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
     .keys = "use_bias sliding_window norm_epsilon residual_dropout "
             "embedding_dropout",
     .required = "num_key_value_heads"},

    /* Both halves read the same input: Black et al. 2022; also Pythia. */
    {.architecture = "GPTNeoXForCausalLM",
     .model_type = "gpt_neox",
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
     .interleaved_qkv = true,
     .keys = "attention_bias use_parallel_residual layer_norm_eps "
             "rotary_emb_base rotary_pct",
     .lacks = "num_key_value_heads head_dim"},
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
