/* An error is one readable line, whatever the file that it quotes holds. */
#include "error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static void fail_fills_in_code_and_message(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(fail(&e, ERROR_INPUT, "%s: byte %d", "a.json", 7), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_string_equal(e.message, "a.json: byte 7");
}

static void a_message_that_just_fits_is_whole(void **state)
{
    (void)state;
    struct error e;
    char text[sizeof e.message];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    fail(&e, ERROR_INPUT, "%s", text);
    assert_string_equal(e.message, text);
}

static void a_longer_message_ends_in_dots(void **state)
{
    (void)state;
    struct error e;
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    fail(&e, ERROR_INPUT, "%s", text);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
    assert_string_equal(e.message + sizeof e.message - 6, "xx...");
}

static void a_longer_message_ends_after_a_whole_character(void **state)
{
    (void)state;
    for (int shift = 0; shift < 3; shift++) {
        struct error e;
        char text[2000] = "xxx";
        for (int i = 0; i < 600; i++)
            memcpy(text + shift + 3 * i, "\u65e5", 4);
        fail(&e, ERROR_INPUT, "%s", text);
        size_t length = strlen(e.message);
        assert_string_equal(e.message + length - 6, "\u65e5...");
        assert_true(length > sizeof e.message - 4);
    }
}

static void controls_in_a_message_become_spaces(void **state)
{
    (void)state;
    struct error e;
    fail(&e, ERROR_INPUT, "a\nb\tc\033[31m\177 %s", "\u00e9");
    assert_string_equal(e.message, "a b c [31m  \u00e9");
}

static void memory_and_system_errors_name_their_object(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(fail_memory(&e, "the ids"), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_string_equal(e.message, "out of memory for the ids");
    errno = ENOENT;
    assert_int_equal(fail_errno(&e, "model/x"), -1);
    assert_int_equal(e.code, ERROR_SYSTEM);
    assert_string_equal(e.message, "model/x: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_fills_in_code_and_message),
        cmocka_unit_test(a_message_that_just_fits_is_whole),
        cmocka_unit_test(a_longer_message_ends_in_dots),
        cmocka_unit_test(a_longer_message_ends_after_a_whole_character),
        cmocka_unit_test(controls_in_a_message_become_spaces),
        cmocka_unit_test(memory_and_system_errors_name_their_object),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
