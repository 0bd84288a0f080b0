/* A file that shrinks while it is mapped ends the program with a message. */
#include "guard.h"

#include "checkpoint.h"
#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum guard_sizes {
    PAGES = 1 << 16 /* bytes; more than a page on every system */
};

static void open_or_exit(struct mapping *m, const char *path)
{
    struct error e;
    if (mapping_open(m, path, &e))
        _exit(100);
}

/* Two guarded files; the second loses all but its first byte. */
static void read_lost_byte(void)
{
    struct mapping files[2];
    open_or_exit(&files[0], "kept");
    open_or_exit(&files[1], "lost");
    struct guard first, second;
    guard_begin(&first, &files[0], 1);
    guard_begin(&second, &files[1], 1);
    if (truncate("lost", 1))
        _exit(101);
    const volatile unsigned char *bytes = files[1].data;
    _exit(bytes[0] + bytes[PAGES - 1]);
}

/* Guards end in any order: of two, the first has ended. */
static void read_lost_byte_of_second(void)
{
    struct mapping files[2];
    open_or_exit(&files[0], "kept");
    open_or_exit(&files[1], "lost");
    struct guard first, second;
    guard_begin(&first, &files[0], 1);
    guard_begin(&second, &files[1], 1);
    guard_end(&first);
    if (truncate("lost", 1))
        _exit(101);
    const volatile unsigned char *bytes = files[1].data;
    _exit(bytes[0] + bytes[PAGES - 1]);
}

static void read_unguarded_byte(void)
{
    struct mapping files[2];
    open_or_exit(&files[0], "kept");
    open_or_exit(&files[1], "lost");
    struct guard first, second;
    guard_begin(&first, &files[0], 1);
    guard_begin(&second, &files[1], 1);
    guard_end(&second);
    if (truncate("lost", 1))
        _exit(101);
    const volatile unsigned char *bytes = files[1].data;
    _exit(bytes[PAGES - 1]);
}

/* Run `body` in a child, whose standard error goes to the file "said". */
static int status_of(void (*body)(void))
{
    static const char zeros[PAGES];
    write_file("kept", zeros, sizeof zeros);
    write_file("lost", zeros, sizeof zeros);
    write_text("said", "");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("said", "w", stderr))
            _exit(102);
        body();
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

static void assert_said(const char *expected)
{
    char said[500] = "";
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    size_t size = fread(said, 1, sizeof said - 1, f);
    fclose(f);
    said[size] = 0;
    assert_string_equal(said, expected);
}

static void reading_lost_bytes_names_file_and_byte(void **state)
{
    (void)state;
    int status = status_of(read_lost_byte);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_said("rung: lost: byte 65535 cannot be read: the file has shrunk "
                "since it was opened, or its disk has failed\n");
}

static void what_began_last_may_end_last(void **state)
{
    (void)state;
    int status = status_of(read_lost_byte_of_second);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_said("rung: lost: byte 65535 cannot be read: the file has shrunk "
                "since it was opened, or its disk has failed\n");
}

static void what_is_not_guarded_ends_as_the_system_does(void **state)
{
    (void)state;
    int status = status_of(read_unguarded_byte);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
    assert_said("");
}

/* --- the whole program -------------------------------------------------- */

enum tensor_counts {
    N_TENSORS = 4000 /* so that their list does not fit into a pipe */
};

static void write_many(const char *path)
{
    struct bytes file = {0};
    unsigned char length[8];
    bytes_add(&file, "________{", 9);
    for (int i = 0; i < N_TENSORS; i++) {
        char entry[120];
        snprintf(entry, sizeof entry,
                 "%s\"tensor.with.a.long.name.%d\": {\"dtype\": \"F32\", "
                 "\"shape\": [16], \"data_offsets\": [%d, %d]}",
                 i ? "," : "", i, i * 64, (i + 1) * 64);
        bytes_add_string(&file, entry);
    }
    bytes_add(&file, "}", 1);
    put_length(length, file.size - 8);
    memcpy(file.data, length, sizeof length);
    for (int i = 0; i < N_TENSORS; i++)
        bytes_add(&file, (char[64]){0}, 64);
    write_file(path, file.data, file.size);
    bytes_free(&file);
}

/* Start `rung tensors --stats` with its output in a pipe. */
static pid_t start_rung(const char *program, int output[2])
{
    fflush(NULL);
    pid_t child = fork();
    if (child != 0)
        return child;
    dup2(output[1], STDOUT_FILENO);
    close(output[0]);
    close(output[1]);
    if (!freopen("said", "w", stderr))
        _exit(102);
    execl(program, "rung", "tensors", "many.safetensors", "--stats", NULL);
    _exit(103);
}

static void read_all_of(int file)
{
    char block[4096];
    while (read(file, block, sizeof block) > 0)
        ;
    close(file);
}

/* The program waits for room in the pipe, in the middle of its list, while
 * the file is cut off. */
static void the_program_ends_with_the_message(void **state)
{
    const struct scratch *s = *state;
    char program[4096];
    program_path(s->before, program);
    write_many("many.safetensors");
    int output[2];
    char first;
    assert_int_equal(pipe(output), 0);
    pid_t child = start_rung(program, output);
    close(output[1]);
    assert_int_equal(read(output[0], &first, 1), 1);
    assert_int_equal(truncate("many.safetensors", 0), 0);
    read_all_of(output[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);

    char said[500] = "";
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    assert_non_null(fgets(said, sizeof said, f));
    fclose(f);
    unsigned long byte = 0;
    assert_int_equal(
        sscanf(said, "rung: many.safetensors: byte %lu cannot", &byte), 1);
    assert_true(byte > 8);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(reading_lost_bytes_names_file_and_byte),
        SCRATCH(what_began_last_may_end_last),
        SCRATCH(what_is_not_guarded_ends_as_the_system_does),
        SCRATCH(the_program_ends_with_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
