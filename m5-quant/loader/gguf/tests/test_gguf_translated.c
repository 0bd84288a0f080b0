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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_a_model_is_named),
        cmocka_unit_test(what_is_wrong_with_a_tokenizer_is_named),
    };
    return cmocka_run_group_tests_name("gguf_translated", tests, NULL, NULL);
}
