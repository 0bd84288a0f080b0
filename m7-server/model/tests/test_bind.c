/* Every weight that config.json describes must be in the files, and nothing
 * else. */
#include "bind.h"

#include "test_model_open.h"

static void assert_weights_refused(const char *name, const char *shape,
                                   const char *message)
{
    write_small_config(NULL, 0);
    write_small_weights(CHANGES({name, shape}), 1, "F32");
    assert_refused(ERROR_INPUT, message);
}

static void each_missing_tensor_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TENSORS; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "./model.safetensors: there is no tensor %s",
                 small_tensors[i].key);
        assert_weights_refused(small_tensors[i].key, NULL, message);
    }
}

static void a_tensor_of_another_shape_is_refused(void **state)
{
    (void)state;
    assert_weights_refused(
        "model.layers.0.mlp.up_proj.weight", "[8, 6]",
        "./model.safetensors: tensor model.layers.0.mlp.up_proj.weight is "
        "[8, 6], but by config.json it should be [6, 8]");
    assert_weights_refused("model.norm.weight", "[8, 1]",
                           "./model.safetensors: tensor model.norm.weight is "
                           "[8, 1], but by config.json it should be [8]");
    assert_weights_refused(
        "model.embed_tokens.weight", "[6, 8]",
        "./model.safetensors: tensor model.embed_tokens.weight is [6, 8], but "
        "by config.json it should be [5, 8]");
    assert_weights_refused(
        "lm_head.weight", "[40]",
        "./model.safetensors: tensor lm_head.weight is [40], but by "
        "config.json it should be [5, 8]");
}

static void assert_unused_refused(const char *name, const char *shape)
{
    char message[200];
    snprintf(message, sizeof message,
             "./model.safetensors: nothing uses tensor %s, so the model is "
             "not what config.json says it is",
             name);
    write_small_config(NULL, 0);
    write_small_weights(CHANGES({name, shape}), 1, "F32");
    assert_refused(ERROR_UNSUPPORTED, message);
}

static void a_tensor_that_nothing_uses_is_refused(void **state)
{
    (void)state;
    assert_unused_refused("model.layers.0.self_attn.q_proj.bias", "[8]");
    assert_unused_refused("model.layers.1.mlp.up_proj.weight", "[6, 8]");
    assert_unused_refused("embed_tokens.weight", "[5, 8]");
}

static void a_type_that_cannot_be_multiplied_is_refused(void **state)
{
    (void)state;
    write_small_config(NULL, 0);
    write_small_weights(NULL, 0, "I8");
    assert_refused(ERROR_UNSUPPORTED,
                   "./model.safetensors: tensor model.embed_tokens.weight has "
                   "numbers of type I8; F32, F16 and BF16 can be multiplied");
}

static void old_files_may_hold_rotary_frequencies(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(
        CHANGES({"model.layers.0.self_attn.rotary_emb.inv_freq", "[2]"}), 1,
        "F32");
    open_changed(&m, NULL, 0);
    model_close(&m);
}

static void a_tied_head_is_the_embedding_unless_it_is_there(void **state)
{
    (void)state;
    struct model m;
    const struct change tied[] = {{"tie_word_embeddings", "true"}};
    write_small_weights(CHANGES({"lm_head.weight", NULL}), 1, "F32");
    open_changed(&m, tied, 1);
    assert_ptr_equal(m.head.data, m.embedding.data);
    model_close(&m);
    write_small_weights(NULL, 0, "F32");
    open_changed(&m, tied, 1);
    assert_ptr_not_equal(m.head.data, m.embedding.data);
    model_close(&m);
}

/* --- a fused tensor in which heads take turns ---------------------------- */

static const struct change neox_config[] = {
    {"architectures", "[\"GPTNeoXForCausalLM\"]"},
    {"model_type", "\"gpt_neox\""},
    {"num_key_value_heads", NULL},
    {"rotary_pct", "0.5"},
};

/* What a GPT-NeoX has in place of a Llama's. */
static const struct change neox_tensors[] = {
    {"gpt_neox.embed_in.weight", "[5, 8]"},
    {"gpt_neox.final_layer_norm.weight", "[8]"},
    {"gpt_neox.final_layer_norm.bias", "[8]"},
    {"embed_out.weight", "[5, 8]"},
    {"gpt_neox.layers.0.input_layernorm.weight", "[8]"},
    {"gpt_neox.layers.0.input_layernorm.bias", "[8]"},
    {"gpt_neox.layers.0.attention.query_key_value.weight", "[24, 8]"},
    {"gpt_neox.layers.0.attention.query_key_value.bias", "[24]"},
    {"gpt_neox.layers.0.attention.dense.weight", "[8, 8]"},
    {"gpt_neox.layers.0.attention.dense.bias", "[8]"},
    {"gpt_neox.layers.0.post_attention_layernorm.weight", "[8]"},
    {"gpt_neox.layers.0.post_attention_layernorm.bias", "[8]"},
    {"gpt_neox.layers.0.mlp.dense_h_to_4h.weight", "[6, 8]"},
    {"gpt_neox.layers.0.mlp.dense_h_to_4h.bias", "[6]"},
    {"gpt_neox.layers.0.mlp.dense_4h_to_h.weight", "[8, 6]"},
    {"gpt_neox.layers.0.mlp.dense_4h_to_h.bias", "[8]"},
};

