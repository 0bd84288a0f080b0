/* A file that shrinks while it is mapped ends the program with a message. */
#include "guard.h"

#include "checkpoint.h"
#include "test_files.h"
#include "test_run.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum guard_sizes {
    PAGES = 1 << 20,     /* bytes; several pages on every system */
    STACK = 1 << 16,     /* bytes; more than a function's variables */
    MOST_CALLS = 1000,   /* of write(2), for one message */
    FAR_BYTE = 123456789 /* of a file that is nearly all a hole */
};

/* A write(2) for the tests, which the guard prints by: standard error takes
 * at most `most_at_once` bytes, and where that is 0 the result is
 * `taken_none`. */
static size_t most_at_once = SIZE_MAX;
static ssize_t taken_none;

ssize_t write(int file, const void *data, size_t size)
{
    static int calls;
    struct iovec part = {(void *)(uintptr_t)data, size};
    if (file != STDERR_FILENO || most_at_once == SIZE_MAX)
        return writev(file, &part, 1);
    if (size == 0 || ++calls > MOST_CALLS)
        _exit(104);
    if (most_at_once == 0)
        return taken_none;
    if (size > most_at_once)
        part.iov_len = most_at_once;
    return writev(file, &part, 1);
}

static void open_or_exit(struct mapping *m, const char *path)
{
    struct error e;
    if (mapping_open(m, path, &e))
        _exit(100);
}

/* Where a function is about to have its variables, nothing is 0. */
static void fill_stack(void)
{
    volatile char below[STACK];
    for (size_t i = 0; i < sizeof below; i++)
        below[i] = '?';
}

static void (*volatile fill_what_is_below)(void) = fill_stack;

/* The last that a child does: leave so many bytes to the file "lost", and read
 * of a mapped one the first byte, and this one. */
static void cut_and_read(off_t left, const struct mapping *file, size_t byte)
{
    const volatile unsigned char *bytes = file->data;
    if (truncate("lost", left))
        _exit(101);
    fill_what_is_below();
    _exit(bytes[0] + bytes[byte]);
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
    cut_and_read(1, &files[1], PAGES - 1);
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
    cut_and_read(1, &files[1], PAGES - 1);
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
    cut_and_read(1, &files[1], PAGES - 1);
}

/* Two guarded halves of a file, which loses all its bytes. */
static void read_first_byte_of_second_half(void)
{
    struct mapping whole;
    open_or_exit(&whole, "lost");
    struct mapping halves[2] = {
        {.path = "first", .data = whole.data, .size = PAGES / 2},
        {.path = "second", .data = whole.data + PAGES / 2, .size = PAGES / 2}};
    struct guard g;
    guard_begin(&g, halves, 2);
    cut_and_read(0, &halves[1], 0);
}

/* A guard in a guard has ended; the file of the outer one loses its bytes. */
static void read_lost_byte_of_outer(void)
{
    struct mapping files[2];
    open_or_exit(&files[0], "lost");
    open_or_exit(&files[1], "kept");
    struct guard outer, inner;
    guard_begin(&outer, &files[0], 1);
    guard_begin(&inner, &files[1], 1);
    guard_end(&inner);
    cut_and_read(1, &files[0], PAGES - 1);
}

static void read_far_byte(void)
{
    struct mapping file;
    if (truncate("lost", FAR_BYTE + 1))
        _exit(101);
    open_or_exit(&file, "lost");
    struct guard g;
    guard_begin(&g, &file, 1);
    cut_and_read(1, &file, FAR_BYTE);
}

static void read_lost_byte_told_in_pieces(void)
{
    most_at_once = 1;
    read_lost_byte();
}

