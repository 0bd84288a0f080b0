"""What families_mutations.py changes in a model's config.json.

A change is a list of edits, which are made together: mostly one, more where
keys speak of the same thing and transformers has a rule for which of them
counts.  An edit is {"at": path of the key, "to": new value}, or without "to":
the key is deleted.

Renaming a key is deleting it, and adding one that nobody reads.  Without
text_config, or of another type beside it, models of billions of weights would
be made: it stays, and so does the type.
"""
import copy
import itertools
import json

ACTIVATIONS = ["silu", "swish", "gelu", "gelu_new", "gelu_fast",
               "gelu_pytorch_tanh", "relu", "nonsense"]
ROPES = ["default", "linear", "dynamic", "yarn", "llama3", "longrope",
         "proportional", "su", "nonsense"]
BIDIRECTIONAL = [True, "all", "vision"]
FULL, SLIDING = "full_attention", "sliding_attention"
LINEAR = {"rope_type": "linear", "rope_theta": 20000.0, "factor": 2.0}
DEFAULT = {"rope_type": "default", "rope_theta": 20000.0}
OLD_LINEAR = {"type": "linear", "factor": 2.0}
NEW_LINEAR = {"rope_type": "linear", "factor": 2.0}
YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0,
        "original_max_position_embeddings": 64}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 4.0}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0,
          "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 16}
LONGROPE = {"rope_type": "longrope", "rope_theta": 10000.0,
            "short_factor": [1.0, 1.1, 1.2, 1.4, 1.6, 1.8, 2.0],
            "long_factor": [1.2, 2.0, 2.5, 3.0, 4.0, 5.0, 9.5],
            "original_max_position_embeddings": 32}

# What a string or a null is changed to.
WORDS = {
    "hidden_act": ACTIVATIONS, "hidden_activation": ACTIVATIONS,
    "rope_type": ROPES, "type": ROPES,
    "model_type": ["llama", "qwen3", "gemma2", "nonsense"],
    "dtype": ["float16"], "torch_dtype": ["float16"],
    "sliding_window": [5], "pad_token_id": [3],
    "final_logit_softcapping": [20.0], "attn_logit_softcapping": [20.0],
    "use_bidirectional_attention": BIDIRECTIONAL,
    "rope_scaling": [OLD_LINEAR, {"rope_type": "dynamic", "factor": 2.0},
                     {"type": "yarn", "factor": 4.0}],
}

# What is added where it is not; a null, too.
ADDED = {
    "attention_bias": [True], "mlp_bias": [True], "use_bias": [False],
    "num_key_value_heads": [1], "head_dim": [6], "is_causal": [False, True],
    "sliding_window": [5], "use_sliding_window": [True],
    "max_window_layers": [0], "sliding_window_pattern": [2],
    "no_rope_layers": [], "no_rope_layer_interval": [2], "layer_types": [],
    "partial_rotary_factor": [0.5], "rotary_pct": [0.5],
    "rope_theta": [20000.0], "rotary_emb_base": [20000],
    "rope_local_base_freq": [20000.0], "rope_scaling": [OLD_LINEAR],
    "rope_parameters": [LINEAR], "original_max_position_embeddings": [16],
    "final_logit_softcapping": [20.0], "attn_logit_softcapping": [20.0],
    "query_pre_attn_scalar": [7], "hidden_act": ["relu"],
    "hidden_activation": ["relu"], "rms_norm_eps": [0.5],
    "layer_norm_eps": [0.5], "norm_epsilon": [0.5],
    "embedding_multiplier": [3.0], "residual_multiplier": [0.5],
    "logits_scaling": [3.0], "attention_multiplier": [0.1],
    "use_parallel_residual": [False], "attention_k_eq_v": [True],
    "global_head_dim": [6], "num_global_key_value_heads": [1],
    "hidden_size_per_layer_input": [8], "num_kv_shared_layers": [1],
    "use_double_wide_mlp": [True], "enable_moe_block": [True],
    "use_bidirectional_attention": [True, False, "all", "vision"],
    "clip_qkv": [0.5],
    "per_layer_config": [{"0": {"head_dim": 6}}],
    "tie_word_embeddings": [True, False],
    "_name_or_path": ["x"], "_commit_hash": ["x"],
    "_attn_implementation": ["sdpa"], "_attn_implementation_autoset": [True],
    "_flash_attn_2_enabled": [True], "_sliding_window_pattern": [2],
    # from published files
    "auto_map": [{"AutoConfig": "configuration_x.XConfig",
                  "AutoModelForCausalLM": "modeling_x.XForCausalLM"}],
    "id2label": [{"0": "LABEL_0", "1": "LABEL_1"}],
    "label2id": [{"LABEL_0": 0, "LABEL_1": 1}], "num_labels": [3],
    "return_dict": [True, False], "chunk_size_feed_forward": [0, 2],
    "unsloth_fixed": [True], "unsloth_version": ["2025.5.9"],
    "full_attn_mod": [1, 2], "interpolate_factor": [1, 2],
    "sliding_window_size": [5], "cache_implementation": ["hybrid"],
    "mlp_type": ["default"], "norm_type": ["layer_norm", "rms"],
    "activation_function": ["relu"], "layer_norm_epsilon": [0.5],
    "attention_probs_dropout_prob": [0.0, 0.5], "lm_head_bias": [True],
    "use_mrope": [True], "rope_interleaved": [True],
    "is_llama_config": [True], "attention_head_dim": [6],
    "add_classification_head": [True], "scale_attn_weights": [False],
    "attention_softmax_in_fp32": [False],
    "attn_implementation": ["eager", "sdpa"],
}

