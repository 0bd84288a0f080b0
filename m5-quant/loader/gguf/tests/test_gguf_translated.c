/* What is wrong with what a GGUF file says of its model or its tokenizer is
 * refused by the key's name. */
#include "gguf_config.h"
#include "gguf_tokenizer.h"
#include "test_gguf_made.h"

typedef json_t *translation(const struct gguf *files, size_t n,
                            struct error *e);

static void assert_untranslated(const struct made *m, translation *of,
                                const char *message)
{
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, &e), 0);
    assert_null(of(&g, 1, &e));
    assert_string_equal(e.message, message);
    gguf_free(&g);
    free(copy);
}

static void what_is_wrong_with_a_model_is_named(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 0);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: general.architecture: is missing: expected "
                        "a string");
    m = begin(3, 0, 1);
    put_text(&m, "general.architecture", "mamba");
    assert_untranslated(&m, gguf_config,
                        "x.gguf: general.architecture: this program knows no "
                        "GGUF model \"mamba\"");
    m = begin(3, 0, 1);
    put_text(&m, "general.architecture", "llama");
    assert_untranslated(
        &m, gguf_config,
        "x.gguf: llama.context_length: is missing: expected an "
        "integer");
    m = begin(3, 0, 2);
    put_text(&m, "general.architecture", "llama");
    put_text(&m, "llama.context_length", "long");
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.context_length: expected an integer, "
                        "found a string");
    m = begin(3, 0, 2);
    put_text(&m, "general.architecture", "llama");
    put_key(&m, "llama.rope.freq_base", GGUF_F32);
    put_u32(&m, 0x7fc00000);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: key llama.rope.freq_base: a number that is "
                        "not finite at byte 101");
}

static void what_is_wrong_with_a_tokenizer_is_named(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 0);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.model: is missing: expected "
                        "a string");
    m = begin(3, 0, 1);
    put_text(&m, "tokenizer.ggml.model", "bert");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.model: this program knows no "
                        "tokenizer \"bert\"");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "gpt2");
    put_text(&m, "tokenizer.ggml.pre", "viking");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.pre: this program does not "
                        "know how \"viking\" cuts a text into words");
    m = begin(3, 0, 3);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    put_string(&m, "a");
    put_string(&m, "b");
    put_array(&m, "tokenizer.ggml.scores", GGUF_F32, 1);
    put_u32(&m, 0);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.scores: has 1 values, but "
                        "there are 2 tokens");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    put_string(&m, "a");
    put_string(&m, "a");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.tokens[1]: \"a\" is also "
                        "token 0");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 1);
    put_string(&m, "a\xff");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: key tokenizer.ggml.tokens: a text that is "
                        "not UTF-8 at byte 123");
}

/* A SentencePiece tokenizer of two pieces, and room for `more` values. */
static struct made two_pieces(uint64_t tensors, uint64_t more)
{
    struct made m = begin(3, tensors, 3 + more);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    put_string(&m, "a");
    put_string(&m, "<s>");
    put_array(&m, "tokenizer.ggml.scores", GGUF_F32, 2);
    put_u32(&m, 0);
    put_u32(&m, 0);
    return m;
}

static void a_tokenizer_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct made m = two_pieces(1, 0);
    put_tensor(&m, "token_embd.weight", 4, 3, 0, 0);
    put_data(&m, 32, 64);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.tokens: 2 tokens, but "
                        "token_embd.weight has 3 rows");
    m = two_pieces(0, 1);
    put_size(&m, "tokenizer.ggml.bos_token_id", 2);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.bos_token_id: expected an "
                        "integer from 0 to 1, found 2");
    m = two_pieces(0, 0);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.add_bos_token: asks for "
                        "bos_token_id, which is missing");
    m = two_pieces(0, 1);
    put_array(&m, "tokenizer.ggml.token_type", GGUF_I32, 2);
    put_u32(&m, 1);
    put_u32(&m, 9);
    assert_untranslated(
        &m, gguf_tokenizer,
        "x.gguf: tokenizer.ggml.token_type[1]: there is no type 9 of tokens");
    m = two_pieces(0, 1);
    put_text(&m, "tokenizer.ggml.add_bos_token", "yes");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.add_bos_token: expected true "
                        "or false, found a string");
    m = two_pieces(0, 1);
    put_size(&m, "tokenizer.ggml.merges", 1);
    assert_untranslated(
        &m, gguf_tokenizer,
        "x.gguf: tokenizer.ggml.merges: expected an array, found an integer");
}

