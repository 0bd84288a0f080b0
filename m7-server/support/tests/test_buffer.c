/* Growing arrays keep what is added, and remember a failure. */
#include "buffer.h"
#include "test_long.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void bytes_keep_what_is_added(void **state)
{
    (void)state;
    struct bytes b = {0};
    bytes_add_string(&b, "one ");
    bytes_add(&b, "t\0o", 3);
    bytes_add(&b, NULL, 0);
    assert_int_equal(b.size, 7);
    assert_memory_equal(b.data, "one t\0o", 7);
    assert_false(b.failed);
    bytes_free(&b);
    assert_null(b.data);
    assert_int_equal(b.size, 0);
}

static void bytes_survive_growing(void **state)
{
    (void)state;
    struct bytes b = {0};
    for (int i = 0; i < 100000; i++)
        bytes_add(&b, &(char){(char)(i % 127)}, 1);
    assert_int_equal(b.size, 100000);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(b.data[i], i % 127);
    bytes_free(&b);
}

static void ids_keep_their_order(void **state)
{
    (void)state;
    struct ids list = {0};
    for (int i = 0; i < 1000; i++) {
        ids_add(&list, i * 3);
        assert_int_equal(list.size, i + 1);
        assert_true(list.size <= list.capacity);
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list.data[i], i * 3);
    ids_free(&list);
    assert_null(list.data);
}

static void a_size_that_overflows_fails_and_is_remembered(void **state)
{
    (void)state;
    struct bytes b = {0};
    bytes_add_string(&b, "kept");
    bytes_add(&b, "x", SIZE_MAX);
    assert_true(b.failed);
    bytes_add_string(&b, "late");
    assert_int_equal(b.size, 4);
    assert_memory_equal(b.data, "kept", 4);
    bytes_free(&b);
}

static void an_impossible_array_leaves_the_old_one(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *array = grow(NULL, &capacity, 3, sizeof *array);
    assert_non_null(array);
    assert_in_range(capacity, 3, 1000);
    size_t before = capacity;
    assert_null(grow(array, &capacity, SIZE_MAX / 2, sizeof *array));
    assert_int_equal(capacity, before);
    free(array);
}

static void growing_doubles(void **state)
{
    (void)state;
    size_t capacity = 0;
    char *array = grow(NULL, &capacity, 1000, 1);
    size_t first = capacity;
    assert_true(first >= 1000);
    array = grow(array, &capacity, first + 1, 1);
    assert_non_null(array);
    assert_true(capacity >= 2 * first);
    assert_ptr_equal(grow(array, &capacity, first, 1), array);
    first = capacity;
    array = grow(array, &capacity, 2 * first, 1);
    assert_non_null(array);
    assert_true(capacity >= 2 * first);
    free(array);
}

/* Of all the elements that there are said to be, each can be written. */
static void an_array_is_as_large_as_it_says(void **state)
{
    (void)state;
    size_t capacity = 0, needed = ((size_t)1 << 20) + 1;
    int *array = grow(NULL, &capacity, needed, sizeof *array);
    assert_non_null(array);
    assert_true(capacity >= needed);
    memset(array, 1, capacity * sizeof *array);
    assert_int_equal(array[capacity - 1], 0x01010101);
    free(array);
}

/* 2^61 + 1 elements of 4 bytes are fewer bytes than a size_t counts, but
 * there is no room for the next power of two; nor for 16 of 2^61 bytes. */
static void the_number_of_bytes_does_not_overflow(void **state)
{
    (void)state;
    size_t capacity = 0, much = SIZE_MAX / 8 + 1;
    assert_null(grow(NULL, &capacity, much + 1, 4));
    assert_null(grow(NULL, &capacity, 16, much));
    assert_int_equal(capacity, 0);
}

static void without_memory_the_old_size_stays(void **state)
{
    (void)state;
    size_t capacity = 0;
    if (is_slow()) { /* the sanitizers' allocator ends the program */
        print_message("not under sanitizers\n");
        skip();
    }
    assert_null(grow(NULL, &capacity, SIZE_MAX / 2, 1));
    assert_int_equal(capacity, 0);
}

static void reading_takes_all_that_is_left(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    const int size = 3 * 65536 + 2; /* one more than whole blocks are read */
    for (int i = 0; i < size; i++)
        fputc(i % 251, f);
    rewind(f);
    assert_int_equal(fgetc(f), 0);
    struct bytes b = {0};
    struct error e;
    assert_int_equal(bytes_read(&b, f, "a file", &e), 0);
    assert_int_equal(b.size, size - 1);
    assert_int_equal((unsigned char)b.data[size - 2], (size - 1) % 251);
    bytes_free(&b);
    fclose(f);
}

static void a_failed_read_names_the_file(void **state)
{
    (void)state;
    FILE *f = fopen(".", "r");
    if (!f)
        skip();
    struct bytes b = {0};
    struct error e;
    assert_int_equal(bytes_read(&b, f, "the folder", &e), -1);
    assert_string_equal(e.message, "the folder: Is a directory");
    assert_int_equal(e.code, ERROR_SYSTEM);
    bytes_free(&b);
    fclose(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_keep_what_is_added),
        cmocka_unit_test(bytes_survive_growing),
        cmocka_unit_test(ids_keep_their_order),
        cmocka_unit_test(a_size_that_overflows_fails_and_is_remembered),
        cmocka_unit_test(an_impossible_array_leaves_the_old_one),
        cmocka_unit_test(growing_doubles),
        cmocka_unit_test(an_array_is_as_large_as_it_says),
        cmocka_unit_test(the_number_of_bytes_does_not_overflow),
        cmocka_unit_test(without_memory_the_old_size_stays),
        cmocka_unit_test(reading_takes_all_that_is_left),
        cmocka_unit_test(a_failed_read_names_the_file),
    };
    return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
