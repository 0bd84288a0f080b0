/* Which keys transformers 5.17.0 reads: see read_keys.h.  Made from its
 * source by tests/oracle/forward/families_keys.py, which says what counts as
 * read. */
#include "read_keys.h"

#include "keys.h"

#include <string.h>

/* Whatever the family. */
static const char by_all[] =
    "AutoConfig _attn_implementation _attn_implementation_internal "
    "_attn_was_changed _auto_class _commit_hash _config _configuration_file "
    "_data _experts_implementation _experts_implementation_internal "
    "_extra_content _from_auto _from_pipeline _heterogeneity_spec "
    "_initialized _is_quantized _mapping _modules _name_or_path "
    "_output_attentions _rope_type_labels "
    "allow_global_per_layer_attribute_access architectures "
    "attention_chunk_size attention_dropout attention_factor "
    "attention_scaling attn_implementation attribute_map auto_map "
    "base_config_key base_model_ep_plan base_model_fsdp_plan "
    "base_model_name_or_path base_model_pp_plan base_model_tp_plan "
    "beta_fast beta_slow bos_token_id cache_dir chain_hidden_post_norm "
    "chunk_size_feed_forward classifier_dropout code_revision "
    "commit_message compile_config config configuration_files decoder "
    "default_rope_type default_theta device_map device_mesh disable_mmap "
    "disk disk_offload_folder distributed_config dtype dtype_plan embed_dim "
    "encoder eos_token_id experts_implementation "
    "explicit_per_layer_attributes factor features_only "
    "first_k_dense_replace force_download fusion_config gguf_file "
    "gradient_checkpointing has_no_defaults_at_init head_dim hf_quantizer "
    "hidden_dropout hidden_size high_freq_factor id2label "
    "ignore_keys_at_rope_validation ignore_mismatched_sizes in_channels inf "
    "inherit_mapping init_std initializer_factor initializer_range "
    "is_causal is_encoder_decoder is_heterogeneous is_quantized "
    "kernel_mapping keys_to_ignore_at_inference label2id layer_type "
    "layer_types linear_attention local_files_only "
    "logits_mup_width_multiplier long_factor low_freq_factor "
    "max_position_embeddings max_seq_len_cached mlp_layer_types model_type "
    "mscale mscale_all_dim mtp_hidden_states_first mtp_layer_types "
    "mtp_mlp_layer_types mtp_per_layer_config name_or_path norm "
    "num_attention_heads num_channels num_heads num_hidden_layers "
    "num_kv_shared_layers num_labels num_mtp_layers number_of_conv_states "
    "offload_buffers original_inv_freq original_max_position_embeddings "
    "original_max_seq_len out_indices output_attentions "
    "output_hidden_states pad_token_id partial_rotary_factor patch_size "
    "per_layer_attributes per_layer_config per_layer_overrides "
    "pretrained_cfg pretrained_model_name_or_path problem_type proxies "
    "push_to_hub quant_method quantization_config repo_id return_dict "
    "return_unused_kwargs revision rms_norm_eps rope_parameters "
    "rope_scaling rope_theta rope_type sep_token_id "
    "serialize_explicit_per_layer_config setter sharded_metadata "
    "short_factor skip sliding_window sub_configs subfolder "
    "temporal_patch_size text_config text_encoder tie_word_embeddings token "
    "token_classification_bias torch_dtype transformers_version "
    "transformers_weights truncate trust_remote_code type "
    "unpadded_vocab_size use_cache use_local_kernel use_return_dict "
    "validate vision_config vocab_size weight_mapping weights_only";

struct reader {
    const char *model_type, *keys;
};

