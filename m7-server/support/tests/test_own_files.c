/* Where the program stands, as it is to be typed.  (Where its models are is
 * tried in test_installed.c.) */
#include "folder.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Where this program stands, as Linux tells. */
static void find_whole(char path[4096])
{
    ssize_t size = readlink("/proc/self/exe", path, 4095);
    if (size <= 0)
        skip();
    path[size] = 0;
}

/* From the folder that it is in, from one above, and from elsewhere. */
static void it_is_called_from_the_current_folder(void **state)
{
    (void)state;
    char whole[4096], folder[4096], up[4096];
    find_whole(whole);
    strcpy(folder, whole);
    char *name = strrchr(folder, '/');
    *name++ = 0;
    strcpy(up, folder);
    char *last = strrchr(up, '/');
    *last++ = 0;

    assert_int_equal(chdir(folder), 0);
    assert_int_equal(strncmp(own_program(), "./", 2), 0);
    assert_string_equal(own_program() + 2, name);
    assert_int_equal(chdir(up), 0);
    assert_string_equal(own_program(), whole + strlen(up) + 1);
    assert_int_equal(chdir("/proc"), 0);
    assert_string_equal(own_program(), whole);
}

/* "/tmp/ab" is not below "/tmp/a". */
static void a_folder_whose_name_begins_the_same_is_another(void **state)
{
    (void)state;
    char whole[4096];
    find_whole(whole);
    whole[strlen(whole) - 1] = 0;
    mkdir(whole, 0777);
    assert_int_equal(chdir(whole), 0);
    assert_int_equal(*own_program(), '/');
    assert_int_equal(chdir("/"), 0);
    rmdir(whole);
}

static void the_root_is_above_all(void **state)
{
    (void)state;
    char whole[4096];
    find_whole(whole);
    assert_int_equal(chdir("/"), 0);
    assert_string_equal(own_program(), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_called_from_the_current_folder),
        cmocka_unit_test(a_folder_whose_name_begins_the_same_is_another),
        cmocka_unit_test(the_root_is_above_all),
    };
    return cmocka_run_group_tests_name("own_files", tests, NULL, NULL);
}
