"""The small random models of the other families: one row each.

A row is (name, class, options of its configuration, how it is stored), as in
forward_specs.py, whose words for storing hold here, too.  More of them:
`edit`, what is done to config.json before it is read again; `vision`, the
options of a picture encoder, whose tensors a reader of texts skips; `bare`,
whether the file holds the inner model only, without a head and a prefix;
`internlm2`, whether this Llama is written as an InternLM2; `agree`, to what
part of the tolerance the referee must, if not to a third; `embedding`, a
factor of the embedding, which layers drown when it is small: then rounding
shows.

Each switch that a family can have is on in one of its rows at least.
"""
from forward_specs import LLAMA3, YARN, YARN_FULL, default, options

SLIDING, FULL = "sliding_attention", "full_attention"
LINEAR = dict(rope_type="linear", rope_theta=100000.0, factor=2.5)
YARN_8 = dict(YARN, original_max_position_embeddings=256)
VISION = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1,
              num_attention_heads=1, patch_size=2)


def without(config, *keys):
    """The same without these."""
    return {k: v for k, v in config.items() if k not in keys}


# --- older spellings of config.json ----------------------------------------

def outer_fraction(config):
    """What part of a head turns, as before version 5: beside the rest."""
    rope = config["rope_parameters"]
    config["partial_rotary_factor"] = rope.pop("partial_rotary_factor")


def old_pattern(config):
    """Gemma 3 as it was published: which layers have a window, and the two
    kinds of rotary positions, in a few numbers."""
    rope = config.pop("rope_parameters")
    full = rope["full_attention"]
    config["rope_theta"] = full.pop("rope_theta")
    config["rope_scaling"] = full
    config["rope_local_base_freq"] = rope["sliding_attention"]["rope_theta"]
    config["sliding_window_pattern"] = 3
    del config["_sliding_window_pattern"], config["layer_types"]


def silent(config):
    """Gemma 3 with pictures as it was published: what its classes have as
    defaults is left out.  But for the size of the vocabulary, which would be
    too large here, and the pattern, which would take six layers."""
    text = config["text_config"]
    rope = text["rope_parameters"]["full_attention"]
    config["text_config"] = {
        key: text[key] for key in (
            "hidden_size", "intermediate_size", "model_type",
            "num_hidden_layers", "sliding_window", "vocab_size")}
    config["text_config"]["sliding_window_pattern"] = 2
    config["text_config"]["rope_scaling"] = without(rope, "rope_theta")
    config["eos_token_id"] = [1, 7]
    config["torch_dtype"] = config.pop("dtype")
    del config["tie_word_embeddings"]


def global_heads(config):
    """Gemma 4 as it was published: the heads of full layers apart."""
    layers = config.pop("per_layer_config")
    config["global_head_dim"] = layers["1"]["head_dim"]
    config["num_global_key_value_heads"] = layers["1"]["num_key_value_heads"]


def old_longrope(config):
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    config["partial_rotary_factor"] = rope.pop("partial_rotary_factor")
    rope.pop("original_max_position_embeddings")
    config["rope_scaling"] = dict(rope, type=rope.pop("rope_type"))


def old_neox(config):
    rope = config.pop("rope_parameters")
    config["rotary_emb_base"] = int(rope["rope_theta"])
    config["rotary_pct"] = rope["partial_rotary_factor"]


def as_tencent_publishes(config):
    """With keys that transformers does not read: they say of the model what
    it is anyway."""
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    config["rope_scaling"] = dict(rope, type=rope.pop("rope_type"),
                                  beta_fast=32, beta_slow=1, mscale=1.0,
                                  mscale_all_dim=1.0)
    config["torch_dtype"] = config.pop("dtype")
    config |= dict(
        add_classification_head=False, attention_head_dim=10,
        cla_share_factor=2, class_num=0, dense_list=[48, 0], im_end_id=5,
        im_newline_id=11, im_start_id=4, mask_init_id=12, mlp_bias=False,
        norm_type="rms", num_experts=1, org_vocab_size=80, pad_id=3,
        pool_type="last", sep_token_id=9, text_end_id=7, text_start_id=6,
        use_cla=False, use_qk_norm=True, use_rotary_pos_emb=True)


def as_mistral_publishes(config):
    """Mistral Small 3.1: it does not say whether its head is tied."""
    text = config["text_config"]
    text["rope_theta"] = text.pop("rope_parameters")["rope_theta"]
    for key in ("tie_word_embeddings", "bos_token_id", "eos_token_id",
                "pad_token_id", "dtype"):
        text.pop(key, None)
    config["torch_dtype"] = config.pop("dtype")
    del config["tie_word_embeddings"]


