/* What commands say beside their results. */
#include "print.h"

#include "test_links.h"

#include <fcntl.h>

/* A model that also sees, with a tokenizer of three letters. */
static void assert_note(const char *tests, const char *name, char *command,
                        const char *note)
{
    char folder[PATH_MAX + 40];
    char *words[] = {"rung", command, "-m", ".", "abc", NULL};
    remove_files();
    snprintf(folder, sizeof folder, "%s/checkpoints/%s", tests, name);
    if (!link_files(folder, "")) {
        print_message("SKIPPED: there is no %s (set RUNG_TESTS)\n", folder);
        skip();
    }
    write_text("tokenizer.json", "{\"model\":{\"type\":\"BPE\",\"vocab\":{"
                                 "\"a\":3,\"b\":4,\"c\":5},\"merges\":[]}}");
    struct outcome o = run_rung(words, "", 0);
    char *timing = strstr(o.err.data, "\n3 read in ");
    if (timing)
        *timing = 0;
    assert_string_equal(o.err.data, note);
    assert_true(o.out.size > 0);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void tensors_that_are_not_for_texts_are_named(void **state)
{
    static char *const commands[] = {"next", "generate", "layers", "embed"};
    char tests[PATH_MAX], program[PATH_MAX];
    find_tests(*state, tests);
    program_path(((struct scratch *)*state)->before, program);
    setenv("RUNG", program, 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        assert_note(tests, "gemma3-2", commands[i],
                    "note: 34 tensors that are not for texts are not used, "
                    "the first is "
                    "multi_modal_projector.mm_input_projection_weight\n");
        assert_note(tests, "gemma3-1", commands[i], "");
    }
}

static void a_result_that_is_missing_is_no_json(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(print_json_line(NULL, &e), -1);
    assert_string_equal(e.message, "out of memory for the result");
}

static void what_json_does_not_have_is_null(void **state)
{
    (void)state;
    json_t *half = json_finite(0.5), *none = json_finite(1 / 0.0);
    assert_true(json_is_null(none));
    assert_true(json_is_real(half) && json_real_value(half) == 0.5);
    json_decref(half);
    json_decref(none);
}

/* Standard output goes to a full disk while a line is printed. */
static void a_full_disk_is_named(void **state)
{
    (void)state;
    struct error e;
    int before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        close(before);
        print_message("SKIPPED: there is no /dev/full\n");
        skip();
    }
    fflush(stdout);
    dup2(full, STDOUT_FILENO);
    int result = print_json_line(json_array(), &e);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(full);
    clearerr(stdout);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, "standard output: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            tensors_that_are_not_for_texts_are_named, scratch_enter,
            scratch_leave),
        cmocka_unit_test(a_result_that_is_missing_is_no_json),
        cmocka_unit_test(what_json_does_not_have_is_null),
        cmocka_unit_test(a_full_disk_is_named),
    };
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
