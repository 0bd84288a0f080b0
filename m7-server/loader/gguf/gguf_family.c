/* Families in GGUF files: see gguf_family.h.  The names are those of the
 * package `gguf` (its MODEL_ARCH and tensor map); what is stored otherwise is
 * what llama.cpp's convert_hf_to_gguf.py does to the tensors. */
#include "gguf_family.h"

#include "json.h"

#include <stdio.h>
#include <string.h>

static const struct gguf_family gguf_families[] = {
    {.name = "llama", /* Mistral and SmolLM2, too */
     .architecture = "LlamaForCausalLM",
     .model_type = "llama",
     .bias_key = "attention_bias",
     .mlp_bias_key = "mlp_bias",
     .paired = true},

    {.name = "mistral3", /* Ministral 3 says more, which is refused */
     .architecture = "MistralForCausalLM",
     .model_type = "mistral",
     .constants = "{\"sliding_window\": null}",
     .paired = true},

    {.name = "internlm2", /* in GGUF its q, k and v stand apart */
     .architecture = "LlamaForCausalLM",
     .model_type = "llama",
     .bias_key = "attention_bias",
     .paired = true},

    {.name = "qwen2",
     .architecture = "Qwen2ForCausalLM",
     .model_type = "qwen2",
     .constants = "{\"use_sliding_window\": false}"},

    {.name = "qwen3",
     .architecture = "Qwen3ForCausalLM",
     .model_type = "qwen3",
     .bias_key = "attention_bias",
     .constants = "{\"use_sliding_window\": false}"},

    {.name = "smollm3",
     .architecture = "SmolLM3ForCausalLM",
     .model_type = "smollm3",
     .bias_key = "attention_bias",
     .mlp_bias_key = "mlp_bias",
     .constants = "{\"use_sliding_window\": false, "
                  "\"no_rope_layer_interval\": 4}",
     .paired = true},

    {.name = "gemma2",
     .architecture = "Gemma2ForCausalLM",
     .model_type = "gemma2",
     .names = {{"ffn_norm", "pre_feedforward_layernorm"},
               {"post_attention_norm", "post_attention_layernorm"},
               {"post_ffw_norm", "post_feedforward_layernorm"}},
     .keys = {{"attention.sliding_window", "sliding_window"},
              {"attn_logit_softcapping", "attn_logit_softcapping"},
              {"final_logit_softcapping", "final_logit_softcapping"}},
     .added = 1},

    {.name = "gemma3",
     .architecture = "Gemma3ForCausalLM",
     .model_type = "gemma3_text",
     .names = {{"ffn_norm", "pre_feedforward_layernorm"},
               {"post_attention_norm", "post_attention_layernorm"},
               {"post_ffw_norm", "post_feedforward_layernorm"}},
     .keys = {{"attention.sliding_window", "sliding_window"},
              {"attention.sliding_window_pattern", "sliding_window_pattern"},
              {"rope.freq_base_swa", "rope_local_base_freq"},
              {"final_logit_softcapping", "final_logit_softcapping"}},
     .added = 1},

    {.name = "phi3",
     .architecture = "Phi3ForCausalLM",
     .model_type = "phi3",
     .names = {{"attn_qkv", "self_attn.qkv_proj"},
               {"ffn_up", "mlp.gate_up_proj"}},
     .keys = {{"attention.sliding_window", "sliding_window"}},
     .fraction_key = "partial_rotary_factor"},

    {.name = "starcoder2",
     .architecture = "Starcoder2ForCausalLM",
     .model_type = "starcoder2",
     .names = {{"ffn_up", "mlp.c_fc"}, {"ffn_down", "mlp.c_proj"}},
     .keys = {{"attention.layer_norm_epsilon", "norm_epsilon"}},
     .bias_key = "use_bias",
     .constants = "{\"sliding_window\": null}"},

    {.name = "gptneox",
     .architecture = "GPTNeoXForCausalLM",
     .model_type = "gpt_neox",
     .prefix = "gpt_neox.",
     .names = {{"token_embd", "embed_in"},
               {"output_norm", "final_layer_norm"},
               {"output", "embed_out"},
               {"attn_qkv", "attention.query_key_value"},
               {"attn_output", "attention.dense"},
               {"ffn_up", "mlp.dense_h_to_4h"},
               {"ffn_down", "mlp.dense_4h_to_h"}},
     .keys = {{"attention.layer_norm_epsilon", "layer_norm_eps"},
              {"use_parallel_residual", "use_parallel_residual"}},
     .bias_key = "attention_bias",
     .theta_key = "rotary_emb_base",
     .fraction_key = "rotary_pct",
     .no_heads = true,
     .constants = "{\"hidden_act\": \"gelu\"}",
     .stacked = true},

    {.name = "granite",
     .architecture = "GraniteForCausalLM",
     .model_type = "granite",
     .keys = {{"embedding_scale", "embedding_multiplier"},
              {"residual_scale", "residual_multiplier"},
              {"attention.scale", "attention_multiplier"},
              {"logit_scale", "logits_scaling"}},
     .bias_key = "attention_bias",
     .mlp_bias_key = "mlp_bias",
     .paired = true},

    {.name = "olmo2",
     .architecture = "Olmo2ForCausalLM",
     .model_type = "olmo2",
     .names = {{"post_attention_norm", "post_attention_layernorm"},
               {"post_ffw_norm", "post_feedforward_layernorm"}},
     .bias_key = "attention_bias"},

    {.name = "glm4",
     .architecture = "Glm4ForCausalLM",
     .model_type = "glm4",
     .names = {{"ffn_up", "mlp.gate_up_proj"},
               {"post_attention_norm", "post_self_attn_layernorm"},
               {"post_ffw_norm", "post_mlp_layernorm"}},
     .bias_key = "attention_bias",
     .fraction_key = "partial_rotary_factor"},

    {.name = "hunyuan-dense",
     .architecture = "HunYuanDenseV1ForCausalLM",
     .model_type = "hunyuan_v1_dense",
     .names = {{"attn_q_norm", "self_attn.query_layernorm"},
               {"attn_k_norm", "self_attn.key_layernorm"}},
     .bias_key = "attention_bias"},
};

