/* A file is mapped in no time and in no memory, if it is a file at all. */
#include "mapping.h"

#include "checkpoint.h"
#include "test_files.h"
#include "test_maps.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static void a_mapping_has_the_bytes_of_its_file(void **state)
{
    (void)state;
    write_text("f", "hello");
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    assert_string_equal(m.path, "f");
    assert_int_equal(m.size, 5);
    assert_memory_equal(m.data, "hello", 5);
    mapping_close(&m);
    assert_null(m.data);
}

/* Whatever part of a mapping is given back, and more than that, its bytes are
 * there when they are looked at. */
static void bytes_that_were_given_back_are_read_again(void **state)
{
    (void)state;
    static char text[3 * (1 << 18) + 5];
    memset(text, 'a', sizeof text - 1);
    text[270000] = 'b';
    write_text("f", text);
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    size_t parts[][2] = {
        {0, m.size}, {1, 1 << 18}, {5, 3}, {m.size - 7, 7}, {m.size, 0}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        mapping_release(&m, m.data + parts[i][0], parts[i][1]);
        assert_memory_equal(m.data, text, m.size);
    }
    mapping_close(&m);
}

/* Memory that is no part of the mapping keeps what was written to it. */
static void what_is_beside_a_mapping_is_not_given_back(void **state)
{
    (void)state;
    unsigned char *beside = malloc(1 << 20);
    memset(beside, 7, 1 << 20);
    write_text("f", "hello");
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    mapping_release(&m, beside, 1 << 20);
    for (size_t i = 0; i < 1 << 20; i++)
        assert_int_equal(beside[i], 7);
    mapping_close(&m);
    free(beside);
}

static void assert_refused(const char *path, enum error_code code,
                           const char *message)
{
    struct mapping m;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(mapping_open(&m, path, &e), -1);
    assert_int_equal(e.code, code);
    assert_string_equal(e.message, message);
    assert_null(m.data);
    assert_null(m.path);
}

static void only_a_file_can_be_mapped(void **state)
{
    (void)state;
    mkdir("folder", 0700);
    mkfifo("pipe", 0600);
    alarm(10); /* to wait for its writer would be to wait for ever */
    write_text("empty", "");
    assert_refused("folder", ERROR_INPUT,
                   "folder: is a folder, expected a file");
    assert_refused("pipe", ERROR_INPUT, "pipe: is not a regular file");
    assert_refused("empty", ERROR_INPUT, "empty: is empty");
    assert_refused("absent", ERROR_SYSTEM,
                   "absent: No such file or directory");
    assert_refused("empty/x", ERROR_SYSTEM, "empty/x: Not a directory");
    alarm(0);
}

/* Whoever runs the tests as root may read everything, so a child gives its
 * rights away. */
