/* What a list of added tokens may say, and what is made of it. */
#include "test_added.h"

static void a_token_is_known_by_its_id(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<s>", "s"}, {3, "<t>", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    assert_int_equal(f.added.n_tokens, 2);
    assert_ptr_equal(added_find(&f.added, 2), &f.added.tokens[0]);
    assert_ptr_equal(added_find(&f.added, 3), &f.added.tokens[1]);
    assert_null(added_find(&f.added, 0));
    assert_null(added_find(&f.added, -1));
    assert_int_equal(vocabulary_find(&f.vocabulary, "<t>", 3), 3);
    assert_int_equal(vocabulary_find_model(&f.vocabulary, "<t>", 3), -1);
    assert_true(f.added.tokens[0].special && !f.added.tokens[1].special);
    finish(&f);
    assert_null(added_find(&f.added, 2));
    assert_true(!f.added.tokens && f.added.n_tokens == 0);
}

/* Whatever id the list says of it. */
static void a_token_of_the_model_keeps_its_id(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{7, "b", ""}, {2, "<s>", ""}, {7, "a", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    assert_int_equal(f.added.tokens[0].id, 1);
    assert_int_equal(f.added.tokens[1].id, 2);
    assert_int_equal(f.added.tokens[2].id, 0);
    assert_ptr_equal(added_find(&f.added, 0), &f.added.tokens[2]);
    assert_int_equal(f.vocabulary.n_used, 3);
    finish(&f);
}

/* Decoding hides what reads like a special token: "<T>", in small letters. */
static void what_looks_special_is_hidden(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {
        {2, "<s>", "s"}, {3, "<t>", "s"}, {4, "<T>", "n"}, {5, "<X>", "ns"}};
    begin(&f, "Lowercase");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    assert_true(f.added.tokens[0].hidden && f.added.tokens[1].hidden);
    assert_true(f.added.tokens[2].hidden && !f.added.tokens[2].special);
    assert_true(!f.added.tokens[3].hidden && f.added.tokens[3].special);
    finish(&f);
}

static void no_list_is_an_empty_one(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_list(&f, json_null()), "");
    assert_string_equal(read_list(&f, json_array()), "");
    assert_int_equal(f.added.n_tokens, 0);
    finish(&f);
}

static void expect_refused(const char *normalizer, const struct line *lines,
                           size_t n, const char *message)
{
    struct fixture f;
    begin(&f, normalizer);
    assert_string_equal(read_lines(&f, lines, n), message);
    finish(&f);
}

static void two_tokens_must_not_look_alike(void **state)
{
    (void)state;
    const struct line same[] = {{2, "<same>", ""}, {3, "<same>", ""}};
    const struct line spelled[] = {{2, "<A>", "n"}, {3, "<a>", "n"}};
    const struct line nothing[] = {{2, "", ""}};
    const struct line normal[] = {{2, " ", "n"}};
    expect_refused("NFC", same, 2,
                   "t.json: added_tokens[1].content: two added tokens look "
                   "like \"<same>\"");
    expect_refused("Lowercase", spelled, 2,
                   "t.json: added_tokens[1].content: two added tokens look "
                   "like \"<a>\"");
    expect_refused("NFC", nothing, 1,
                   "t.json: added_tokens[0].content: is empty");
    expect_refused("Strip", normal, 1,
                   "t.json: added_tokens[0].content: is empty when "
                   "normalized");
}

static void an_id_must_be_the_next(void **state)
{
    (void)state;
    const struct line lines[] = {{3, "<long>", ""}};
    struct fixture f;
    expect_refused("NFC", lines, 1,
                   "t.json: added_tokens[0].id: expected 2, the number of "
                   "tokens before it, found 3");
    begin(&f, "NFC");
    vocabulary_add(&f.vocabulary, "d", 1, 4, true, &f.e);
    vocabulary_add(&f.vocabulary, "c", 1, 3, true, &f.e);
    assert_string_equal(read_lines(&f, lines, 1),
                        "t.json: added_tokens[0].id: expected 4, the number "
                        "of tokens before it, found 3");
    finish(&f);
}

/* The next id may be taken where the model left out another: here 0 or 1. */
static void an_id_in_use_is_not_given_twice(void **state)
{
    (void)state;
    const struct line first[] = {{1, "<s>", ""}}, second[] = {{2, "<s>", ""}};
    struct fixture f;
    begin(&f, "NFC");
    vocabulary_free(&f.vocabulary);
    vocabulary_add(&f.vocabulary, "c", 1, 1, true, &f.e);
    assert_string_equal(
        read_lines(&f, first, 1),
        "t.json: added_tokens[0].id: id 1 is also that of \"c\"");
    added_free(&f.added);
    vocabulary_add(&f.vocabulary, "dd", 2, 2, true, &f.e);
    assert_string_equal(
        read_lines(&f, second, 1),
        "t.json: added_tokens[0].id: id 2 is also that of \"dd\"");
    finish(&f);
}

/* What is said of the first token when one of its members is missing. */
static void expect_missing(const char *member, const char *expected)
{
    struct fixture f;
    const struct line line = {2, "<s>", ""};
    char message[200];
    json_t *token = json_of(&line);
    json_object_del(token, member);
    begin(&f, "NFC");
    snprintf(message, sizeof message,
             "t.json: added_tokens[0].%s: is missing: expected %s", member,
             expected);
    assert_string_equal(read_list(&f, json_pack("[o]", token)), message);
    finish(&f);
}

static void every_member_must_be_there(void **state)
{
    (void)state;
    expect_missing("id", "an integer");
    expect_missing("content", "a string");
    expect_missing("single_word", "true or false");
    expect_missing("lstrip", "true or false");
    expect_missing("rstrip", "true or false");
    expect_missing("normalized", "true or false");
    expect_missing("special", "true or false");
}

static void a_list_is_an_array_of_objects(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_list(&f, json_object()),
                        "t.json: added_tokens: expected an array, found an "
                        "object");
    assert_string_equal(read_list(&f, json_pack("[i]", 1)),
                        "t.json: added_tokens[0]: expected an object, found "
                        "an integer");
    added_free(&f.added);
    assert_string_equal(read_list(&f, json_pack("[{s:i}]", "odd", 1)),
                        "t.json: added_tokens[0].odd: is not an option that "
                        "is known here (id content single_word lstrip rstrip "
                        "normalized special)");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_is_known_by_its_id),
        cmocka_unit_test(a_token_of_the_model_keeps_its_id),
        cmocka_unit_test(what_looks_special_is_hidden),
        cmocka_unit_test(no_list_is_an_empty_one),
        cmocka_unit_test(two_tokens_must_not_look_alike),
        cmocka_unit_test(an_id_must_be_the_next),
        cmocka_unit_test(an_id_in_use_is_not_given_twice),
        cmocka_unit_test(every_member_must_be_there),
        cmocka_unit_test(a_list_is_an_array_of_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