enum neox_sizes {
    N_NEOX_CONFIG = sizeof neox_config / sizeof neox_config[0],
    N_NEOX_TENSORS = sizeof neox_tensors / sizeof neox_tensors[0]
};

/* Open a small model of this config.json that has these tensors (n,), at most
 * 20, in place of a Llama's, and one more or one of another shape. */
static void open_other(struct model *m, const struct change *config,
                       size_t n_config, const struct change *tensors, size_t n,
                       struct change more)
{
    struct change changes[N_TENSORS + 20 + 1];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        changes[count++] = tensors[i];
    changes[count++] = more;
    for (size_t i = 0; i < N_TENSORS; i++)
        changes[count++] = (struct change){small_tensors[i].key, NULL};
    write_small_weights(changes, count, "F32");
    open_changed(m, config, n_config);
}

static void open_neox(struct model *m, struct change more)
{
    open_other(m, neox_config, N_NEOX_CONFIG, neox_tensors, N_NEOX_TENSORS,
               more);
}

static void parts_take_turns_head_by_head(void **state)
{
    (void)state;
    struct model m;
    open_neox(&m, (struct change){"x.rotary_emb.inv_freq", "[2]"});
    struct attention *a = &m.layers[0].attention;
    assert_int_equal(a->k.weight.run, 4);
    assert_int_equal(a->k.weight.stride, 12);
    assert_ptr_equal(a->k.weight.data, a->q.weight.data);
    assert_int_equal(a->k.weight.first, 4);
    model_close(&m);
}

static const struct change internlm2_config[] = {
    {"architectures", "[\"InternLM2ForCausalLM\"]"},
    {"model_type", "\"internlm2\""},
    {"num_attention_heads", "4"},
    {"num_key_value_heads", "2"},
    {"bias", "false"},
};

static const struct change internlm2_tensors[] = {
    {"model.tok_embeddings.weight", "[5, 8]"},
    {"output.weight", "[5, 8]"},
    {"model.layers.0.attention_norm.weight", "[8]"},
    {"model.layers.0.attention.wqkv.weight", "[16, 8]"},
    {"model.layers.0.attention.wo.weight", "[8, 8]"},
    {"model.layers.0.ffn_norm.weight", "[8]"},
    {"model.layers.0.feed_forward.w1.weight", "[6, 8]"},
    {"model.layers.0.feed_forward.w3.weight", "[6, 8]"},
    {"model.layers.0.feed_forward.w2.weight", "[8, 6]"},
};

/* Of four heads of 2 numbers, two share one of keys: two of queries, one of
 * keys, one of values, and the same again. */
static void parts_take_turns_group_by_group(void **state)
{
    (void)state;
    struct model m;
    open_other(&m, internlm2_config, 5, internlm2_tensors, 9,
               (struct change){"model.norm.weight", "[8]"});
    struct attention *a = &m.layers[0].attention;
    assert_int_equal(a->q.weight.run, 4);
    assert_int_equal(a->k.weight.run, 2);
    assert_int_equal(a->v.weight.run, 2);
    assert_int_equal(a->q.weight.stride, 8);
    assert_int_equal(a->k.weight.stride, 8);
    assert_ptr_equal(a->k.weight.data, a->q.weight.data);
    assert_ptr_equal(a->v.weight.data, a->q.weight.data);
    assert_int_equal(a->k.weight.first, 4);
    assert_int_equal(a->v.weight.first, 6);
    model_close(&m);
}

/* As its code has it, whose default is true. */
static void an_internlm2_has_biases_unless_it_says_no(void **state)
{
    (void)state;
    struct model m;
    open_other(&m, internlm2_config, 5, internlm2_tensors, 9,
               (struct change){"model.norm.weight", "[8]"});
    model_close(&m);
    write_small_config(internlm2_config, 4);
    assert_refused(ERROR_INPUT,
                   "./model.safetensors: there is no tensor "
                   "model.layers.0.attention.wqkv.bias");
}

static void only_old_files_of_gpt_neox_hold_masks(void **state)
{
    (void)state;
    struct model m;
    open_neox(&m, (struct change){"gpt_neox.layers.0.attention.bias", "[9]"});
    model_close(&m);
    open_neox(
        &m, (struct change){"gpt_neox.layers.0.attention.masked_bias", "[1]"});
    model_close(&m);
    assert_unused_refused("model.layers.0.attention.bias", "[9]");
    assert_unused_refused("model.layers.0.attention.masked_bias", "[1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(each_missing_tensor_is_named),
        SCRATCH(a_tensor_of_another_shape_is_refused),
        SCRATCH(a_tensor_that_nothing_uses_is_refused),
        SCRATCH(a_type_that_cannot_be_multiplied_is_refused),
        SCRATCH(old_files_may_hold_rotary_frequencies),
        SCRATCH(a_tied_head_is_the_embedding_unless_it_is_there),
        SCRATCH(parts_take_turns_head_by_head),
        SCRATCH(parts_take_turns_group_by_group),
        SCRATCH(an_internlm2_has_biases_unless_it_says_no),
        SCRATCH(only_old_files_of_gpt_neox_hold_masks),
    };
    return cmocka_run_group_tests_name("bind", tests, NULL, NULL);
}