static void an_unreadable_file_is_refused(void **state)
{
    struct scratch *s = *state;
    write_text("secret", "x");
    assert_int_equal(chmod("secret", 0), 0);
    assert_int_equal(chmod(s->folder, 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        struct mapping m;
        struct error e = {ERROR_NONE, ""};
        if (geteuid() == 0 && setuid(65534))
            _exit(2);
        if (mapping_open(&m, "secret", &e) == 0)
            _exit(3);
        _exit(strcmp(e.message, "secret: Permission denied") != 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- what a mapping takes, and gives back ------------------------------- */

enum mapping_sizes {
    MANY = 3 * (1 << 18) + 5 /* bytes; no whole number of pages anywhere */
};

static void every_byte_of_many_pages_is_mapped(void **state)
{
    (void)state;
    static unsigned char bytes[MANY];
    for (size_t i = 0; i < MANY; i++)
        bytes[i] = (unsigned char)(i % 251);
    write_file("f", bytes, MANY);
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    assert_int_equal(m.size, MANY);
    assert_memory_equal(m.data, bytes, MANY);
    mapping_close(&m);
}

/* So many bytes of the file are mapped, in whole pages, and none when the
 * mapping is closed. */
static void what_is_mapped_is_given_back(void **state)
{
    (void)state;
    long page = sysconf(_SC_PAGESIZE);
    write_text("only-here", "hello");
    if (mapped_bytes("/only-here") < 0)
        skip();
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "only-here", &e), 0);
    assert_int_equal(mapped_bytes("/only-here"), page);
    mapping_close(&m);
    assert_int_equal(mapped_bytes("/only-here"), 0);
    assert_null(m.path);
    assert_int_equal(m.size, 0);
    mapping_close(&m);
}

/* The lowest descriptor that is free. */
static int free_descriptor(void)
{
    int file = open("/dev/null", O_RDONLY);
    close(file);
    return file;
}

/* Also where the file's own is 0, as in a program without an input. */
static void an_open_mapping_holds_no_descriptor(void **state)
{
    (void)state;
    write_text("f", "hello");
    struct mapping m;
    struct error e = {ERROR_NONE, ""};
    int before = free_descriptor();
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    assert_int_equal(free_descriptor(), before);
    mapping_close(&m);
    assert_int_equal(mapping_open(&m, ".", &e), -1);
    assert_int_equal(free_descriptor(), before);

    int input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    int result = mapping_open(&m, "f", &e);
    int after = free_descriptor();
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    close(input);
    assert_int_equal(result, 0);
    assert_int_equal(after, STDIN_FILENO);
    mapping_close(&m);
}

/* A child that may have as much memory as the file is long cannot map it, as
 * it has some already.  There is room for a name: that of a smaller file was
 * allocated before, and the limit leaves more than enough. */
static void without_room_a_file_is_refused(void **state)
{
    (void)state;
    write_text("g", "small");
    write_text("f", "");
    assert_int_equal(truncate("f", 1 << 30), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct mapping m;
        struct error e = {ERROR_NONE, ""};
        struct rlimit few = {1 << 30, 1 << 30};
        if (mapping_open(&m, "g", &e))
            _exit(4);
        mapping_close(&m);
        if (setrlimit(RLIMIT_AS, &few))
            _exit(2);
        if (mapping_open(&m, "f", &e) != -1)
            _exit(3);
        _exit(strcmp(e.message, "f: Cannot allocate memory") != 0 ||
              e.code != ERROR_SYSTEM || m.path);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void assert_shrunk(const struct mapping *m, const char *message)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(mapping_check(m, &e), *message ? -1 : 0);
    assert_string_equal(e.message, message);
}

/* A file that is longer, that has another's name or none is still there. */
static void only_a_file_that_shrinks_is_lost(void **state)
{
    (void)state;
    write_text("f", "hello");
    struct mapping m;
    struct error e;
    assert_int_equal(mapping_open(&m, "f", &e), 0);
    assert_shrunk(&m, "");
    assert_int_equal(truncate("f", 6), 0);
    assert_shrunk(&m, "");
    assert_int_equal(truncate("f", 4), 0);
    assert_shrunk(&m,
                  "f: has shrunk from 5 to 4 bytes since it was opened");
    write_text("new", "hi");
    assert_int_equal(rename("new", "f"), 0);
    assert_shrunk(&m, "");
    assert_int_equal(unlink("f"), 0);
    assert_shrunk(&m, "");
    mapping_close(&m);
}

/* --- seven gigabytes ---------------------------------------------------- */

enum large_sizes {
    GIGABYTES = 7,
    N_LARGE = 7 /* tensors of a gigabyte each */
};

/* A file of that size, nearly all of it a hole that takes no space. */
static int write_large(const char *path)
{
    char table[1000] = "{", entry[100];
    for (unsigned long long i = 0; i < N_LARGE; i++) {
        snprintf(entry, sizeof entry,
                 "%s\"w%llu\": {\"dtype\": \"U8\", \"shape\": [1024, 1048576],"
                 "\"data_offsets\": [%llu, %llu]}",
                 i ? ", " : "", i, i << 30, (i + 1) << 30);
        strcat(table, entry);
    }
    strcat(table, "}");
    write_safetensors(path, table, 1);
    return truncate(path, DATA_AT + ((off_t)GIGABYTES << 30));
}

/* The most memory that this process has used, in kilobytes; macOS counts
 * bytes, which only makes the test stricter. */
static long most_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void seven_gigabytes_open_in_milliseconds(void **state)
{
    (void)state;
    if (write_large("large.safetensors"))
        skip(); /* the disk has no files of that size */
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    long before = most_memory();
    double start = seconds();
    checkpoint_open(&c, "large.safetensors", &e);
    double spent = seconds() - start;
    assert_string_equal(e.message, "");
    assert_int_equal(c.n_tensors, N_LARGE);
    assert_int_equal(c.tensors[6].offset, DATA_AT + ((size_t)6 << 30));
    assert_true(spent < 0.1); /* some 0.2 ms, if nobody else is busy */
    assert_true(most_memory() - before < 8 * 1024);

    float last;
    tensor_read(&c.tensors[6], ((size_t)1 << 30) - 1, 1, &last);
    assert_true(last == 0);
    assert_true(most_memory() - before < 8 * 1024);
    checkpoint_close(&c);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_mapping_has_the_bytes_of_its_file),
        SCRATCH(bytes_that_were_given_back_are_read_again),
        SCRATCH(what_is_beside_a_mapping_is_not_given_back),
        SCRATCH(only_a_file_can_be_mapped),
        SCRATCH(an_unreadable_file_is_refused),
        SCRATCH(seven_gigabytes_open_in_milliseconds),
        SCRATCH(every_byte_of_many_pages_is_mapped),
        SCRATCH(what_is_mapped_is_given_back),
        SCRATCH(an_open_mapping_holds_no_descriptor),
        SCRATCH(without_room_a_file_is_refused),
        SCRATCH(only_a_file_that_shrinks_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
