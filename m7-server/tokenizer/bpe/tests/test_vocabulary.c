/* The vocabulary finds a token by its spelling and by its id. */
#include "vocabulary.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static void add(struct vocabulary *v, const char *text, uint32_t id)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(vocabulary_add(v, text, strlen(text), id, true, &e), 0);
}

static int find(const struct vocabulary *v, const char *text)
{
    return vocabulary_find(v, text, strlen(text));
}

static void expect_text(const struct vocabulary *v, int id, const char *text)
{
    size_t size = 99;
    assert_string_equal(vocabulary_text(v, id, &size), text);
    assert_int_equal(size, strlen(text));
}

static void an_empty_vocabulary_has_no_tokens(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    size_t size;
    assert_int_equal(find(&v, "a"), -1);
    assert_int_equal(vocabulary_find_model(&v, "a", 1), -1);
    assert_null(vocabulary_text(&v, 0, &size));
    vocabulary_free(&v);
}

/* Ids 1 and 3 are holes. */
static void only_ids_that_were_given_are_tokens(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    size_t size;
    add(&v, "four", 4);
    add(&v, "zero", 0);
    add(&v, "two", 2);
    assert_int_equal(v.size, 5);
    assert_int_equal(v.n_used, 3);
    expect_text(&v, 0, "zero");
    expect_text(&v, 2, "two");
    expect_text(&v, 4, "four");
    const int others[] = {1, 3, -1, 5, INT_MIN, INT_MAX};
    v.tokens[5].used = true; /* in the room behind the last */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(vocabulary_text(&v, others[i], &size));
    vocabulary_free(&v);
    assert_true(v.size == 0 && v.n_slots == 0 && !v.slots);
}

/* A spelling is all of its bytes; "" is one, when there is such a token. */
static void a_spelling_is_found_whole(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    struct error e;
    add(&v, "ab", 0);
    assert_int_equal(vocabulary_add(&v, "a\0b.", 3, 1, true, &e), 0);
    assert_int_equal(find(&v, "ab"), 0);
    assert_int_equal(vocabulary_find(&v, "a\0b", 3), 1);
    assert_int_equal(find(&v, "a"), -1);
    assert_int_equal(find(&v, "abc"), -1);
    assert_int_equal(find(&v, ""), -1);
    add(&v, "", 2);
    assert_int_equal(find(&v, ""), 2);
    expect_text(&v, 2, "");
    assert_int_equal(v.spellings.size, 3 + 4 + 1);
    vocabulary_free(&v);
}

static void an_added_token_is_not_the_models(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    struct error e;
    add(&v, "a", 0);
    assert_int_equal(vocabulary_add(&v, "<s>", 3, 1, false, &e), 0);
    assert_int_equal(find(&v, "<s>"), 1);
    assert_int_equal(vocabulary_find_model(&v, "<s>", 3), -1);
    assert_int_equal(vocabulary_find_model(&v, "a", 1), 0);
    assert_int_equal(vocabulary_find_model(&v, "b", 1), -1);
    vocabulary_free(&v);
}

/* The table is more than twice as large as what is in it, and no more than
 * four times; while it is large enough, it stays. */
static void the_table_grows_with_its_tokens(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    for (uint32_t n = 1; n <= 1000; n++) {
        char text[24];
        size_t n_slots = v.n_slots;
        const uint32_t *slots = v.slots;
        snprintf(text, sizeof text, "token %u", (unsigned)n);
        add(&v, text, n - 1);
        assert_true(v.n_slots > 2 * v.n_used);
        assert_true(v.n_slots <= (n < 4 ? 16 : 4 * n));
        assert_true((v.n_slots & (v.n_slots - 1)) == 0);
        if (v.n_slots == n_slots)
            assert_ptr_equal(v.slots, slots);
    }
    for (int n = 1; n <= 1000; n++) {
        char text[24];
        snprintf(text, sizeof text, "token %d", n);
        assert_int_equal(find(&v, text), n - 1);
        expect_text(&v, n - 1, text);
    }
    vocabulary_free(&v);
}

/* In a larger table stands what stood in the smaller one, and no hole. */
static void a_larger_table_has_the_same_tokens(void **state)
{
    (void)state;
    struct vocabulary holes = {0}, empty = {0};
    add(&empty, "", 0);
    for (uint32_t id = 1; id < 100; id++) {
        char text[24];
        snprintf(text, sizeof text, "token %u", (unsigned)id);
        add(&holes, text, 2 * id);
        add(&empty, text, id);
    }
    assert_int_equal(find(&holes, ""), -1);
    assert_int_equal(find(&empty, ""), 0);
    vocabulary_free(&holes);
    vocabulary_free(&empty);
}

/* Read the object; what is wrong with it, or "". */
static const char *read_vocabulary(const char *json, struct vocabulary *v,
                                   struct error *e)
{
    *e = (struct error){ERROR_NONE, ""};
    json_t *value = json_parse(json, strlen(json), "v.json", 0, e);
    struct node root = node_root("v.json", value);
    int result = vocabulary_read(&root, v, e);
    assert_int_equal(result, *e->message ? -1 : 0);
    json_decref(value);
    return e->message;
}

static void the_files_order_does_not_matter(void **state)
{
    (void)state;
    struct vocabulary v = {0};
    struct error e;
    assert_string_equal(
        read_vocabulary("{\"b\": 3, \"\xC3\xA9\": 0, \"a\": 2}", &v, &e), "");
    expect_text(&v, 0, "\xC3\xA9");
    expect_text(&v, 2, "a");
    expect_text(&v, 3, "b");
    assert_int_equal(v.n_used, 3);
    assert_int_equal(vocabulary_find_model(&v, "b", 1), 3);
    vocabulary_free(&v);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"[]", "v.json: expected an object, found an array"},
        {"{}", "v.json: is empty"},
        {"{\"a\": true}",
         "v.json: a: expected an integer, found true or false"},
        {"{\"a\": 0, \"b\": 0}", "v.json: b: id 0 is also that of \"a\""},
        {"{\"a\": 0, \"b\": 1, \"c\": 1}",
         "v.json: c: id 1 is also that of \"b\""},
        {"{\"a\": 16777216}",
         "v.json: a: expected an integer from 0 to 16777215, found 16777216"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vocabulary v = {0};
        struct error e;
        assert_string_equal(read_vocabulary(wrong[i][0], &v, &e), wrong[i][1]);
        vocabulary_free(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_vocabulary_has_no_tokens),
        cmocka_unit_test(only_ids_that_were_given_are_tokens),
        cmocka_unit_test(a_spelling_is_found_whole),
        cmocka_unit_test(an_added_token_is_not_the_models),
        cmocka_unit_test(the_table_grows_with_its_tokens),
        cmocka_unit_test(a_larger_table_has_the_same_tokens),
        cmocka_unit_test(the_files_order_does_not_matter),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
