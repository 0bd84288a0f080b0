"""The small random models of tests/checkpoints/: one row each.

A row is (name, class, options of its configuration, how it is stored).  The
sizes are odd on purpose: heads that do not divide each other's counts, heads
whose size is not hidden_size / heads, windows shorter than the texts, an eps
that is large enough to be seen.

Stored: `dtype` of the file; `shards`, the size at which a new file begins;
`index`, whether the shards come with one; `old`, whether config.json is
spelled as before version 5 of transformers (rope_theta, rope_scaling);
`drop`, keys that are left out of it; `long`, whether there are goldens of a
text of 600 tokens, too; `feed`, a factor of what comes out of activations, so
that their kind matters.
"""


def options(hidden, heads, kv_heads, head_dim, layers, **more):
    """What all families have."""
    return dict(hidden_size=hidden, num_attention_heads=heads,
                num_key_value_heads=kv_heads, head_dim=head_dim,
                num_hidden_layers=layers, intermediate_size=hidden + 16,
                vocab_size=80, max_position_embeddings=1024,
                bos_token_id=1, eos_token_id=2, **more)


LLAMA3 = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0,
              low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=64)
# Small heads have few frequencies: with these lengths, one of them is where
# rounding the ends of the ramp matters.
YARN = dict(rope_type="yarn", rope_theta=1000000.0, factor=4.0,
            original_max_position_embeddings=128)
YARN_FULL = dict(YARN, rope_theta=10000.0, attention_factor=0.8, beta_fast=8.0,
                 beta_slow=0.9, truncate=False,
                 original_max_position_embeddings=64)


def default(theta):
    return dict(rope_type="default", rope_theta=theta)


CHECKPOINTS = [
    ("llama-1", "Llama",
     options(40, 5, 1, 12, 3, attention_bias=True, mlp_bias=True,
             rms_norm_eps=0.03, rope_parameters=LLAMA3,
             tie_word_embeddings=False),
     dict(dtype="bfloat16", shards="30KB", long=True)),
    ("llama-2", "Llama",
     options(48, 6, 3, 8, 2, hidden_act="gelu", tie_word_embeddings=True,
             rope_parameters=dict(rope_type="linear", rope_theta=100000.0,
                                  factor=2.5)),
     dict(dtype="float16", old=True, drop=["head_dim", "rms_norm_eps"],
          feed=3.0)),
    ("smollm2-1", "Llama",
     options(54, 9, 3, 6, 3, rms_norm_eps=1e-5, tie_word_embeddings=True,
             rope_parameters=default(100000.0)),
     dict(dtype="bfloat16", old=True, drop=["head_dim"])),
    ("mistral-1", "Mistral",
     options(36, 4, 4, 14, 3, sliding_window=7, rms_norm_eps=0.02,
             rope_parameters=default(10000.0), tie_word_embeddings=False),
     dict(dtype="float32", shards="60KB", index=False)),
    ("mistral-2", "Mistral",
     options(48, 8, 1, 6, 2, sliding_window=None, rms_norm_eps=1e-5,
             hidden_act="gelu_pytorch_tanh",
             rope_parameters=default(1000000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", old=True)),
    ("qwen2-1", "Qwen2",
     options(48, 6, 3, 8, 3, use_sliding_window=True, sliding_window=9,
             max_window_layers=1, rms_norm_eps=0.01,
             rope_parameters=default(1000000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", old=True, drop=["layer_types", "head_dim"])),
    ("qwen2-2", "Qwen2",
     options(50, 5, 5, 10, 3, use_sliding_window=True, sliding_window=150,
             layer_types=["sliding_attention", "full_attention",
                          "sliding_attention"],
             rms_norm_eps=1e-5, rope_parameters=YARN,
             tie_word_embeddings=False),
     dict(dtype="float16", shards="40KB", old=True, long=True)),
    ("qwen3-1", "Qwen3",
     options(44, 6, 3, 10, 3, attention_bias=True, use_sliding_window=True,
             sliding_window=11, max_window_layers=1, rms_norm_eps=0.05,
             rope_parameters=default(10000.0), tie_word_embeddings=True),
     dict(dtype="bfloat16", drop=["layer_types"])),
    ("qwen3-2", "Qwen3",
     options(40, 5, 1, 12, 3, rms_norm_eps=1e-5, rope_parameters=YARN_FULL,
             tie_word_embeddings=False),
     dict(dtype="float32", shards="50KB", long=True)),
]
