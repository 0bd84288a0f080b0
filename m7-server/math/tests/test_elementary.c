/* Sines, powers and logarithms are near enough to the true numbers to give the
 * floats that rotary positions need.
 *
 * golden/elementary.json is from tests/oracle/kernels/elementary_goldens.py,
 * which asks mpmath for 50 digits. */
#include "elementary.h"

#include "json.h"
#include "rope.h"
#include "test_numbers.h"

#include <math.h>

static json_t *open_golden(const char *name, json_t **list)
{
    struct error e;
    json_t *root = json_read_file("golden/elementary.json", &e);
    assert_ok(root ? 0 : -1, &e);
    *list = json_object_get(root, name);
    assert_true(json_array_size(*list) > 20);
    return root;
}

static double number_of(const json_t *list, size_t row, size_t i)
{
    return json_number_value(json_array_get(json_array_get(list, row), i));
}

static void assert_near(const char *what, double x, double found,
                        double expected, double bound)
{
    if (!(fabs(found - expected) <= bound))
        print_error("%s of %.17g: expected %.17g, got %.17g\n", what, x,
                    expected, found);
    assert_true(fabs(found - expected) <= bound);
}

static void sines_are_true_up_to_ten_million(void **state)
{
    json_t *list, *root = open_golden("turns", &list);
    (void)state;
    for (size_t i = 0; i < json_array_size(list); i++) {
        double angle = number_of(list, i, 0), cosine = number_of(list, i, 1),
               sine = number_of(list, i, 2);
        struct turned t = turned_by(angle);
        assert_near("cosine", angle, t.cosine, cosine,
                    fmin(1e-14, 1e-9 * fabs(cosine)));
        assert_near("sine", angle, t.sine, sine,
                    fmin(1e-14, 1e-9 * fabs(sine)));
        assert_true((float)t.cosine == (float)cosine);
        assert_true((float)t.sine == (float)sine);
    }
    json_decref(root);
}

static void powers_are_true(void **state)
{
    json_t *list, *root = open_golden("powers", &list);
    (void)state;
    for (size_t i = 0; i < json_array_size(list); i++) {
        double x = number_of(list, i, 0), y = number_of(list, i, 1),
               expected = number_of(list, i, 2), found = fixed_power(x, y);
        assert_near("power", x, found, expected, 1e-14 * expected);
        assert_true((float)found == (float)expected);
    }
    json_decref(root);
}

static void logarithms_are_true(void **state)
{
    json_t *list, *root = open_golden("logs", &list);
    (void)state;
    for (size_t i = 0; i < json_array_size(list); i++) {
        double x = number_of(list, i, 0), expected = number_of(list, i, 1);
        assert_near("log", x, fixed_log(x), expected, 4e-16 * fabs(expected));
    }
    json_decref(root);
}

/* No number is refused; what has no answer gives none. */
static void there_is_an_answer_to_everything(void **state)
{
    (void)state;
    assert_true(isnan(turned_by(INFINITY).sine));
    assert_true(isnan(turned_by(NAN).cosine));
    assert_true(fabs(turned_by(3e38).sine) <= 1);
    assert_true(isinf(fixed_exp(800)) && fixed_exp(-800) == 0);
    assert_true(isinf(fixed_exp(INFINITY)) && isnan(fixed_exp(NAN)));
    assert_true(isnan(fixed_log(-1)) && isinf(fixed_log(0)));
    assert_true(isinf(fixed_log(INFINITY)) && isnan(fixed_log(NAN)));
    assert_true(fixed_power(3, 0) == 1);
}

/* The frequencies that m5 has, from the C library: the same floats, for every
 * theta that a published model has and others. */
static void frequencies_are_those_of_the_library(void **state)
{
    const size_t dims[] = {20, 64, 80, 96, 128, 256};
    (void)state;
    for (double theta = 2; theta < 1e12; theta *= 1.37)
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
            for (size_t i = 0; i < dims[d] / 2; i++) {
                float x = (float)floor(theta * 100) / 100;
                float y = (float)(2 * i) / (float)dims[d];
                assert_true((float)fixed_power((double)x, (double)y) ==
                            (float)pow((double)x, (double)y));
            }
}

/* Angles that every machine has are within an ulp of the library's. */
static void angles_are_those_of_the_library(void **state)
{
    struct rope_config config = {.theta = 10000, .head_dim = 64, .dim = 64};
    struct rope r;
    struct error e;
    float found[4][32];
    struct angles ours = {found[0], found[1]}, theirs = {found[2], found[3]};
    (void)state;
    assert_ok(rope_init(&r, &config, &e), &e);
    for (size_t position = 0; position < 10000000; position += 3001) {
        r.same_anywhere = true;
        rope_angles(&r, 1, &position, 1, &ours);
        r.same_anywhere = false;
        rope_angles(&r, 1, &position, 1, &theirs);
        for (size_t i = 0; i < 32; i++) {
            assert_true(fabsf(found[0][i] - found[2][i]) <= 6e-8f);
            assert_true(fabsf(found[1][i] - found[3][i]) <= 6e-8f);
        }
    }
    rope_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_are_true_up_to_ten_million),
        cmocka_unit_test(powers_are_true),
        cmocka_unit_test(logarithms_are_true),
        cmocka_unit_test(there_is_an_answer_to_everything),
        cmocka_unit_test(frequencies_are_those_of_the_library),
        cmocka_unit_test(angles_are_those_of_the_library),
    };
    return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
