/* A key is known, or changes nothing, or is refused. */
#include "keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static void a_word_is_whole(void **state)
{
    (void)state;
    assert_true(words_have("a bc d", "a"));
    assert_true(words_have("a bc d", "bc"));
    assert_true(words_have("a bc d", "d"));
    assert_false(words_have("a bc d", "b"));
    assert_false(words_have("a bc d", "c"));
    assert_false(words_have("a bc d", "e"));
    assert_false(words_have("a bc d", ""));
    assert_false(words_have("", "a"));
    assert_true(words_have("xa a", "a"));
    assert_true(words_have("ax a", "a"));
    assert_true(words_have("bc-b bc", "bc"));
    assert_false(words_have("abc cbc", "bc"));
}

/* keys_check of an object, with lists of three words. */
static int check(const char *text, const char *model_type, struct error *e)
{
    static const char *const lists[] = {"size head_dim", "shape"};
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    struct node root = node_root("config.json", object);
    *e = (struct error){ERROR_NONE, ""};
    int result = keys_check(&root, lists, 2, model_type, "a test", e);
    json_decref(object);
    return result;
}

static void assert_passes(const char *text, const char *model_type)
{
    struct error e;
    int result = check(text, model_type, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
}

static void assert_refused(const char *text, const char *model_type,
                           const char *key, const char *why)
{
    struct error e;
    char message[160];
    assert_int_equal(check(text, model_type, &e), -1);
    snprintf(message, sizeof message, "config.json: %s: %s", key, why);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, ERROR_UNSUPPORTED);
}

static void assert_key_refused(const char *text, const char *model_type,
                               const char *key)
{
    assert_refused(text, model_type, key,
                   "is not a key that this program knows for a test");
}

/* The key could stay, with this value. */
static void assert_value_refused(const char *text, const char *key,
                                 const char *only)
{
    char why[80];
    snprintf(why, sizeof why, "this program has only models in which it is %s",
             only);
    assert_refused(text, NULL, key, why);
}

static void a_key_of_any_list_is_known(void **state)
{
    (void)state;
    assert_passes("{}", NULL);
    assert_passes("{\"size\": 1, \"head_dim\": 2, \"shape\": [3]}", NULL);
    assert_key_refused("{\"size\": 1, \"weight\": 2, \"shape\": 3}", NULL,
                       "weight");
    assert_key_refused("{\"dim\": 2}", NULL, "dim");
}

static void a_known_key_is_null_where_that_means_something(void **state)
{
    (void)state;
    struct error e;
    assert_passes("{\"head_dim\": null}", NULL);
    assert_int_equal(check("{\"size\": null}", NULL, &e), -1);
    assert_string_equal(e.message, "config.json: size: is null: leave it out, "
                                   "or say what it is");
    assert_int_equal(e.code, ERROR_INPUT);
}

/* What is off is as good as not there, unless it is on without being said. */
static void an_unknown_key_may_say_what_its_absence_says(void **state)
{
    (void)state;
    assert_passes("{\"weight\": null, \"colour\": false}", NULL);
    assert_passes("{\"is_causal\": true, \"return_dict\": true}", NULL);
    assert_passes("{\"_attn_implementation\": \"eager\"}", NULL);
    assert_key_refused("{\"weight\": true}", NULL, "weight");
    assert_key_refused("{\"weight\": \"eager\"}", NULL, "weight");
    assert_key_refused("{\"truncate\": false}", NULL, "truncate");
}

/* Not the key is what this program does not know. */
static void of_a_key_with_one_right_value_that_is_told(void **state)
{
    (void)state;
    assert_value_refused("{\"is_causal\": false}", "is_causal", "true");
    assert_value_refused("{\"is_causal\": null}", "is_causal", "true");
    assert_value_refused("{\"return_dict\": false}", "return_dict", "true");
    assert_value_refused("{\"return_dict\": 1}", "return_dict", "true");
    assert_value_refused("{\"_attn_implementation\": \"sdpa\"}",
                         "_attn_implementation", "\"eager\"");
    assert_value_refused("{\"_attn_implementation\": 3}",
                         "_attn_implementation", "\"eager\"");
}

/* transformers reads mlp_bias in a Llama, and nowhere a weight. */
static void what_transformers_does_not_read_changes_nothing(void **state)
{
    (void)state;
    assert_passes("{\"weight\": 3}", "llama");
    assert_key_refused("{\"mlp_bias\": 3}", "llama", "mlp_bias");
    assert_key_refused("{\"weight\": 3}", NULL, "weight");
    assert_key_refused("{\"weight\": 3}", "made_up", "weight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_whole),
        cmocka_unit_test(a_key_of_any_list_is_known),
        cmocka_unit_test(a_known_key_is_null_where_that_means_something),
        cmocka_unit_test(an_unknown_key_may_say_what_its_absence_says),
        cmocka_unit_test(of_a_key_with_one_right_value_that_is_told),
        cmocka_unit_test(what_transformers_does_not_read_changes_nothing),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