# Numbers that 32 bits do not hold, or that no switch can mean.
EXTREMES = [0.0, -0.5, 1e-46, 1e300]

ABSENT = object()  # a key that is not there

# Keys that speak of the same thing: all their values are tried together, in
# one model of each family whose name begins with one of the words.
OTHERS = ["llama-1", "mistral-1", "qwen2-1", "qwen3-1", "smollm3-1",
          "gemma2-1", "glm4-1", "granite-1", "hunyuan-1", "mistral3-1",
          "olmo2-1", "phi3-1", "starcoder2-1", "gptneox-1", "dynamic-1"]
TWO_ROPES = ["gemma3-1", "gemma3-2", "gemma4-1", "gemma4-2"]
WITH_OUTER = ["gemma3-2", "gemma4-2", "mistral3-1", "mistral3-2"]
TOGETHER = [
    (OTHERS, {
        "rope_theta": [ABSENT, None, 30000.0],
        "rope_scaling": [ABSENT, None, {}, OLD_LINEAR, LINEAR],
        "rope_parameters": [ABSENT, None, {}, {"rope_type": "default"},
                            NEW_LINEAR, LINEAR]}),
    (TWO_ROPES, {
        "rope_theta": [ABSENT, 30000.0],
        "rope_local_base_freq": [ABSENT, 30000.0],
        "rope_scaling": [ABSENT, {}, OLD_LINEAR, NEW_LINEAR],
        "rope_parameters": [ABSENT, None, {}, LINEAR,
                            {FULL: LINEAR}, {SLIDING: LINEAR},
                            {FULL: LINEAR, SLIDING: None},
                            {FULL: OLD_LINEAR, SLIDING: NEW_LINEAR}]}),
    (TWO_ROPES, {
        "rope_scaling": [ABSENT],
        "rope_parameters": [{FULL: YARN, SLIDING: DEFAULT},
                            {FULL: dict(YARN, truncate=True),
                             SLIDING: DEFAULT},
                            {FULL: dict(YARN, truncate=False),
                             SLIDING: DEFAULT},
                            {FULL: DEFAULT,
                             SLIDING: dict(YARN, truncate=False)},
                            {FULL: YARN, SLIDING: DEFAULT,
                             "truncate": False}]}),
    (TWO_ROPES, {
        "max_position_embeddings": [1024, 16],
        "rope_scaling": [ABSENT],
        "rope_parameters": [
            parameters for scaled in (DYNAMIC, LLAMA3, LONGROPE)
            for parameters in ({FULL: scaled, SLIDING: DEFAULT},
                               {FULL: DEFAULT, SLIDING: scaled})]}),
    (["gemma4-1"], {
        "rope_parameters": [
            {FULL: dict(DEFAULT, rope_type="proportional",
                        partial_rotary_factor=f), SLIDING: DEFAULT}
            for f in (0.0, -0.5, 0.05, 1, 1.0, 1.5, 1e300, None, "1")]}),
    (OTHERS + TWO_ROPES, {
        "rope_parameters": [ABSENT],
        "rope_scaling": [
            {"factor": 2.0, **({} if old is ABSENT else {"type": old}),
             **({} if new is ABSENT else {"rope_type": new})}
            for old in (ABSENT, None, "linear", "default")
            for new in (ABSENT, None, "linear", "default")]}),
    (OTHERS + TWO_ROPES, {
        "rope_parameters": [ABSENT],
        "rope_scaling": [
            {"rope_type": "yarn", "factor": 4.0, "attn_factor": 0.5,
             "original_max_position_embeddings": 64, **more}
            for more in ({}, {"attn_factor": None}, {"attn_factor": "1"},
                         {"attention_factor": 0.8}, {"rope_type": "default"},
                         {"rope_type": "linear"})]}),
    (["llama", "smollm2", "dynamic", "mistral-1", "gptneox-1"], {
        "max_position_embeddings": [ABSENT, None, 2048],
        "rope_parameters": [ABSENT],
        "rope_scaling": [ABSENT, {"type": "yarn", "factor": 4.0},
                         {"type": "dynamic", "factor": 4.0}]}),
    (["glm4", "phi3", "gptneox", "llama-1", "gemma4-1"], {
        "partial_rotary_factor": [ABSENT, None, 0.5, 1.0],
        "rotary_pct": [ABSENT, None, 1.0],
        "rope_scaling": [ABSENT],
        "rope_parameters": [
            ABSENT, dict(DEFAULT, partial_rotary_factor=0.5),
            dict(DEFAULT, partial_rotary_factor=None),
            DEFAULT, {}, None]}),
    (["gptneox-1"], {
        "rotary_emb_base": [ABSENT, None, 30000],
        "rope_theta": [ABSENT, None, 20000.0],
        "rope_scaling": [ABSENT, OLD_LINEAR],
        "rope_parameters": [ABSENT, {"rope_type": "default"}, DEFAULT]}),
    (["phi3-1", "llama-1"], {
        "original_max_position_embeddings": [ABSENT, None, 32],
        "max_position_embeddings": [1024, 16],
        "rope_parameters": [ABSENT],
        "rope_scaling": [
            {"type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.6],
             "long_factor": [1.2, 2.0, 4.0, 9.5], **more}
            for more in ({}, {"factor": 3.0}, {"factor": None},
                         {"attention_factor": 1.5}, {"rope_type": "longrope"},
                         {"original_max_position_embeddings": 32})]}),
    (["llama-1", "qwen3-2"], {
        "rope_scaling": [ABSENT],
        "rope_parameters": [
            dict(YARN, **more)
            for more in ({"truncate": False}, {"truncate": None},
                         {"beta_fast": None}, {"beta_slow": 0},
                         {"attention_factor": None}, {"attention_factor": 0.0},
                         {"mscale": None, "mscale_all_dim": 1.0},
                         {"mscale": 0.0, "mscale_all_dim": 0.0},
                         {"mscale": 0.7, "mscale_all_dim": 1.3},
                         {"mscale": 0.7}, {"factor": None}, {"factor": 0.5},
                         {"original_max_position_embeddings": None})]}),
    (["hunyuan", "dynamic-1"], {
        "rope_parameters": [ABSENT],
        "rope_scaling": [
            {"rope_type": "dynamic", "alpha": 50.0},
            *[dict(DYNAMIC, **more)
              for more in ({}, {"alpha": 50}, {"alpha": 1.0}, {"alpha": 0.5},
                           {"alpha": 0}, {"alpha": -2.0}, {"alpha": 1e300},
                           {"alpha": None}, {"alpha": False},
                           {"alpha": True}, {"alpha": "50"},
                           {"alpha": 50.0, "factor": None},
                           {"alpha": 50.0, "factor": 1.0},
                           {"alpha": 50.0, "type": "linear"},
                           {"alpha": 50.0, "rope_type": "alpha"},
                           {"alpha": 50.0, "rope_type": "linear"},
                           {"alpha": 50.0, "mscale": 0.5},
                           {"alpha": 50.0, "beta_fast": "7"},
                           {"alpha": 50.0, "truncate": False},
                           {"mscale": 0.5}, {"beta_slow": 2})]]}),
    (["qwen2-1", "qwen3-1", "mistral-1", "mistral3-1", "phi3-2",
      "starcoder2-1"], {
        "use_sliding_window": [ABSENT, None, False, True],
        "sliding_window": [ABSENT, None, 0, 5],
        "max_window_layers": [ABSENT, None, 1],
        "layer_types": [ABSENT, None, "sliding", "mixed"]}),
    (["gemma2-1", "gemma3", "gemma4-1"], {
        "sliding_window": [ABSENT, None, 0, 5],
        "sliding_window_pattern": [ABSENT, None, 0, 2],
        "layer_types": [ABSENT, None, "sliding", "mixed"]}),
    (["smollm3"], {
        "use_sliding_window": [ABSENT, None, True],
        "sliding_window": [ABSENT, None, 5],
        "no_rope_layers": [ABSENT, None, [0] * 3, [1, 0, 1], [1, 0, 1, 0, 1]],
        "no_rope_layer_interval": [ABSENT, None, 0, 2],
        "layer_types": [ABSENT, "mixed"]}),
    (OTHERS + TWO_ROPES, {
        "num_key_value_heads": [ABSENT, None, 0, 1, 3, 4, 6],
        "head_dim": [ABSENT, None, 0, 6, 8, 16]}),
    (["gemma4-1"], {
        "global_head_dim": [ABSENT, None, 12, 20],
        "num_global_key_value_heads": [ABSENT, None, 3],
        "attention_k_eq_v": [ABSENT, False, True],
        "layer_types": ["mixed"]}),
    (["gemma4"], {
        "global_head_dim": [ABSENT, None, 12],
        "num_global_key_value_heads": [ABSENT, 1],
        "per_layer_config": [
            None, {}, {"0": {"head_dim": 16}},
            {"0": {"head_dim": 16}, "3": {"head_dim": 16, "sliding_window": 5}},
            {"0": {"head_dim": 16}, "3": {"head_dim": None}},
            {"0": {"head_dim": 16}, "3": None},
            {"00": {"head_dim": 16}, "03": {"head_dim": 16}},
            {"0": {"head_dim": 16}, "3": {"head_dim": 16},
             "4": {"head_dim": 16}},
            {"0": {"head_dim": 16}, "3": {"head_dim": 16},
             "-1": {"head_dim": 16}},
            {"0": {"head_dim": 16}, "3": {"head_dim": 16}, "99": {}},
            {"1": {"head_dim": 20, "num_key_value_heads": 1},
             "3": {"head_dim": 20, "num_key_value_heads": 1}}]}),
    (["gemma2", "gemma3-1", "gemma4-1"], {
        "hidden_act": [ABSENT, None, "silu", "gelu"],
        "hidden_activation": [ABSENT, None, "silu", "gelu"]}),
    (OTHERS + TWO_ROPES, {
        "architectures": [ABSENT, None, [], ["Qwen3ForCausalLM"]],
        "model_type": [ABSENT, None, "qwen3", "llama"]}),
    (WITH_OUTER, {
        "tie_word_embeddings": [ABSENT, None, False, True],
        "outer tie_word_embeddings": [ABSENT, None, False, True]}),
    (["gemma3-3"], {
        "num_attention_heads": [ABSENT, None, 4, 8],
        "num_key_value_heads": [ABSENT, None, 2, 4],
        "head_dim": [ABSENT, None, 128, 256]}),
    (["gemma3-1", "gemma3-3"], {
        "query_pre_attn_scalar": [ABSENT, 256],
        "rms_norm_eps": [ABSENT, 1e-6, 0.05],
        "rope_theta": [ABSENT, 1000000.0],
        "rope_local_base_freq": [ABSENT, 10000.0],
        "sliding_window": [ABSENT, 4096]}),
    (["gemma3-3"], {
        "max_position_embeddings": [ABSENT, 131072, 16],
        "rope_scaling": [ABSENT],
        "rope_parameters": [
            {FULL: {"rope_type": "yarn", "factor": 4.0}},
            {FULL: {"rope_type": "dynamic", "factor": 4.0}}]}),
    (["gemma3-1", "gemma4-1"], {
        "text_config": [None], "tie_word_embeddings": [ABSENT, True]}),
]


