/* What is kept in a file is mapped as it was; and no file that differs from it
 * in a single byte is taken for it. */
#include "store.h"

#include "test_files.h"
#include "test_operands.h"

enum store_test_sizes {
    N_MATRICES = 7,
    KEY = 4711,
    FILE_HEAD = 64, /* bytes, as store.h draws them */
    BLOCK_PAST_MIB = (1 << 20) + 5
};

struct store_shape {
    enum packed_kind kind;
    size_t rows, cols;
};

static void shape_all(struct packed *list)
{
    static const struct store_shape shapes[N_MATRICES] = {
        {PACKED_INT4, 33, 65},  {PACKED_INT8, 1, 31},    {PACKED_F16, 16, 7},
        {PACKED_AFFINE4, 5, 1}, {PACKED_BF16, 500, 600}, {PACKED_F32, 17, 33},
        {PACKED_INT8, 900, 500}};
    for (size_t i = 0; i < N_MATRICES; i++)
        packed_shape(&list[i], shapes[i].kind, shapes[i].rows,
                     shapes[i].cols);
}

/* A store of random bytes, past the first MiB. */
static void fill_store(struct store *s, struct packed *list)
{
    struct error e;
    shape_all(list);
    assert_ok(store_reserve(s, list, N_MATRICES, &e), &e);
    assert_true(s->size > BLOCK_PAST_MIB);
    for (size_t i = 0; i < s->size - PACKED_BEHIND; i++)
        s->bytes[i] = (unsigned char)random_bits();
}

static void write_store(struct threads *t)
{
    struct store s;
    struct packed list[N_MATRICES];
    struct error e;
    fill_store(&s, list);
    assert_ok(store_write(&s, "f", KEY, 0640, t, &e), &e);
    store_close(&s);
}

static void assert_same_places(const struct store *a, const struct packed *x,
                               const struct store *b, const struct packed *y)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
    for (size_t i = 0; i < N_MATRICES; i++) {
        assert_int_equal((uintptr_t)y[i].bytes % 64, 0);
        assert_int_equal(x[i].bytes - a->bytes, y[i].bytes - b->bytes);
        assert_int_equal(packed_is_float(&x[i]), !y[i].factors);
        if (y[i].factors)
            assert_int_equal((unsigned char *)x[i].factors - a->bytes,
                             (unsigned char *)y[i].factors - b->bytes);
    }
    const struct packed *last = &y[N_MATRICES - 1];
    assert_true(last->bytes + packed_whole(last) + PACKED_BEHIND ==
                b->bytes + b->size);
}

/* Whoever writes it, and whoever reads it, may have any number of threads. */
static void what_was_written_is_mapped(void **state)
{
    (void)state;
    struct store made, mapped;
    struct packed x[N_MATRICES], y[N_MATRICES];
    struct threads *t;
    struct error e;
    fill_store(&made, x);
    for (size_t n = 1; n <= 4; n++) {
        assert_ok(threads_open(&t, n, &e), &e);
        shape_all(y);
        assert_ok(store_write(&made, "f", KEY, 0600, t, &e), &e);
        assert_ok(store_map(&mapped, "f", KEY, y, N_MATRICES, NULL, &e), &e);
        assert_same_places(&made, x, &mapped, y);
        store_close(&mapped);
        assert_ok(store_map(&mapped, "f", KEY, y, N_MATRICES, t, &e), &e);
        store_close(&mapped);
        threads_close(t);
    }
    store_close(&made);
}