static const size_t n_gguf_families =
    sizeof gguf_families / sizeof gguf_families[0];

static const struct gguf_family *family_of_name(const char *name)
{
    for (size_t i = 0; i < n_gguf_families; i++)
        if (strcmp(gguf_families[i].name, name) == 0)
            return &gguf_families[i];
    return NULL;
}

const struct gguf_family *gguf_family_find(const struct gguf *g,
                                           struct error *e)
{
    json_t *values = gguf_values(g, "general.architecture", NULL, e);
    if (!values)
        return NULL;
    struct node root = node_root(g->path, values);
    struct node member = node_member(&root, "general.architecture");
    const char *name;
    const struct gguf_family *f = NULL;
    if (node_name(&member, &name, e) == 0) {
        f = family_of_name(name);
        if (!f)
            node_fail(&member, ERROR_UNSUPPORTED, e,
                      "this program knows no GGUF model \"%s\"", name);
    }
    json_decref(values);
    return f;
}

/* --- names of tensors --------------------------------------------------- */

/* What most call the parts of a model and of a layer. */
static const struct gguf_word usual_names[] = {
    {"token_embd", "embed_tokens"},
    {"output_norm", "norm"},
    {"output", "lm_head"},
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {NULL, NULL},
};

static const char *find_word(const struct gguf_word *words, size_t most,
                             const char *name, size_t size)
{
    for (size_t i = 0; i < most && words[i].own; i++)
        if (strlen(words[i].own) == size &&
            strncmp(words[i].own, name, size) == 0)
            return words[i].usual;
    return NULL;
}

/* A tensor's name in its parts: "blk.7.", "attn_q", ".weight". */
struct gguf_parts {
    int layer; /* where the layer's number begins; 0: it is of no layer */
    int digits;
    const char *part, *suffix;
};

static struct gguf_parts split_name(const char *name)
{
    struct gguf_parts p = {.part = name, .suffix = strrchr(name, '.')};
    if (strncmp(name, "blk.", 4) == 0) {
        p.digits = (int)strspn(name + 4, "0123456789");
        if (p.digits > 0 && name[4 + p.digits] == '.') {
            p.layer = 4;
            p.part = name + 4 + p.digits + 1;
        }
    }
    if (p.suffix < p.part)
        p.suffix = p.part + strlen(p.part);
    return p;
}

void gguf_tensor_name(const struct gguf_family *f, const char *name, char *out)
{
    size_t room = GGUF_NAME + 100;
    struct gguf_parts p = split_name(name);
    size_t size = (size_t)(p.suffix - p.part);
    bool head = size == 6 && strncmp(p.part, "output", 6) == 0;
    const char *prefix = f->prefix ? f->prefix : "model.";
    const char *word = find_word(f->names, GGUF_WORDS, p.part, size);
    if (!word)
        word = find_word(usual_names, sizeof usual_names, p.part, size);
    if (!word)
        snprintf(out, room, "%s", name);
    else if (p.layer)
        snprintf(out, room, "%slayers.%.*s.%s%s", prefix, p.digits,
                 name + p.layer, word, p.suffix);
    else
        snprintf(out, room, "%s%s%s", head ? "" : prefix, word, p.suffix);
}

char gguf_is_paired(const struct gguf_family *f, const char *name)
{
    struct gguf_parts p = split_name(name);
    if (!f->paired || !p.layer)
        return 0;
    if (strncmp(p.part, "attn_q.", 7) == 0)
        return 'q';
    return strncmp(p.part, "attn_k.", 7) == 0 ? 'k' : 0;
}

float gguf_added(const struct gguf_family *f, const char *name)
{
    struct gguf_parts p = split_name(name);
    bool norm =
        p.suffix - p.part >= 4 && strncmp(p.suffix - 4, "norm", 4) == 0;
    return norm && strcmp(p.suffix, ".weight") == 0 ? f->added : 0;
}