# --- one key ---------------------------------------------------------------

def changed_list(values):
    """Other lists of the same kind."""
    other = {SLIDING: FULL, FULL: SLIDING, 0: 1, 1: 0}
    first = other.get(values[0], 2 if isinstance(values[0], int)
                      else "LlamaForCausalLM" if isinstance(values[0], str)
                      else values[0] * 1.5)
    flipped = [other.get(v, v) for v in values]
    lists = [[first] + values[1:], values + values[-1:], values[:-1], flipped]
    return [v for v in lists if v != values]


def changed(key, value):
    """What a value is changed to; a null, too."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(value // 2, 0), -1]
    if isinstance(value, float):
        return [value * 1.5 if value else 0.25,
                *[x for x in EXTREMES if x != value]]
    if isinstance(value, list):
        return changed_list(value)
    if isinstance(value, dict):
        return []
    return [v for v in WORDS.get(key, ["nonsense"] if value else [])
            if v != value]


def edit(at, to):
    return {"at": at} if to is ABSENT else {"at": at, "to": to}


def edits_below(config, at):
    for key, value in sorted(config.items()):
        if key == "vision_config":
            continue
        if key == "text_config":
            yield from edits_below(value, at + [key])
            continue
        yield edit(at + [key], ABSENT)
        outer_type = key == "model_type" and "text_config" in config
        for other in ["nonsense"] if outer_type else changed(key, value):
            yield edit(at + [key], other)
        if value is not None:
            yield edit(at + [key], None)
        if value is not None and not isinstance(value, (dict, list)):
            yield edit(at + [key], 7 if isinstance(value, str) else "7")
        if isinstance(value, dict):
            yield from edits_below(value, at + [key])


def additions(config, at, text):
    """Keys that are not there: in the text part `text`, and beside it."""
    for key, values in ADDED.items():
        for value in values + [None] if key not in text else []:
            yield edit(at + [key], value)
        if at and key not in config:
            yield edit([key], None)
    n = text["num_hidden_layers"]
    for key, values in (("layer_types", [SLIDING] * n),
                        ("no_rope_layers", [0] * n)):
        if key not in text:
            yield edit(at + [key], values)


# --- keys together ---------------------------------------------------------

def spell(value, n):
    """A list of one element for each of n layers, by its name."""
    if value == "sliding":
        return [SLIDING] * n
    if value == "mixed":
        return [SLIDING] * (n - 1) + [FULL]
    return value


def edits_together(config, at, values):
    """Those of some keys' values which differ from what is there."""
    for keys in itertools.product(*[[(key, v) for v in values[key]]
                                    for key in values]):
        edits = []
        for key, value in keys:
            path = [key[6:]] if key.startswith("outer ") else at + [key]
            object_ = read(config, path[:-1])
            if key == "layer_types":
                value = spell(value, read(config, at)["num_hidden_layers"])
            if object_.get(path[-1], ABSENT) != value:
                edits.append(edit(path, value))
        if edits:
            yield edits


def read(config, at):
    for key in at:
        config = config[key]
    return config


def changes(name, config):
    """All changes of the model's config.json, each once."""
    at = ["text_config"] if "text_config" in config else []
    single = [*edits_below(config, []),
              *additions(config, at, read(config, at))]
    every = [[e] for e in single]
    for names, values in TOGETHER:
        if any(name.startswith(n) for n in names):
            every += edits_together(config, at, values)
    return list({json.dumps(edits): edits for edits in every}.values())


def apply_change(config, edits):
    config = copy.deepcopy(config)
    for e in edits:
        inner = read(config, e["at"][:-1])
        if "to" in e:
            inner[e["at"][-1]] = e["to"]
        else:
            del inner[e["at"][-1]]
    return config
