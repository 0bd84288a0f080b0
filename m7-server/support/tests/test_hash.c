/* The table from number to number keeps what is put into it. */
#include "hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_empty_map_has_no_keys(void **state)
{
    (void)state;
    struct map m = {0};
    assert_int_equal(map_find(&m, 0), MAP_NONE);
    assert_int_equal(map_find(&m, UINT64_MAX), MAP_NONE);
    map_free(&m);
}

static void a_map_keeps_every_key_while_it_grows(void **state)
{
    (void)state;
    struct map m = {0};
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(map_put(&m, (uint64_t)i << 32 | i / 7, i), 0);
    assert_int_equal(m.used, 50000);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(map_find(&m, (uint64_t)i << 32 | i / 7), i);
    assert_int_equal(map_find(&m, (uint64_t)7 << 32), MAP_NONE);
    map_free(&m);
}

static void a_second_value_replaces_the_first(void **state)
{
    (void)state;
    struct map m = {0};
    assert_int_equal(map_put(&m, UINT64_MAX, 1), 0);
    assert_int_equal(map_put(&m, UINT64_MAX, 2), 0);
    assert_int_equal(map_find(&m, UINT64_MAX), 2);
    assert_int_equal(m.used, 1);
    map_free(&m);
}

static void a_map_stays_half_empty(void **state)
{
    (void)state;
    struct map m = {0};
    assert_int_equal(map_reserve(&m, 1024), 0);
    size_t capacity = m.capacity;
    assert_int_equal(capacity, 2048);
    assert_int_equal(map_find(&m, 0), MAP_NONE);
    for (uint32_t i = 0; i < 1024; i++)
        assert_int_equal(map_put(&m, i, i), 0);
    assert_int_equal(m.capacity, capacity);
    map_free(&m);
}

static void a_map_too_large_is_refused(void **state)
{
    (void)state;
    struct map m = {0};
    assert_int_equal(map_reserve(&m, SIZE_MAX / 4), -1);
    assert_int_equal(map_put(&m, 1, 1), 0);
    assert_int_equal(map_find(&m, 1), 1);
    map_free(&m);
}

static void zero_bytes_at_the_end_count(void **state)
{
    (void)state;
    assert_true(hash_bytes("a", 1) != hash_bytes("a\0", 2));
    assert_true(hash_bytes("", 0) != hash_bytes("\0", 1));
    assert_true(hash_bytes("12345678", 8) != hash_bytes("12345678\0", 9));
    assert_true(hash_bytes("12345678a", 9) == hash_bytes("12345678a", 9));
}

/* Computed by hash_bytes's rule in Python 3.11, whose integers have no end;
 * all bytes of a word are alike, so that their order does not matter. */
static void a_hash_is_the_same_everywhere(void **state)
{
    (void)state;
    assert_true(hash_bytes("", 0) == 0);
    assert_true(hash_bytes("aaaaaaaa", 8) == 0x3AABCAD575A319E6);
    assert_true(hash_bytes("aaaaaaaabbbbbbbb", 16) == 0xEE5FAD516F254074);
    assert_true(hash_bytes("aaaaaaaac", 9) != hash_bytes("aaaaaaaad", 9));
    assert_true(hash_bytes("aaaaaaaac", 9) != hash_bytes("bbbbbbbbc", 9));
}

static void a_map_takes_its_keys_along_when_it_grows(void **state)
{
    (void)state;
    struct map m = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(map_put(&m, 3 * i, i), 0);
    assert_int_equal(map_reserve(&m, 10000), 0);
    assert_int_equal(m.used, 1000);
    assert_true(m.capacity >= 20000);
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(map_find(&m, i), i % 3 ? MAP_NONE : i / 3);
    size_t capacity = m.capacity;
    const struct map_slot *slots = m.slots;
    assert_int_equal(map_reserve(&m, 10), 0);
    assert_int_equal(m.capacity, capacity);
    assert_ptr_equal(m.slots, slots);
    map_free(&m);
}

/* Always half empty, so that a search ends; a power of two, so that a mask
 * finds the slot. */
static void a_map_grows_before_it_is_half_full(void **state)
{
    (void)state;
    struct map m = {0};
    for (uint32_t i = 0; i < 300; i++) {
        assert_int_equal(map_put(&m, i, i), 0);
        assert_true(2 * m.used <= m.capacity);
        assert_true((m.capacity & (m.capacity - 1)) == 0);
    }
    map_free(&m);
    assert_int_equal(map_reserve(&m, 8), 0);
    assert_int_equal(m.capacity, 16);
    assert_int_equal(map_reserve(&m, 9), 0);
    assert_int_equal(m.capacity, 32);
    map_free(&m);
    assert_int_equal(map_reserve(&m, SIZE_MAX), -1);
    assert_true(m.capacity == 0 && !m.slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_no_keys),
        cmocka_unit_test(a_map_keeps_every_key_while_it_grows),
        cmocka_unit_test(a_second_value_replaces_the_first),
        cmocka_unit_test(a_map_stays_half_empty),
        cmocka_unit_test(a_map_too_large_is_refused),
        cmocka_unit_test(zero_bytes_at_the_end_count),
        cmocka_unit_test(a_hash_is_the_same_everywhere),
        cmocka_unit_test(a_map_takes_its_keys_along_when_it_grows),
        cmocka_unit_test(a_map_grows_before_it_is_half_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