static void values_of_the_wrong_type_are_refused(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_text(&m, "tokenizer.ggml.tokens", "a");
    assert_untranslated(
        &m, gguf_tokenizer,
        "x.gguf: tokenizer.ggml.tokens: expected an array, found a string");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_U32, 1);
    put_u32(&m, 1);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.tokens[0]: expected a string, "
                        "found an integer");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "gpt2");
    put_size(&m, "tokenizer.ggml.pre", 1);
    assert_untranslated(
        &m, gguf_tokenizer,
        "x.gguf: tokenizer.ggml.pre: expected a string, found an integer");
    m = begin(3, 0, 1);
    put_size(&m, "general.architecture", 1);
    assert_untranslated(
        &m, gguf_config,
        "x.gguf: general.architecture: expected a string, found an integer");
}

/* What every Llama says, but for head_count, and room for `more` values. */
static struct made small_llama(uint64_t tensors, uint64_t more)
{
    struct made m = begin(3, tensors, 6 + more);
    put_text(&m, "general.architecture", "llama");
    put_size(&m, "llama.context_length", 16);
    put_size(&m, "llama.embedding_length", 8);
    put_size(&m, "llama.feed_forward_length", 8);
    put_size(&m, "llama.block_count", 1);
    put_key(&m, "llama.attention.layer_norm_rms_epsilon", GGUF_F32);
    put_u32(&m, 0x3a000000);
    return m;
}

static void heads_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct made m = small_llama(0, 1);
    put_array(&m, "llama.attention.head_count", GGUF_U32, 1);
    put_u32(&m, 2);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.attention.head_count: expected an "
                        "integer, found an array");
    m = small_llama(0, 1);
    put_size(&m, "llama.attention.head_count", 0);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.attention.head_count: is 0");
    m = small_llama(0, 1);
    put_size(&m, "llama.attention.head_count", UINT32_MAX);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.attention.head_count: expected an "
                        "integer from 0 to 2147483647, found 4294967295");
    m = small_llama(0, 1);
    put_size(&m, "llama.attention.head_count", 2);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: tensor token_embd.weight: is missing");
}

static void a_model_that_cannot_be_is_refused(void **state)
{
    (void)state;
    struct made m = small_llama(1, 2);
    put_size(&m, "llama.attention.head_count", 2);
    put_size(&m, "llama.rope.dimension_count", 6);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_data(&m, 32, 64);
    assert_untranslated(
        &m, gguf_config,
        "x.gguf: llama.rope.dimension_count: 6 of a head's 4 numbers turn");
    m = small_llama(1, 2);
    put_size(&m, "llama.attention.head_count", 2);
    put_size(&m, "llama.expert_count", 8);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_data(&m, 32, 64);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.expert_count: is not a key that this "
                        "program knows for LlamaForCausalLM");
    m = small_llama(2, 1);
    put_size(&m, "llama.attention.head_count", 2);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_tensor(&m, "rope_freqs.weight", 2, 1, 0, 64);
    put_data(&m, 32, 96);
    assert_untranslated(
        &m, gguf_config,
        "x.gguf: tensor rope_freqs.weight: should be one row of F32");
}

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
        cmocka_unit_test(what_is_wrong_with_a_model_is_named),
        cmocka_unit_test(what_is_wrong_with_a_tokenizer_is_named),
        cmocka_unit_test(a_tokenizer_that_does_not_fit_is_refused),
        cmocka_unit_test(values_of_the_wrong_type_are_refused),
        cmocka_unit_test(heads_that_cannot_be_are_refused),
        cmocka_unit_test(a_model_that_cannot_be_is_refused),
        cmocka_unit_test(a_factor_without_a_type_is_linear),
        cmocka_unit_test(a_factor_that_is_not_read_must_be_1),
        cmocka_unit_test(what_changes_nothing_is_passed_over),
        cmocka_unit_test(two_lists_are_the_only_scaling),
        cmocka_unit_test(one_list_may_have_a_factor_for_attention),
    };
    return cmocka_run_group_tests_name("gguf_translated", tests, NULL, NULL);
}
