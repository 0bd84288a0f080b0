/* The trie finds the longest string that begins at a place. */
#include "trie.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add(struct trie *t, const char *string, uint32_t value)
{
    assert_int_equal(trie_add(t, string, strlen(string), value), 0);
}

static void expect(const struct trie *t, const char *text, uint32_t value,
                   size_t length)
{
    size_t found = 99;
    assert_int_equal(trie_longest(t, text, strlen(text), &found), value);
    if (value != MAP_NONE)
        assert_int_equal(found, length);
}

static void the_longest_string_wins(void **state)
{
    (void)state;
    struct trie t = {0};
    add(&t, "<s>", 1);
    add(&t, "<", 2);
    add(&t, "<start>", 3);
    assert_int_equal(t.n_nodes, 3 + 0 + 5);
    expect(&t, "<start>", 3, 7);
    expect(&t, "<s>tart", 1, 3);
    expect(&t, "<start", 2, 1);
    expect(&t, "s>", MAP_NONE, 0);
    trie_free(&t);
    assert_true(!t.edges.slots && !t.ends.slots);
}

static void it_does_not_look_past_the_text(void **state)
{
    (void)state;
    struct trie t = {0};
    size_t length;
    add(&t, "ab", 1);
    assert_int_equal(trie_longest(&t, "ab", 1, &length), MAP_NONE);
    assert_int_equal(trie_longest(&t, "ab", 0, &length), MAP_NONE);
    trie_free(&t);
}

static void a_string_is_added_once(void **state)
{
    (void)state;
    struct trie t = {0};
    add(&t, "same", 1);
    assert_int_equal(trie_add(&t, "same", 4, 2), 1);
    expect(&t, "same", 1, 4);
    trie_free(&t);
}

static void any_byte_may_stand_in_a_string(void **state)
{
    (void)state;
    struct trie t = {0};
    size_t length;
    add(&t, "X", 1);
    add(&t, "\xC0", 2);
    expect(&t, "X\x40", 1, 1);
    assert_int_equal(trie_add(&t, "\0\xFF", 2, 7), 0);
    assert_int_equal(trie_longest(&t, "\0\xFF\0", 3, &length), 7);
    assert_int_equal(length, 2);
    trie_free(&t);
}

static void an_empty_trie_finds_nothing(void **state)
{
    (void)state;
    struct trie t = {0};
    expect(&t, "text", MAP_NONE, 0);
    trie_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_string_wins),
        cmocka_unit_test(it_does_not_look_past_the_text),
        cmocka_unit_test(a_string_is_added_once),
        cmocka_unit_test(any_byte_may_stand_in_a_string),
        cmocka_unit_test(an_empty_trie_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
