/* What is wrong with what a GGUF file says of its model or its tokenizer is
 * refused by the key's name. */
#include "gguf_tokenizer.h"
#include "test_gguf_llama.h"

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

/* Finding the merges of a piece takes the square of its length. */
static void a_piece_may_have_4096_bytes(void **state)
{
    (void)state;
    char piece[4098];
    for (size_t size = 4096; size <= 4097; size++) {
        memset(piece, 'a', size);
        piece[size] = 0;
        struct made m = begin(3, 0, 3);
        put_text(&m, "tokenizer.ggml.model", "llama");
        put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 1);
        put_string(&m, piece);
        put_array(&m, "tokenizer.ggml.scores", GGUF_F32, 1);
        put_u32(&m, 0);
        assert_untranslated(
            &m, gguf_tokenizer,
            size == 4096 ? "x.gguf: tokenizer.ggml.add_bos_token: asks for "
                           "bos_token_id, which is missing"
                         : "x.gguf: tokenizer.ggml.tokens[0]: a piece of more "
                           "than 4096 bytes");
    }
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
                        "x.gguf: llama.expert_count: this program has only "
                        "models in which it is 0");
    m = small_llama(1, 3);
    put_size(&m, "llama.attention.head_count", 2);
    put_size(&m, "llama.expert_count", 0);
    put_size(&m, "llama.made_up", 0);
    put_tensor(&m, "token_embd.weight", 8, 2, 0, 0);
    put_data(&m, 32, 64);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.made_up: is not a key that this "
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_a_model_is_named),
        cmocka_unit_test(what_is_wrong_with_a_tokenizer_is_named),
        cmocka_unit_test(a_tokenizer_that_does_not_fit_is_refused),
        cmocka_unit_test(values_of_the_wrong_type_are_refused),
        cmocka_unit_test(a_piece_may_have_4096_bytes),
        cmocka_unit_test(heads_that_cannot_be_are_refused),
        cmocka_unit_test(a_model_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("gguf_translated", tests, NULL, NULL);
}