def as_published(config):
    """Qwen3-Embedding names the class that has a head."""
    config["architectures"] = ["Qwen3ForCausalLM"]


# --- rows ------------------------------------------------------------------

SMOLLM3 = [
    ("smollm3-1", "SmolLM3ForCausalLM",
     options(48, 6, 3, 10, 5, attention_bias=True, mlp_bias=True,
             rms_norm_eps=0.03, rope_parameters=default(2000000.0),
             pad_token_id=0, tie_word_embeddings=False),
     dict(dtype="bfloat16", shards="60KB",
          drop=["no_rope_layers", "layer_types", "rope_parameters"])),
    ("smollm3-2", "SmolLM3ForCausalLM",
     options(40, 5, 1, 8, 3, no_rope_layers=[0, 1, 0],
             use_sliding_window=True, sliding_window=7,
             layer_types=[FULL, SLIDING, SLIDING],
             rms_norm_eps=1e-5, rope_parameters=YARN_8, pad_token_id=0,
             tie_word_embeddings=True),
     dict(dtype="float16", old=True, drop=["head_dim"])),
]

GEMMA2 = [
    ("gemma2-1", "Gemma2ForCausalLM",
     options(48, 6, 3, 10, 3, query_pre_attn_scalar=20, sliding_window=9,
             attn_logit_softcapping=14.0, final_logit_softcapping=30.0,
             hidden_act="gelu_pytorch_tanh", rms_norm_eps=0.02,
             rope_parameters=default(10000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", old=True, drop=["layer_types"], long=True)),
    ("gemma2-2", "Gemma2ForCausalLM",
     options(40, 5, 1, 12, 3, query_pre_attn_scalar=30, sliding_window=6,
             layer_types=[FULL, SLIDING, SLIDING], attention_bias=True,
             attn_logit_softcapping=None, final_logit_softcapping=None,
             hidden_activation="gelu", rms_norm_eps=1e-5,
             rope_parameters=LINEAR, tie_word_embeddings=False),
     dict(dtype="float32", shards="60KB", index=False)),
]

GEMMA3 = [
    ("gemma3-1", "Gemma3ForCausalLM",
     options(44, 4, 1, 14, 3, query_pre_attn_scalar=9, sliding_window=8,
             layer_types=[SLIDING, SLIDING, FULL],
             final_logit_softcapping=25.0, rms_norm_eps=0.04,
             rope_parameters={
                 FULL: dict(LINEAR, rope_theta=1000000.0, factor=8.0),
                 SLIDING: default(10000.0)},
             tie_word_embeddings=True),
     dict(dtype="bfloat16", edit=old_pattern, long=True)),
    ("gemma3-2", "Gemma3ForConditionalGeneration",
     options(48, 6, 3, 10, 4, query_pre_attn_scalar=10, sliding_window=5,
             layer_types=[FULL, SLIDING, FULL, SLIDING],
             attention_bias=True, hidden_activation="gelu",
             rms_norm_eps=1e-5,
             rope_parameters={FULL: default(50000.0), SLIDING: YARN},
             tie_word_embeddings=False),
     dict(dtype="float16", shards="40KB",
          vision=dict(VISION, image_size=4))),
    ("gemma3-3", "Gemma3ForConditionalGeneration",
     options(8, 8, 4, 256, 2, query_pre_attn_scalar=256, sliding_window=6,
             layer_types=[SLIDING, FULL],
             rope_parameters={
                 FULL: dict(LINEAR, rope_theta=1000000.0, factor=8.0),
                 SLIDING: default(10000.0)},
             tie_word_embeddings=True),
     dict(dtype="bfloat16", edit=silent,
          vision=dict(VISION, image_size=4))),
]

GEMMA4 = [
    ("gemma4-1", "Gemma4ForCausalLM",
     options(48, 6, 3, 8, 4, global_head_dim=20, attention_k_eq_v=True,
             num_global_key_value_heads=1, sliding_window=8,
             hidden_size_per_layer_input=0, vocab_size_per_layer_input=80,
             layer_types=[SLIDING, FULL, SLIDING, FULL],
             final_logit_softcapping=30.0, rms_norm_eps=0.03,
             rope_parameters={
                 FULL: dict(rope_type="proportional", rope_theta=1000000.0,
                            partial_rotary_factor=0.5),
                 SLIDING: default(10000.0)},
             tie_word_embeddings=True),
     dict(dtype="bfloat16", edit=global_heads, long=True)),
    ("gemma4-2", "Gemma4ForConditionalGeneration",
     options(40, 4, 2, 12, 4, global_head_dim=16, attention_k_eq_v=False,
             sliding_window=6, hidden_size_per_layer_input=0,
             vocab_size_per_layer_input=80,
             layer_types=[FULL, SLIDING, SLIDING, FULL],
             attention_bias=True, hidden_activation="gelu",
             rms_norm_eps=1e-5, final_logit_softcapping=20.0,
             rope_parameters={
                 FULL: dict(rope_type="proportional", rope_theta=100000.0,
                            partial_rotary_factor=0.25, factor=2.0),
                 SLIDING: default(20000.0)},
             tie_word_embeddings=False),
     dict(dtype="float32", shards="60KB",
          vision=dict(VISION, num_key_value_heads=1, head_dim=8,
                      position_embedding_size=4))),
]

GLM4 = [
    ("glm4-1", "Glm4ForCausalLM",
     options(48, 6, 3, 12, 3, attention_bias=True, rms_norm_eps=0.03,
             rope_parameters=dict(default(10000.0),
                                  partial_rotary_factor=0.5),
             pad_token_id=0, tie_word_embeddings=False),
     dict(dtype="bfloat16", shards="40KB", edit=outer_fraction, old=True,
          long=True)),
    ("glm4-2", "Glm4ForCausalLM",
     options(40, 5, 1, 16, 3, attention_bias=False, rms_norm_eps=1e-5,
             hidden_act="gelu",
             rope_parameters=dict(LINEAR, partial_rotary_factor=0.25),
             pad_token_id=0, tie_word_embeddings=True),
     dict(dtype="float16")),
]

GRANITE = [
    ("granite-1", "GraniteForCausalLM",
     options(48, 6, 3, 10, 3, attention_multiplier=0.2,
             embedding_multiplier=2.5, residual_multiplier=0.6,
             logits_scaling=3.0, attention_bias=True, mlp_bias=True,
             rms_norm_eps=0.03, rope_parameters=default(10000.0),
             tie_word_embeddings=True),
     dict(dtype="bfloat16", old=True)),
    ("granite-2", "GraniteForCausalLM",
     options(40, 5, 1, 8, 3, attention_multiplier=0.5,
             embedding_multiplier=3, residual_multiplier=0.7,
             logits_scaling=8, rms_norm_eps=1e-5,
             rope_parameters=YARN_FULL, tie_word_embeddings=False),
     dict(dtype="float32", shards="50KB", drop=["head_dim"], long=True)),
]

HUNYUAN = [
    ("hunyuan-1", "HunYuanDenseV1ForCausalLM",
     options(48, 6, 3, 10, 3, rms_norm_eps=0.03,
             rope_parameters=dict(rope_type="dynamic", rope_theta=10000.0,
                                  alpha=1000.0, factor=1.0),
             pad_token_id=0, tie_word_embeddings=True),
     dict(dtype="bfloat16", edit=as_tencent_publishes, long=True,
          embedding=3.0)),
    ("hunyuan-2", "HunYuanDenseV1ForCausalLM",
     options(40, 5, 1, 12, 3, attention_bias=True, hidden_act="gelu",
             rms_norm_eps=1e-5, rope_parameters=LLAMA3,
             pad_token_id=0, tie_word_embeddings=False),
     dict(dtype="float16", shards="40KB", embedding=0.15)),
]

INTERNLM2 = [
    ("internlm2-1", "LlamaForCausalLM",
     dict(options(48, 6, 3, 8, 3, attention_bias=True, rms_norm_eps=0.03,
                  rope_parameters=dict(rope_type="dynamic",
                                       rope_theta=10000.0, factor=2.0),
                  tie_word_embeddings=False), max_position_embeddings=64),
     dict(dtype="bfloat16", old=True, internlm2=True, long=True)),
    ("internlm2-2", "LlamaForCausalLM",
     options(40, 5, 1, 8, 3, hidden_act="gelu", rms_norm_eps=1e-5,
             rope_parameters=LINEAR, tie_word_embeddings=True),
     dict(dtype="float16", old=True, internlm2=True)),
]

MISTRAL3 = [
    ("mistral3-1", "Mistral3ForConditionalGeneration",
     options(44, 6, 3, 10, 3, sliding_window=7, rms_norm_eps=0.02,
             rope_parameters=default(10000.0), tie_word_embeddings=False),
     dict(dtype="float16", shards="40KB",
          vision=dict(VISION, image_size=4))),
    ("mistral3-2", "Mistral3ForConditionalGeneration",
     options(40, 5, 1, 12, 3, sliding_window=None, hidden_act="gelu",
             rms_norm_eps=1e-5, rope_parameters=default(1000000000.0),
             tie_word_embeddings=True),
     dict(dtype="bfloat16", edit=as_mistral_publishes,
          vision=dict(VISION, image_size=4))),
]

OLMO2 = [
    ("olmo2-1", "Olmo2ForCausalLM",
     options(48, 6, 3, 10, 3, attention_bias=True, rms_norm_eps=0.02,
             rope_parameters=default(500000.0), tie_word_embeddings=False),
     dict(dtype="float16", old=True)),
    ("olmo2-2", "Olmo2ForCausalLM",
     options(40, 5, 1, 12, 3, hidden_act="gelu", rms_norm_eps=1e-6,
             rope_parameters=LLAMA3, tie_word_embeddings=True),
     dict(dtype="bfloat16", shards="25KB", index=False)),
]

PHI3 = [
    ("phi3-1", "Phi3ForCausalLM",
     without(options(60, 6, 3, 10, 3, rms_norm_eps=0.03,
                     original_max_position_embeddings=64,
                     rope_parameters=dict(
                         rope_type="longrope", rope_theta=10000.0,
                         short_factor=[1.0, 1.1, 1.3, 1.6],
                         long_factor=[1.2, 2.0, 4.0, 9.5],
                         partial_rotary_factor=0.8),
                     pad_token_id=0, tie_word_embeddings=False), "head_dim"),
     dict(dtype="bfloat16", shards="50KB", edit=old_longrope, long=True)),
    ("phi3-2", "Phi3ForCausalLM",
     without(options(48, 4, 1, 12, 3, rms_norm_eps=1e-5, sliding_window=7,
                     hidden_act="gelu",
                     rope_parameters=dict(default(10000.0),
                                          partial_rotary_factor=0.5),
                     pad_token_id=0, tie_word_embeddings=True), "head_dim"),
     dict(dtype="float16")),
]

STARCODER2 = [
    ("starcoder2-1", "Starcoder2ForCausalLM",
     options(48, 6, 3, 10, 3, use_bias=True, sliding_window=7,
             norm_epsilon=0.05, hidden_act="gelu_pytorch_tanh",
             rope_parameters=default(100000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", old=True)),
    ("starcoder2-2", "Starcoder2ForCausalLM",
     without(options(40, 5, 1, 8, 3, use_bias=False, sliding_window=None,
                     norm_epsilon=1e-5, hidden_act="gelu",
                     rope_parameters=LINEAR, tie_word_embeddings=False),
             "head_dim"),
     dict(dtype="float32", shards="40KB")),
]

GPT_NEOX = [
    ("gptneox-1", "GPTNeoXForCausalLM",
     without(options(48, 3, 3, 16, 3, use_parallel_residual=True,
                     attention_bias=True, layer_norm_eps=0.05,
                     hidden_act="gelu",
                     rope_parameters=dict(default(10000.0),
                                          partial_rotary_factor=0.25),
                     tie_word_embeddings=False),
             "head_dim", "num_key_value_heads"),
     dict(dtype="float16", shards="60KB", edit=old_neox)),
    ("gptneox-2", "GPTNeoXForCausalLM",
     without(options(50, 5, 5, 10, 3, use_parallel_residual=False,
                     attention_bias=False, layer_norm_eps=1e-5,
                     hidden_act="gelu_new",
                     rope_parameters=dict(LINEAR, partial_rotary_factor=0.6),
                     tie_word_embeddings=True),
             "head_dim", "num_key_value_heads"),
     dict(dtype="bfloat16")),
]

QWEN3_EMBEDDING = [
    ("qwen3embed-1", "Qwen3ForCausalLM",
     options(44, 6, 3, 10, 3, rms_norm_eps=0.05,
             rope_parameters=default(1000000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", bare=True, edit=as_published, old=True,
          drop=["layer_types"], agree=0.2, embedding=2.5)),
    ("qwen3embed-2", "Qwen3ForCausalLM",
     options(40, 5, 1, 12, 3, attention_bias=True, rms_norm_eps=1e-6,
             rope_parameters=YARN, tie_word_embeddings=True),
     dict(dtype="float32", bare=True, edit=as_published, shards="50KB",
          long=True)),
]

DYNAMIC = [
    ("dynamic-1", "LlamaForCausalLM",
     dict(options(40, 5, 1, 8, 3, rms_norm_eps=1e-5,
                  rope_parameters=dict(rope_type="dynamic",
                                       rope_theta=10000.0, factor=4.0),
                  tie_word_embeddings=False), max_position_embeddings=64),
     dict(dtype="float32", long=True)),
]

CHECKPOINTS = (SMOLLM3 + GEMMA2 + GEMMA3 + GEMMA4 + GLM4 + GRANITE + HUNYUAN
               + INTERNLM2 + MISTRAL3 + OLMO2 + PHI3 + STARCODER2 + GPT_NEOX
               + QWEN3_EMBEDDING + DYNAMIC)
