/* Shapes: see shapes.h.  The numbers are those of the models' own
 * config.json. */
#include "shapes.h"

#include <string.h>

static const struct model_shape shapes[] = {
    {"smollm2-135m",
     "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", "
     "\"num_hidden_layers\": 30, \"hidden_size\": 576, "
     "\"num_attention_heads\": 9, \"num_key_value_heads\": 3, "
     "\"intermediate_size\": 1536, \"vocab_size\": 49152, "
     "\"max_position_embeddings\": 8192, \"rope_theta\": 100000, "
     "\"rms_norm_eps\": 1e-5, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
    {"qwen2.5-0.5b",
     "{\"architectures\": [\"Qwen2ForCausalLM\"], \"model_type\": \"qwen2\", "
     "\"num_hidden_layers\": 24, \"hidden_size\": 896, "
     "\"num_attention_heads\": 14, \"num_key_value_heads\": 2, "
     "\"intermediate_size\": 4864, \"vocab_size\": 151936, "
     "\"max_position_embeddings\": 32768, \"rope_theta\": 1000000, "
     "\"rms_norm_eps\": 1e-6, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
    {"qwen2.5-1.5b",
     "{\"architectures\": [\"Qwen2ForCausalLM\"], \"model_type\": \"qwen2\", "
     "\"num_hidden_layers\": 28, \"hidden_size\": 1536, "
     "\"num_attention_heads\": 12, \"num_key_value_heads\": 2, "
     "\"intermediate_size\": 8960, \"vocab_size\": 151936, "
     "\"max_position_embeddings\": 32768, \"rope_theta\": 1000000, "
     "\"rms_norm_eps\": 1e-6, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
    {"qwen2.5-3b",
     "{\"architectures\": [\"Qwen2ForCausalLM\"], \"model_type\": \"qwen2\", "
     "\"num_hidden_layers\": 36, \"hidden_size\": 2048, "
     "\"num_attention_heads\": 16, \"num_key_value_heads\": 2, "
     "\"intermediate_size\": 11008, \"vocab_size\": 151936, "
     "\"max_position_embeddings\": 32768, \"rope_theta\": 1000000, "
     "\"rms_norm_eps\": 1e-6, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
    {"llama-3.2-1b",
     "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", "
     "\"num_hidden_layers\": 16, \"hidden_size\": 2048, "
     "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, "
     "\"head_dim\": 64, "
     "\"intermediate_size\": 8192, \"vocab_size\": 128256, "
     "\"max_position_embeddings\": 131072, \"rope_theta\": 500000, "
     "\"rms_norm_eps\": 1e-5, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
    {"qwen3-0.6b",
     "{\"architectures\": [\"Qwen3ForCausalLM\"], \"model_type\": \"qwen3\", "
     "\"num_hidden_layers\": 28, \"hidden_size\": 1024, "
     "\"num_attention_heads\": 16, \"num_key_value_heads\": 8, "
     "\"head_dim\": 128, "
     "\"intermediate_size\": 3072, \"vocab_size\": 151936, "
     "\"max_position_embeddings\": 40960, \"rope_theta\": 1000000, "
     "\"rms_norm_eps\": 1e-6, \"hidden_act\": \"silu\", "
     "\"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\"}"},
};

const struct model_shape *shape_row(size_t i)
{
    return i < sizeof shapes / sizeof shapes[0] ? &shapes[i] : NULL;
}

const struct model_shape *shape_named(const char *name)
{
    const struct model_shape *s;
    for (size_t i = 0; (s = shape_row(i)); i++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
