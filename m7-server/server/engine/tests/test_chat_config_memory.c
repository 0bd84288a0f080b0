/* Whichever allocation fails when a GGUF model is asked what it says of chats:
 * an error with words, and nothing is lost. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "test_client.h"

static void each_allocation_may_fail(void **state)
{
    (void)state;
    struct rung_error e;
    char *whole, *text, *path = test_path("templates/templates.gguf");
    if (access(path, R_OK))
        skip_without_models();
    assert_int_equal(rung_chat_config(path, &whole, &e), 0);
    long n = 1, refused = 0;
    for (bool lacked = true; lacked; n++) {
        memory_fail_at(n);
        memory_spared = false;
        int result = rung_chat_config(path, &text, &e);
        memory_spared = true;
        lacked = memory_had_failed();
        if (result == 0)
            assert_string_equal(text, whole);
        else {
            assert_null(text);
            assert_int_equal(e.code, RUNG_MEMORY);
            assert_non_null(strstr(e.message, "out of memory"));
        }
        refused += result != 0;
        rung_free_text(text);
    }
    print_message("%ld of %ld allocations refused\n", refused, n - 2);
    assert_true(refused > 20);
    rung_free_text(whole);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
    };
    memory_spared = true;
    return cmocka_run_group_tests_name("chat_config_memory", tests, NULL,
                                       NULL);
}
