/* Random numbers: the same for everyone.  golden/random.json is from
 * tests/oracle/sampling/sampling_random.py, which jumps in another way. */
#include "random.h"

#include "json.h"
#include "test_equal.h"
#include "test_numbers.h"

#include <inttypes.h>

static json_t *goldens(void)
{
    struct error e;
    json_t *root = json_read_file("golden/random.json", &e);
    assert_ok(root ? 0 : -1, &e);
    return root;
}

/* JSON has no integers of 64 bits, so they are strings. */
static uint64_t bits_at(const json_t *list, size_t i)
{
    return strtoull(json_string_value(json_array_get(list, i)), NULL, 10);
}

static void the_generators_give_their_authors_numbers(void **state)
{
    (void)state;
    json_t *root = goldens();
    const json_t *list = json_object_get(root, "xoshiro");
    struct random r = {{1, 2, 3, 4}};
    assert_int_equal(json_array_size(list), 10);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(random_bits(&r), bits_at(list, i));
    list = json_object_get(root, "splitmix");
    uint64_t seed = 1234567;
    assert_int_equal(json_array_size(list), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(splitmix(&seed), bits_at(list, i));
    json_decref(root);
}

static void a_jump_is_two_to_the_128_steps(void **state)
{
    (void)state;
    json_t *root = goldens();
    const json_t *list = json_object_get(root, "jump");
    struct random r = {{1, 2, 3, 4}};
    random_jump(&r);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(r.state[i], bits_at(list, i));
    json_decref(root);
}

static void assert_stream(const json_t *golden)
{
    const json_t *bits = json_object_get(golden, "bits");
    const json_t *shares = json_object_get(golden, "shares");
    const char *seed = json_string_value(json_object_get(golden, "seed"));
    json_int_t stream = json_integer_value(json_object_get(golden, "stream"));
    struct random a, b;
    random_init(&a, strtoull(seed, NULL, 10), (uint64_t)stream);
    b = a;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(random_bits(&a), bits_at(bits, i));
        double share = json_real_value(json_array_get(shares, i));
        assert_equal(random_share(&b), share);
    }
}

static void a_seed_and_a_stream_say_which_numbers_come(void **state)
{
    (void)state;
    json_t *root = goldens(), *golden;
    const json_t *streams = json_object_get(root, "streams");
    size_t i;
    assert_int_equal(json_array_size(streams), 12);
    json_array_foreach(streams, i, golden) assert_stream(golden);
    json_decref(root);
}

/* The state of which the next number has all 64 bits set, or none. */
static void a_share_is_never_one(void **state)
{
    (void)state;
    const uint64_t inverse_5 = 0xcccccccccccccccd,
                   inverse_9 = 0x8e38e38e38e38e39;
    uint64_t x = UINT64_MAX * inverse_9;
    struct random most = {{1, (x >> 7 | x << 57) * inverse_5, 1, 1}};
    struct random least = {{1, 0, 1, 1}};
    struct random same = most;
    assert_int_equal(random_bits(&same), UINT64_MAX);
    assert_equal(random_share(&most), 1 - 0x1p-53);
    assert_equal(random_share(&least), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generators_give_their_authors_numbers),
        cmocka_unit_test(a_jump_is_two_to_the_128_steps),
        cmocka_unit_test(a_seed_and_a_stream_say_which_numbers_come),
        cmocka_unit_test(a_share_is_never_one),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
