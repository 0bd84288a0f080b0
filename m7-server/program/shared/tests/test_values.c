/* What options' values must be, in words for who typed them. */
#include "values.h"

#include "options.h"
#include "test_numbers.h"

typedef int read_function(const char *value, void *field, struct error *e);

static void assert_refused(read_function *read, const char *value,
                           const char *message)
{
    struct biases field = {.n = 0}; /* room for any of them */
    struct error e;
    assert_int_equal(read(value, &field, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_string_equal(e.message, message);
}

static void assert_real(read_function *read, const char *value,
                        double expected)
{
    struct real r = {false, -5};
    struct error e;
    assert_ok(read(value, &r, &e), &e);
    assert_true(r.said && r.value == expected);
}

static void numbers_have_a_range_and_nothing_behind_them(void **state)
{
    (void)state;
    assert_real(read_temperature, "0", 0);
    assert_real(read_temperature, "0.75", 0.75);
    assert_real(read_temperature, "100", 100);
    assert_real(read_share, "1e-3", 1e-3);
    assert_real(read_share, ".5", .5);
    assert_real(read_penalty, "-2", -2);
    assert_real(read_repetition, "1.1", 1.1);
    assert_refused(read_temperature, "101",
                   "must be a number from 0 to 100, not \"101\"");
    assert_refused(read_share, "1.01",
                   "must be a number from 0 to 1, not \"1.01\"");
    assert_refused(read_penalty, "2.5",
                   "must be a number from -2 to 2, not \"2.5\"");
    assert_refused(read_repetition, "0",
                   "must be a number from 0.01 to 100, not \"0\"");
    assert_refused(read_share, "0.5x",
                   "must be a number from 0 to 1, not \"0.5x\"");
    static const char *const no_numbers[] = {
        "", "x", "nan", "inf", " 1", "-", "1 ", "+1", "0x1", "0x1p-3", "-nan"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        struct real r;
        struct error e;
        assert_int_equal(read_temperature(no_numbers[i], &r, &e), -1);
    }
}

static void counts_have_a_range(void **state)
{
    (void)state;
    struct number n = {false, 0};
    struct error e;
    assert_ok(read_samples("1000", &n, &e), &e);
    assert_true(n.said && n.value == 1000);
    assert_ok(read_few("0", &n, &e), &e);
    assert_true(n.said && n.value == 0);
    assert_refused(read_samples, "1001",
                   "must be a whole number from 1 to 1000, not \"1001\"");
    assert_refused(read_samples, "0",
                   "must be a whole number from 1 to 1000, not \"0\"");
    assert_refused(read_few, "-1",
                   "must be a whole number from 0 to 20, not \"-1\"");
}

static void a_seed_has_64_bits(void **state)
{
    (void)state;
    struct seed s = {false, 0};
    struct error e;
    assert_ok(read_seed("18446744073709551615", &s, &e), &e);
    assert_true(s.said && s.value == UINT64_MAX);
    assert_refused(read_seed, "18446744073709551616",
                   "must be a whole number from 0 to 18446744073709551615, "
                   "not \"18446744073709551616\"");
    assert_refused(read_seed, "1.5",
                   "must be a whole number from 0 to 18446744073709551615, "
                   "not \"1.5\"");
}

static void a_bias_is_a_token_and_a_number(void **state)
{
    (void)state;
    struct biases list = {.n = 0};
    struct error e;
    assert_ok(read_token_bias("13=-2.5", &list, &e), &e);
    assert_ok(read_token_bias("0=100", &list, &e), &e);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.items[0].id, 13);
    assert_true(list.items[0].value == -2.5f && list.items[1].value == 100);
    static const char *const wrong[] = {
        "13",     "=1",   "13=",          "x=1",    "13=1x",
        "13=101", "-1=1", "9999999999=1", "13=0x10"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char message[120];
        snprintf(message, sizeof message,
                 "must be ID=BIAS, with a token's id and a number from -100 "
                 "to 100, not \"%s\"",
                 wrong[i]);
        assert_refused(read_token_bias, wrong[i], message);
    }
}

static void some_can_be_given_again_but_not_for_ever(void **state)
{
    (void)state;
    struct texts texts = {.n = 0};
    struct numbers ids = {.n = 0};
    struct error e;
    for (int i = 0; i < MOST_GIVEN; i++) {
        assert_ok(read_stop("x", &texts, &e), &e);
        assert_ok(read_stop_id("2147483647", &ids, &e), &e);
    }
    assert_int_equal(read_stop("x", &texts, &e), -1);
    assert_string_equal(e.message, "can be given 16 times at most");
    assert_int_equal(read_stop_id("1", &ids, &e), -1);
    assert_string_equal(e.message, "can be given 16 times at most");
}

static void a_stop_string_is_a_text(void **state)
{
    (void)state;
    assert_refused(read_stop, "", "is empty");
    assert_refused(read_stop, "\xe2\x82", "must be UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_a_range_and_nothing_behind_them),
        cmocka_unit_test(counts_have_a_range),
        cmocka_unit_test(a_seed_has_64_bits),
        cmocka_unit_test(a_bias_is_a_token_and_a_number),
        cmocka_unit_test(some_can_be_given_again_but_not_for_ever),
        cmocka_unit_test(a_stop_string_is_a_text),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
