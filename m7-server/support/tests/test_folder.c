/* A model is named by its folder, or by a file in it. */
#include "folder.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_file(const char *model, const char *expected)
{
    struct error e;
    char *path = folder_file(model, "x.json", &e);
    assert_string_equal(path, expected);
    free(path);
}

static void assert_folder(const char *model, const char *expected)
{
    struct error e;
    char *path = folder_of(model, &e);
    assert_string_equal(path, expected);
    free(path);
}

static void a_file_is_found_in_the_folder(void **state)
{
    (void)state;
    mkdir("model", 0700);
    assert_file("model", "model/x.json");
    assert_file("model/", "model/x.json");
    assert_file("model//", "model/x.json");
    assert_file("/", "/x.json");
    assert_file(".", "./x.json");
}

static void or_beside_the_file(void **state)
{
    (void)state;
    mkdir("model", 0700);
    write_text("model/w.safetensors", "x");
    write_text("w.safetensors", "x");
    assert_file("model/w.safetensors", "model/x.json");
    assert_file("w.safetensors", "./x.json");
    assert_file("/dev/null", "/dev/x.json");
}

static void a_name_of_nothing_stays_what_was_typed(void **state)
{
    (void)state;
    assert_file("no/such", "no/such/x.json");
    assert_folder("nosuch", "nosuch");
}

static void the_folder_has_a_name_of_its_own(void **state)
{
    (void)state;
    mkdir("model", 0700);
    write_text("model/w.safetensors", "x");
    write_text("w.safetensors", "x");
    assert_folder("model", "model");
    assert_folder("model/", "model");
    assert_folder("model/w.safetensors", "model");
    assert_folder("w.safetensors", ".");
    assert_folder("/dev/null", "/dev");
}

static void files_and_folders_are_told_apart(void **state)
{
    (void)state;
    mkdir("model", 0700);
    write_text("file", "x");
    assert_true(path_exists("model"));
    assert_true(path_exists("file"));
    assert_false(path_exists("nothing"));
    assert_true(path_is_folder("model"));
    assert_false(path_is_folder("file"));
    assert_false(path_is_folder("nothing"));
}

static void endings_are_told_apart(void **state)
{
    (void)state;
    assert_true(path_ends("m/a.safetensors", ".safetensors"));
    assert_false(path_ends("m/a.safetensors.part", ".safetensors"));
    assert_false(path_ends(".safetensors", ".safetensors"));
    assert_false(path_ends("", ".safetensors"));
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_file_is_found_in_the_folder),
        SCRATCH(or_beside_the_file),
        SCRATCH(a_name_of_nothing_stays_what_was_typed),
        SCRATCH(the_folder_has_a_name_of_its_own),
        SCRATCH(files_and_folders_are_told_apart),
        cmocka_unit_test(endings_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