static const struct reader readers[] = {
    {.model_type = "llama",
     .keys = "attention_bias hidden_act intermediate_size layers mlp_bias "
             "num_key_value_groups num_key_value_heads pretraining_tp "
             "scaling self_attn"},
    {.model_type = "mistral",
     .keys = "hidden_act image_token_id image_token_index intermediate_size "
             "is_composition layers mistral multimodal_projector_bias "
             "num_key_value_groups num_key_value_heads pixtral "
             "projector_hidden_act scaling self_attn spatial_merge_size "
             "vision_feature_layer"},
    {.model_type = "qwen2",
     .keys = "hidden_act intermediate_size layers max_window_layers "
             "num_key_value_groups num_key_value_heads scaling self_attn "
             "use_sliding_window"},
    {.model_type = "qwen3",
     .keys = "attention_bias hidden_act intermediate_size layers "
             "max_window_layers num_key_value_groups num_key_value_heads "
             "scaling self_attn use_sliding_window"},
    {.model_type = "smollm3",
     .keys = "attention_bias hidden_act intermediate_size layers mlp_bias "
             "no_rope_layer_interval no_rope_layers num_key_value_groups "
             "num_key_value_heads scaling self_attn use_sliding_window"},
    {.model_type = "gemma2",
     .keys = "attention_bias attn_logit_softcapping eps "
             "final_logit_softcapping hidden_activation intermediate_size "
             "layers num_key_value_groups num_key_value_heads "
             "query_pre_attn_scalar scaling self_attn "
             "use_bidirectional_attention"},
    {.model_type = "gemma3_text",
     .keys = "_sliding_window_pattern attention_bias attn_logit_softcapping "
             "boi_token_id boi_token_index eoi_token_id eoi_token_index eps "
             "final_logit_softcapping full_attention hidden_activation "
             "image_size image_token_id image_token_index intermediate_size "
             "kernel_size layer_norm_eps layers mm_tokens_per_image "
             "num_key_value_groups num_key_value_heads "
             "query_pre_attn_scalar rope_local_base_freq scaling self_attn "
             "sliding_attention sliding_window_pattern "
             "use_bidirectional_attention"},
    {.model_type = "gemma4_text",
     .keys = "attention_bias attention_context_left attention_context_right "
             "attention_invalid_logits_value attention_k_eq_v "
             "attention_logit_cap audio_config audio_token_id boa_token_id "
             "boi_token_id chunk_size context_size conv_kernel_size "
             "dilation enable_moe_block eoa_token_index eoi_token_id eps "
             "final_logit_softcapping global_head_dim gradient_clipping "
             "hidden_act hidden_activation hidden_dim "
             "hidden_size_per_layer_input image_token_id intermediate_size "
             "kernel_size layers moe_intermediate_size num_experts "
             "num_global_key_value_heads num_key_value_groups "
             "num_key_value_heads num_layers output_proj_dims "
             "pooling_kernel_size position_embedding_size residual_weight "
             "scale scaling self_attn standardize stride "
             "subsampling_conv_channels text_hidden_size top_k_experts "
             "use_bidirectional_attention use_clipped_linears "
             "use_double_wide_mlp video_token_id vocab_size_per_layer_input"},
    {.model_type = "glm4",
     .keys = "attention_bias hidden_act intermediate_size layers "
             "num_key_value_groups num_key_value_heads scaling self_attn"},
    {.model_type = "granite",
     .keys = "attention_bias attention_multiplier embedding_multiplier "
             "hidden_act intermediate_size layers logits_scaling mlp_bias "
             "num_key_value_groups num_key_value_heads residual_multiplier "
             "scaling self_attn"},
    {.model_type = "hunyuan_v1_dense",
     .keys = "alpha attention_bias dim eod_token_id hidden_act "
             "intermediate_size layers num_key_value_groups "
             "num_key_value_heads pretraining_tp scaling self_attn"},
    {.model_type = "olmo2",
     .keys = "attention_bias hidden_act intermediate_size layers "
             "num_key_value_groups num_key_value_heads scaling self_attn"},
    {.model_type = "phi3",
     .keys = "embd_pdrop hidden_act intermediate_size layers "
             "num_key_value_groups num_key_value_heads resid_pdrop scaling "
             "self_attn"},
    {.model_type = "starcoder2",
     .keys = "embedding_dropout hidden_act intermediate_size layers "
             "norm_epsilon num_key_value_groups num_key_value_heads "
             "residual_dropout scaling self_attn use_bias"},
    {.model_type = "gpt_neox",
     .keys = "attention_bias dropout hidden_act intermediate_size "
             "is_decoder layer_norm_eps layers rotary_emb_base rotary_pct "
             "scaling use_parallel_residual"},
    {.model_type = "internlm2",
     .keys = "bias dim hidden_act intermediate_size layers "
             "num_key_value_groups num_key_value_heads"},
};

static const size_t n_readers = sizeof readers / sizeof readers[0];

bool transformers_reads(const char *model_type, const char *key)
{
    for (size_t i = 0; i < n_readers; i++)
        if (strcmp(readers[i].model_type, model_type) == 0)
            return words_have(by_all, key) || words_have(readers[i].keys, key);
    return true;
}
