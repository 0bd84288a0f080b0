/* Whichever allocation fails when texts are looked for in a prompt, those of
 * its index too: an error with words, and nothing is lost. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "plain_text.h"
#include "stand_ins.h"

#include "test_numbers.h"

static void assert_lacks(const struct error *e)
{
    assert_int_equal(e->code, ERROR_MEMORY);
    assert_non_null(strstr(e->message, "out of memory"));
}

/* The second text is not there, so that an index is made; the third is found
 * behind it. */
static void each_allocation_of_a_search_may_fail(void **state)
{
    (void)state;
    struct error e;
    struct bytes prompt = {0}, none = {0};
    bytes_add_string(&prompt, "user: one. user: three.");
    json_t *messages = json_pack(
        "[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "role", "user", "content",
        "one", "role", "user", "content", "two", "role", "user", "content",
        "three");
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        struct plain_text found;
        memory_fail_at(n);
        memory_spared = false;
        int result = plain_text_find(&found, NULL, messages, &none, &prompt,
                                     &e);
        memory_spared = true;
        lacked = memory_had_failed();
        if (result)
            assert_lacks(&e);
        else
            assert_int_equal(found.n, 2);
        assert_int_equal(result != 0, lacked);
        refused += result != 0;
        plain_text_free(&found);
    }
    assert_true(refused > 1);
    json_decref(messages);
    bytes_free(&prompt);
}

static void without_memory_there_are_no_stand_ins(void **state)
{
    (void)state;
    json_t *messages =
        json_pack("[{s:s, s:[{s:s}]}]", "role", "user", "content", "text",
                  "one");
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        memory_fail_at(n);
        memory_spared = false;
        json_t *copy = stand_ins_for(messages);
        memory_spared = true;
        lacked = memory_had_failed();
        assert_int_equal(copy == NULL, lacked);
        refused += copy == NULL;
        json_decref(copy);
    }
    assert_true(refused > 5);
    json_decref(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_of_a_search_may_fail),
        cmocka_unit_test(without_memory_there_are_no_stand_ins),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("plain_text_memory", tests, NULL, NULL);
}
