/* How positions are scaled: what llama.cpp reads is read, or refused. */
#include "test_gguf_llama.h"

/* As in llama.cpp, a factor alone scales positions. */
static void a_factor_without_a_type_is_linear(void **state)
{
    (void)state;
    struct made m = small_llama(2, 2);
    put_size(&m, "llama.attention.head_count", 2);
    put_key(&m, "llama.rope.scaling.factor", GGUF_F32);
    put_u32(&m, 0x40000000);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_tensor(&m, "rope_freqs.weight", 2, 1, 0, 64);
    put_data(&m, 32, 96);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.rope.scaling.type: \"linear\" and the "
                        "tensor rope_freqs: which is meant?");
}

/* What is said of how positions are scaled: a number. */
static void put_f32(struct made *m, const char *key, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_key(m, key, GGUF_F32);
    put_u32(m, bits);
}

/* A small Llama with a type of scaling, NULL for none, and a number. */
static struct made scaled_llama(const char *type, const char *key, float value)
{
    struct made m = small_llama(1, type ? 3 : 2);
    put_size(&m, "llama.attention.head_count", 2);
    put_f32(&m, key, value);
    if (type)
        put_text(&m, "llama.rope.scaling.type", type);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_data(&m, 32, 64);
    return m;
}

/* The rotary scaling of a model as config.json would have it, or NULL. */
static json_t *scaling_of(const struct made *m)
{
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, &e), 0);
    json_t *config = gguf_config(&g, 1, &e);
    assert_non_null(config);
    json_t *scaling = json_incref(json_object_get(config, "rope_scaling"));
    json_decref(config);
    gguf_free(&g);
    free(copy);
    return scaling;
}

/* llama.cpp multiplies what has turned by attn_factor, whatever the type. */
static void a_factor_that_is_not_read_must_be_1(void **state)
{
    (void)state;
    const char *key = "llama.rope.scaling.attn_factor";
    struct made m = scaled_llama(NULL, key, 1.5f);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.rope.scaling.attn_factor: 1.5; with "
                        "rotary scaling \"none\" only 1 is known");
    m = scaled_llama("linear", key, 1.5f);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.rope.scaling.attn_factor: 1.5; with "
                        "rotary scaling \"linear\" only 1 is known");
    m = scaled_llama("none", key, 1);
    assert_null(scaling_of(&m));
}

/* What llama.cpp's type never reads, or reads to no effect. */
static void what_changes_nothing_is_passed_over(void **state)
{
    (void)state;
    static const char *const keys[] = {"llama.rope.scaling.factor",
                                       "llama.rope.scaling.yarn_beta_fast",
                                       "llama.rope.scaling.yarn_beta_slow"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct made m = scaled_llama("none", keys[i], 4);
        assert_null(scaling_of(&m));
    }
    struct made m = scaled_llama(NULL, keys[1], 4);
    assert_null(scaling_of(&m));
}

/* A tensor of one row of F32. */
static void put_row(struct made *m, const char *name, uint64_t cols,
                    uint64_t offset)
{
    put_string(m, name);
    put_u32(m, 1);
    put_u64(m, cols);
    put_u32(m, 0);
    put_u64(m, offset);
}

/* A small Phi-3 with its two lists, a type of scaling and a number. */
static struct made long_phi3(const char *type, const char *key, float value)
{
    struct made m = begin(3, 3, 9);
    put_text(&m, "general.architecture", "phi3");
    put_size(&m, "phi3.context_length", 16);
    put_size(&m, "phi3.embedding_length", 8);
    put_size(&m, "phi3.feed_forward_length", 8);
    put_size(&m, "phi3.block_count", 1);
    put_f32(&m, "phi3.attention.layer_norm_rms_epsilon", 1e-5f);
    put_size(&m, "phi3.attention.head_count", 2);
    put_text(&m, "phi3.rope.scaling.type", type);
    put_f32(&m, key, value);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_row(&m, "rope_factors_long.weight", 2, 64);
    put_row(&m, "rope_factors_short.weight", 2, 96);
    put_data(&m, 32, 128);
    return m;
}

static void two_lists_are_the_only_scaling(void **state)
{
    (void)state;
    const char *key = "phi3.rope.scaling.factor";
    struct made m = long_phi3("longrope", key, 2);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: phi3.rope.scaling.factor: 2; with rotary "
                        "scaling \"longrope\" only 1 is known");
    m = long_phi3("yarn", key, 1);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: phi3.rope.scaling.type: \"yarn\" and the "
                        "tensor rope_factors_long: which is meant?");
    m = long_phi3("longrope", "phi3.rope.scaling.attn_factor", 1.5f);
    json_t *scaling = scaling_of(&m);
    assert_float_equal(
        json_number_value(json_object_get(scaling, "attention_factor")), 1.5,
        0);
    json_decref(scaling);
}

/* Llama 3's list, whose factors stand for all scaling but attn_factor. */
static void one_list_may_have_a_factor_for_attention(void **state)
{
    (void)state;
    struct made m = small_llama(2, 2);
    put_size(&m, "llama.attention.head_count", 2);
    put_f32(&m, "llama.rope.scaling.attn_factor", 1.5f);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_row(&m, "rope_freqs.weight", 2, 64);
    put_data(&m, 32, 96);
    json_t *scaling = scaling_of(&m);
    assert_float_equal(
        json_number_value(json_object_get(scaling, "attention_factor")), 1.5,
        0);
    json_decref(scaling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factor_without_a_type_is_linear),
        cmocka_unit_test(a_factor_that_is_not_read_must_be_1),
        cmocka_unit_test(what_changes_nothing_is_passed_over),
        cmocka_unit_test(two_lists_are_the_only_scaling),
        cmocka_unit_test(one_list_may_have_a_factor_for_attention),
    };
    return cmocka_run_group_tests_name("gguf_rope", tests, NULL, NULL);
}