static void read_lost_byte_told_to_nobody(void)
{
    most_at_once = 0;
    read_lost_byte();
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

static void read_said(char said[500])
{
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    size_t size = fread(said, 1, 499, f);
    fclose(f);
    said[size] = 0;
}

static void assert_said(const char *expected)
{
    char said[500];
    read_said(said);
    assert_string_equal(said, expected);
}

/* The message for a byte of a file ends a child with status 1. */
static void assert_lost(void (*body)(void), const char *file_and_byte)
{
    char message[200];
    snprintf(message, sizeof message,
             "rung: %s cannot be read: the file has shrunk since it was "
             "opened, or its disk has failed\n",
             file_and_byte);
    int status = status_of(body);
    assert_said(message);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void the_first_byte_of_a_second_file_is_named(void **state)
{
    (void)state;
    assert_lost(read_first_byte_of_second_half, "second: byte 0");
}

static void what_is_guarded_around_a_guard_stays_so(void **state)
{
    (void)state;
    assert_lost(read_lost_byte_of_outer, "lost: byte 1048575");
}

static void a_byte_far_behind_is_named(void **state)
{
    (void)state;
    assert_lost(read_far_byte, "lost: byte 123456789");
}

static void a_message_may_leave_byte_by_byte(void **state)
{
    (void)state;
    assert_lost(read_lost_byte_told_in_pieces, "lost: byte 1048575");
}

/* A message that nobody takes does not keep the program from its end. */
static void without_a_message_the_status_is_the_same(void **state)
{
    (void)state;
    for (taken_none = -1; taken_none <= 0; taken_none++) {
        int status = status_of(read_lost_byte_told_to_nobody);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        assert_said("");
    }
}

/* Whoever guards nothing any more has the system's own handling. */
static void after_the_last_guard_the_system_handles_bus_errors(void **state)
{
    (void)state;
    struct mapping file = {0};
    struct guard outer, inner;
    struct sigaction before, now;
    sigaction(SIGBUS, NULL, &before);
    guard_begin(&outer, &file, 1);
    guard_begin(&inner, &file, 1);
    guard_end(&inner);
    sigaction(SIGBUS, NULL, &now);
    assert_true(now.sa_flags & SA_SIGINFO);
    fill_what_is_below();
    guard_end(&outer);
    sigaction(SIGBUS, NULL, &now);
    sigaction(SIGBUS, &before, NULL);
    assert_false(now.sa_flags & SA_SIGINFO);
    assert_true(now.sa_handler == SIG_DFL);
}

static void reading_lost_bytes_names_file_and_byte(void **state)
{
    (void)state;
    int status = status_of(read_lost_byte);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_said("rung: lost: byte 1048575 cannot be read: the file has shrunk "
                "since it was opened, or its disk has failed\n");
}

static void what_began_last_may_end_last(void **state)
{
    (void)state;
    assert_lost(read_lost_byte_of_second, "lost: byte 1048575");
}

static void what_is_not_guarded_ends_as_the_system_does(void **state)
{
    (void)state;
    int status = status_of(read_unguarded_byte);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    assert_said("");
}

/* --- the whole program -------------------------------------------------- */

/* How many bytes a pipe holds; on some systems that is so many pages. */
static int pipe_size(void)
{
    static const char block[512];
    int ends[2], size = 0;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    while (write(ends[1], block, sizeof block) > 0)
        size += (int)sizeof block;
    close(ends[0]);
    close(ends[1]);
    return size;
}

/* So many tensors that their list does not fit into a pipe. */
static void write_many(const char *path)
{
    int n_tensors = pipe_size() / 24; /* bytes; each has a longer name */
    struct bytes file = {0};
    unsigned char length[8];
    bytes_add(&file, "________{", 9);
    for (int i = 0; i < n_tensors; i++) {
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
    for (int i = 0; i < n_tensors; i++)
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
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);

    char said[500];
    unsigned long byte = 0;
    read_said(said);
    assert_int_equal(
        sscanf(said, "rung: many.safetensors: byte %lu cannot", &byte), 1);
    assert_true(byte > 8);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(the_first_byte_of_a_second_file_is_named),
        SCRATCH(what_is_guarded_around_a_guard_stays_so),
        SCRATCH(a_byte_far_behind_is_named),
        SCRATCH(a_message_may_leave_byte_by_byte),
        SCRATCH(without_a_message_the_status_is_the_same),
        cmocka_unit_test(after_the_last_guard_the_system_handles_bus_errors),
        SCRATCH(reading_lost_bytes_names_file_and_byte),
        SCRATCH(what_began_last_may_end_last),
        SCRATCH(what_is_not_guarded_ends_as_the_system_does),
        SCRATCH(the_program_ends_with_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
