/* Which keys a family takes for true where its config.json is silent: what
 * transformers' classes have, as silence.c says. */
#include "silence.h"

#include "test_numbers.h"

static void a_key_is_on_for_its_family_alone(void **state)
{
    (void)state;
    assert_true(silence_is_on("gemma2", "tie_word_embeddings"));
    assert_true(silence_is_on("starcoder2", "tie_word_embeddings"));
    assert_true(silence_is_on("gemma3_text", "tie_word_embeddings"));
    assert_false(silence_is_on("llama", "tie_word_embeddings"));
    assert_false(silence_is_on("gemma2", "vocab_size"));
}

static void a_key_that_means_a_number_is_not_on(void **state)
{
    (void)state;
    assert_false(silence_is_on("gemma3_text", "vocab_size"));
    assert_false(silence_is_on("gemma3_text", "eos_token_id"));
    assert_false(silence_is_on("llama", "max_position_embeddings"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_on_for_its_family_alone),
        cmocka_unit_test(a_key_that_means_a_number_is_not_on),
    };
    return cmocka_run_group_tests_name("silence, for its table", tests, NULL,
                                       NULL);
}
