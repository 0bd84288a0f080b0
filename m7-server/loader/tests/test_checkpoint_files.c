/* A checkpoint of many files, of none of them twice, and of those that fail.
 */
#include "checkpoint.h"
#include "test_files.h"
#include "test_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* The file that loses its bytes as soon as it is mapped; NULL: none does. */
static const char *lost_when_mapped;

/* A close(2) for the tests: mapping_open closes what it has mapped. */
int close(int file)
{
    struct stat closed, lost;
    if (lost_when_mapped && fstat(file, &closed) == 0 &&
        stat(lost_when_mapped, &lost) == 0 && closed.st_ino == lost.st_ino &&
        truncate(lost_when_mapped, 0))
        _exit(101);
    FILE *f = fdopen(file, "r");
    return f ? fclose(f) : -1;
}

/* One tensor of two bytes. */
static void write_shard(const char *path, const char *tensor)
{
    char table[128];
    snprintf(table, sizeof table,
             "{\"%s\": {\"dtype\": \"U8\", \"shape\": [2], "
             "\"data_offsets\": [0, 2]}}",
             tensor);
    write_safetensors(path, table, 2);
}

static void assert_opens(struct checkpoint *c, const char *path)
{
    struct error e = {ERROR_NONE, ""};
    checkpoint_open(c, path, &e);
    assert_string_equal(e.message, "");
}

static void assert_refused(const char *path, const char *message)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(checkpoint_open(&c, path, &e), -1);
    assert_string_equal(e.message, message);
    assert_null(c.files);
    assert_null(c.tensors);
}

/* The files (n,) are these, in this order. */
static void assert_files(const struct checkpoint *c,
                         const char *const *expected, size_t n)
{
    assert_int_equal(c->n_files, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(c->files[i].path, expected[i]);
}

/* --- which files -------------------------------------------------------- */

static void files_are_in_the_order_of_their_names(void **state)
{
    (void)state;
    static const char *const files[] = {
        "./1.safetensors", "./2.safetensors", "./3.safetensors",
        "./4.safetensors", "./5.safetensors", "./6.safetensors"};
    static const char *const names[] = {"f", "e", "d", "c", "b", "a"};
    for (int i = 5; i >= 0; i--)
        write_shard(files[i], names[i]);
    struct checkpoint c;
    assert_opens(&c, ".");
    assert_files(&c, files, 6);
    assert_int_equal(c.n_tensors, 6);
    for (int i = 0; i < 6; i++)
        assert_ptr_equal(c.tensors[i].file, &c.files[5 - i]);
    checkpoint_close(&c);
}

/* Four tensors in each of three files, which the index names in turn. */
static void an_index_names_a_file_many_times(void **state)
{
    (void)state;
    static const char *const files[] = {
        "sub/1.safetensors", "sub/2.safetensors", "sub/3.safetensors"};
    char index[1000] = "{\"weight_map\": {";
    mkdir("sub", 0700);
    for (int i = 0; i < 3; i++) {
        char table[400] = "{";
        for (int j = 0; j < 4; j++)
            sprintf(table + strlen(table),
                    "%s\"w.%d.%d\": {\"dtype\": \"U8\", \"shape\": [1], "
                    "\"data_offsets\": [%d, %d]}",
                    j ? ", " : "", j, i, j, j + 1);
        write_safetensors(files[i], strcat(table, "}"), 4);
    }
    for (int i = 0; i < 12; i++)
        sprintf(index + strlen(index), "%s\"w.%d.%d\": \"%d.safetensors\"",
                i ? ", " : "", i / 3, i % 3, i % 3 + 1);
    write_text("sub/model.safetensors.index.json", strcat(index, "}}"));
    struct checkpoint c;
    assert_opens(&c, "sub");
    assert_files(&c, files, 3);
    assert_int_equal(c.n_tensors, 12);
    checkpoint_close(&c);
}

/* A file of the folder stands for the folder, if it is there. */
static void another_file_of_a_folder_names_it(void **state)
{
    (void)state;
    static const char *const files[] = {"./x-1.safetensors",
                                        "./x-2.safetensors"};
    write_shard("x-1.safetensors", "a");
    write_shard("x-2.safetensors", "b");
    write_text("config.json", "{}");
    struct checkpoint c;
    assert_opens(&c, "config.json");
    assert_files(&c, files, 2);
    checkpoint_close(&c);
    assert_refused("absent", "absent: No such file or directory");
    write_shard("model.safetensors", "c");
    assert_refused("absent.json", "absent.json: No such file or directory");
}

/* With no descriptor left, a folder cannot be looked through. */
static void a_folder_that_cannot_be_opened_is_named(void **state)
{
    (void)state;
    write_shard("x-1.safetensors", "a");
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){0, before.rlim_max};
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    assert_opens(&c, ".");
    checkpoint_close(&c);
    setrlimit(RLIMIT_NOFILE, &none);
    int result = checkpoint_open(&c, ".", &e);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, ".: Too many open files");
    assert_int_equal(e.code, ERROR_SYSTEM);
}