static void who_may_read_it_is_said_or_was(void **state)
{
    (void)state;
    struct stat s;
    write_store(NULL);
    assert_int_equal(stat("f", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    assert_int_equal(chmod("f", 0604), 0);
    write_store(NULL);
    assert_int_equal(stat("f", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0604);
}

/* --- what is no such file ------------------------------------------------ */

static int map_with_key(uint64_t key, struct error *e)
{
    struct store s;
    struct packed list[N_MATRICES];
    shape_all(list);
    int result = store_map(&s, "f", key, list, N_MATRICES, NULL, e);
    if (result) {
        assert_null(s.bytes);
        assert_null(s.file.data);
        assert_null(list[0].bytes);
    }
    store_close(&s);
    return result;
}

static void assert_refused(uint64_t key, enum error_code code,
                           const char *message)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(map_with_key(key, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
}

static void change_byte(long at, int by)
{
    FILE *f = fopen("f", "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    int old = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(old ^ by, f);
    assert_int_equal(fclose(f), 0);
}

static long file_size(void)
{
    struct stat s;
    assert_int_equal(stat("f", &s), 0);
    return (long)s.st_size;
}

static void files_of_others_are_refused(void **state)
{
    (void)state;
    assert_refused(KEY, ERROR_SYSTEM, "f: No such file or directory");
    write_text("f", "hello");
    assert_refused(KEY, ERROR_INPUT,
                   "f: at byte 0: this is no packed copy, which would begin "
                   "with RUNGPACK");
    write_text("f", "");
    assert_refused(KEY, ERROR_INPUT, "f: is empty");
    write_store(NULL);
    assert_refused(KEY + 1, ERROR_INPUT,
                   "f: at byte 16: it was made from another model, or from "
                   "this one before it was changed");
    change_byte(8, 2);
    assert_refused(KEY, ERROR_UNSUPPORTED,
                   "f: at byte 8: the layout has version 3; this program "
                   "reads version 1");
    unlink("f");
    mkdir("f", 0700);
    assert_refused(KEY, ERROR_INPUT, "f: is a folder, expected a file");
}

static void a_byte_that_was_changed_is_found(void **state)
{
    (void)state;
    struct error e;
    write_store(NULL);
    assert_ok(map_with_key(KEY, &e), &e);
    long size = file_size();
    for (long at = 0; at < size; at += at < 2 * FILE_HEAD ? 1 : 50021) {
        change_byte(at, 1 << at % 8);
        assert_int_equal(map_with_key(KEY, &e), -1);
        change_byte(at, 1 << at % 8);
    }
    change_byte(size - 1, 128);
    assert_refused(KEY, ERROR_INPUT,
                   "f: at byte 32: the checksum is not that of the matrices; "
                   "the file is damaged");
    change_byte(size - 1, 128);
    change_byte(50, 1);
    assert_refused(KEY, ERROR_INPUT,
                   "f: at byte 40: there are no zeros; the file is damaged");
    change_byte(50, 1);
    assert_ok(map_with_key(KEY, &e), &e);
}

static void a_file_of_another_length_is_found(void **state)
{
    (void)state;
    struct error e;
    write_store(NULL);
    long size = file_size();
    const long lengths[] = {size + 1, size - 1, size - 4096, 1 << 20,
                            FILE_HEAD, FILE_HEAD - 1, 20, 7, 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_int_equal(truncate("f", lengths[i]), 0);
        assert_int_equal(map_with_key(KEY, &e), -1);
        assert_int_equal(strncmp(e.message, "f: ", 3), 0);
    }
    write_store(NULL);
    assert_int_equal(truncate("f", size - 1), 0);
    char words[200];
    snprintf(words, sizeof words,
             "f: has %ld bytes, and would have %ld; it was cut off, or added "
             "to", size - 1, size);
    assert_refused(KEY, ERROR_INPUT, words);
}

/* Other matrices take other bytes. */
static void other_matrices_are_refused(void **state)
{
    (void)state;
    struct store s;
    struct packed list[N_MATRICES];
    struct error e;
    write_store(NULL);
    shape_all(list);
    packed_shape(&list[0], PACKED_INT8, 33, 65);
    assert_int_equal(store_map(&s, "f", KEY, list, N_MATRICES, NULL, &e), -1);
    assert_string_equal(e.message, "f: at byte 24: it holds other matrices "
                                   "than the model");
}

static size_t count_files(void)
{
    size_t n = 0;
    DIR *directory = opendir(".");
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2; /* "." and ".." */
}

/* What cannot be written leaves nothing behind. */
static void a_place_that_takes_no_file_is_an_error(void **state)
{
    (void)state;
    struct store s;
    struct packed list[N_MATRICES];
    struct error e;
    fill_store(&s, list);
    assert_int_equal(store_write(&s, "none/f", KEY, 0600, NULL, &e), -1);
    assert_string_equal(e.message, "none/f: No such file or directory");
    mkdir("f", 0700);
    assert_int_equal(store_write(&s, "f", KEY, 0600, NULL, &e), -1);
    assert_string_equal(e.message, "f: is no regular file, which is all that "
                                   "may be replaced");
    assert_int_equal(count_files(), 1);
    store_close(&s);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(what_was_written_is_mapped),
        SCRATCH(who_may_read_it_is_said_or_was),
        SCRATCH(files_of_others_are_refused),
        SCRATCH(a_byte_that_was_changed_is_found),
        SCRATCH(a_file_of_another_length_is_found),
        SCRATCH(other_matrices_are_refused),
        SCRATCH(a_place_that_takes_no_file_is_an_error),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
