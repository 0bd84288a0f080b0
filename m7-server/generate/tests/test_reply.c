/* A reply is whole characters, and ends before a stop string. */
#include "reply.h"

#include "test_run.h"
#undef fail
#include "test_numbers.h"
#include "unicode.h"

static struct tokenizer *tokenizer;

static int load_tokenizer(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat");
    struct error e;
    if (access(path, R_OK) == 0)
        tokenizer = tokenizer_load(path, &e);
    free(path);
    return 0;
}

static int free_tokenizer(void **state)
{
    (void)state;
    tokenizer_free(tokenizer);
    return 0;
}

/* Say a text token by token: what comes out is `expected`, and always whole
 * characters. */
static void expect_reply(const char *text, const char *stop,
                         const char *expected)
{
    struct reply r;
    struct error e;
    struct ids ids = {0};
    struct bytes out = {0};
    if (!tokenizer)
        skip_without_models();
    assert_ok(tokenizer_encode(tokenizer, text, strlen(text), false, &ids, &e),
              &e);
    assert_ok(reply_init(&r, tokenizer, &stop, stop ? 1 : 0, &e), &e);
    for (size_t i = 0; i < ids.size && !r.stop.found; i++) {
        assert_ok(reply_put(&r, ids.data[i], &out, &e), &e);
        assert_int_equal(utf8_valid(out.data ? out.data : "", out.size),
                         out.size);
    }
    assert_ok(reply_end(&r, &out, &e), &e);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    reply_free(&r);
    bytes_free(&out);
    ids_free(&ids);
}

static void a_reply_says_all_that_its_tokens_say(void **state)
{
    (void)state;
    expect_reply("The capital of France is Paris.", NULL,
                 "The capital of France is Paris.");
    expect_reply("na\u00efve \U0001f642 \u4f60", NULL,
                 "na\u00efve \U0001f642 \u4f60");
}

static void a_stop_string_may_begin_and_end_inside_tokens(void **state)
{
    (void)state;
    expect_reply("The capital of France is Paris.", "pital of Fr", "The ca");
    expect_reply("The capital of France is Paris.", "Paris. No",
                 "The capital of France is Paris.");
}

/* The emoji's four bytes are four tokens. */
static void a_stop_string_may_be_a_character_of_several_tokens(void **state)
{
    (void)state;
    expect_reply("ab \U0001f642 c", "\U0001f642", "ab ");
    expect_reply("ab \U0001f643 c", "\U0001f642", "ab \U0001f643 c");
}

static void an_id_that_is_no_token_says_nothing(void **state)
{
    (void)state;
    struct reply r;
    struct error e;
    struct bytes out = {0};
    if (!tokenizer)
        skip_without_models();
    assert_ok(reply_init(&r, tokenizer, NULL, 0, &e), &e);
    assert_int_equal(reply_put(&r, 1 << 30, &out, &e), -1);
    assert_int_equal(out.size, 0);
    reply_free(&r);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_says_all_that_its_tokens_say),
        cmocka_unit_test(a_stop_string_may_begin_and_end_inside_tokens),
        cmocka_unit_test(a_stop_string_may_be_a_character_of_several_tokens),
        cmocka_unit_test(an_id_that_is_no_token_says_nothing),
    };
    return cmocka_run_group_tests_name("reply", tests, load_tokenizer,
                                       free_tokenizer);
}