/* --- what they hold ----------------------------------------------------- */

static void files_may_hold_no_tensor(void **state)
{
    (void)state;
    write_safetensors("1.safetensors", "{}", 0);
    write_safetensors("2.safetensors", "{}", 0);
    struct checkpoint c;
    assert_opens(&c, ".");
    assert_int_equal(c.n_files, 2);
    assert_int_equal(c.n_tensors, 0);
    assert_null(checkpoint_find(&c, "w"));
    checkpoint_close(&c);
}

static void the_only_tensor_is_found(void **state)
{
    (void)state;
    write_shard("model.safetensors", "w");
    struct checkpoint c;
    assert_opens(&c, ".");
    assert_int_equal(c.n_tensors, 1);
    assert_ptr_equal(checkpoint_find(&c, "w"), &c.tensors[0]);
    assert_null(checkpoint_find(&c, "v"));
    checkpoint_close(&c);
}

static void every_file_is_checked_and_given_back(void **state)
{
    (void)state;
    write_shard("1.safetensors", "a");
    write_shard("2.safetensors", "b");
    write_shard("3.safetensors", "c");
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    assert_opens(&c, ".");
    assert_int_equal(checkpoint_check(&c, &e), 0);
    assert_int_equal(truncate("3.safetensors", 1025), 0);
    assert_int_equal(checkpoint_check(&c, &e), -1);
    assert_string_equal(e.message, "./3.safetensors: has shrunk from 1026 to "
                                   "1025 bytes since it was opened");
    long before = mapped_bytes(".safetensors");
    checkpoint_close(&c);
    if (before >= 0) {
        assert_int_equal(before, 3 * sysconf(_SC_PAGESIZE));
        assert_int_equal(mapped_bytes(".safetensors"), 0);
    }
}

/* In a child, as it ends that. */
static void a_file_lost_while_it_is_read_is_named(void **state)
{
    (void)state;
    write_shard("1.safetensors", "a");
    write_shard("2.safetensors", "b");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct checkpoint c;
        struct error e;
        if (!freopen("said", "w", stderr))
            _exit(102);
        lost_when_mapped = "1.safetensors";
        checkpoint_open(&c, ".", &e);
        _exit(103);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    char said[200] = "";
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    assert_non_null(fgets(said, sizeof said, f));
    fclose(f);
    static const char start[] = "rung: ./1.safetensors: byte ";
    assert_memory_equal(said, start, sizeof start - 1);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(files_are_in_the_order_of_their_names),
        SCRATCH(an_index_names_a_file_many_times),
        SCRATCH(another_file_of_a_folder_names_it),
        SCRATCH(a_folder_that_cannot_be_opened_is_named),
        SCRATCH(files_may_hold_no_tensor),
        SCRATCH(the_only_tensor_is_found),
        SCRATCH(every_file_is_checked_and_given_back),
        SCRATCH(a_file_lost_while_it_is_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
