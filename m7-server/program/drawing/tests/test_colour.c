/* Colours are as far apart as the numbers they stand for, for all eyes. */
#include "colour.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- a second way to OKLab, from the bytes ------------------------------ */

struct point {
    double x, y, z;
};

static double light_of(unsigned char byte)
{
    double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92
                            : pow((value + 0.055) / 1.055, 2.4);
}

static struct point light(struct colour c)
{
    return (struct point){light_of(c.red), light_of(c.green),
                          light_of(c.blue)};
}

/* Linear sRGB to OKLab (lightness, a, b). */
static struct point oklab(struct point p)
{
    double l =
        cbrt(0.4122214708 * p.x + 0.5363325363 * p.y + 0.0514459929 * p.z);
    double m =
        cbrt(0.2119034982 * p.x + 0.6806995451 * p.y + 0.1073969566 * p.z);
    double s =
        cbrt(0.0883024619 * p.x + 0.2817188376 * p.y + 0.6299787005 * p.z);
    return (struct point){
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double distance(struct point p, struct point q)
{
    return sqrt(pow(p.x - q.x, 2) + pow(p.y - q.y, 2) + pow(p.z - q.z, 2));
}

/* Linear sRGB as someone without red, or without green receptors sees it:
 * Vienot, Brettel and Mollon 1999, "Digital video colourmaps for checking the
 * legibility of displays by dichromats". */
static struct point without_red(struct point p)
{
    double yellow = 0.11238 * p.x + 0.88762 * p.y;
    return (struct point){yellow, yellow, 0.00401 * p.x - 0.00401 * p.y + p.z};
}

static struct point without_green(struct point p)
{
    double yellow = 0.29275 * p.x + 0.70725 * p.y;
    return (struct point){yellow, yellow,
                          -0.02234 * p.x + 0.02234 * p.y + p.z};
}

/* --- the tests ---------------------------------------------------------- */

static void assert_even(struct colour (*scale)(float), float from, float to)
{
    enum scale_steps {
        STEPS = 16
    };
    double total = 0, each[STEPS];
    for (int i = 0; i < STEPS; i++) {
        float a = from + (to - from) * i / STEPS;
        float b = from + (to - from) * (i + 1) / STEPS;
        each[i] = distance(oklab(light(scale(a))), oklab(light(scale(b))));
        total += each[i];
    }
    for (int i = 0; i < STEPS; i++)
        assert_true(fabs(each[i] * STEPS / total - 1) < 0.12);
}

/* A byte is 1/255, so that dark steps are a little uneven. */
static void equal_steps_look_equal(void **state)
{
    (void)state;
    assert_even(colour_magnitude, 0, 1);
    assert_even(colour_signed, 0, 1);
    assert_even(colour_signed, 0, -1);
}

static void larger_numbers_are_darker(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        float small = i / 100.0f, large = (i + 1) / 100.0f;
        assert_true(oklab(light(colour_magnitude(large))).x <
                    oklab(light(colour_magnitude(small))).x);
        assert_true(oklab(light(colour_signed(large))).x <
                    oklab(light(colour_signed(small))).x);
        assert_true(oklab(light(colour_signed(-large))).x <
                    oklab(light(colour_signed(-small))).x);
    }
}

static void signs_of_equal_size_are_equally_dark(void **state)
{
    (void)state;
    for (int i = 0; i <= 100; i++) {
        float share = i / 100.0f;
        double above = oklab(light(colour_signed(share))).x;
        double below = oklab(light(colour_signed(-share))).x;
        assert_true(fabs(above - below) < 0.02);
    }
}

static void signs_differ_for_the_colour_blind(void **state)
{
    (void)state;
    for (int i = 20; i <= 100; i++) {
        struct point above = light(colour_signed(i / 100.0f));
        struct point below = light(colour_signed(-i / 100.0f));
        assert_true(distance(oklab(without_red(above)),
                             oklab(without_red(below))) > 0.05);
        assert_true(distance(oklab(without_green(above)),
                             oklab(without_green(below))) > 0.05);
    }
}

static void assert_same(struct colour a, struct colour b)
{
    assert_int_equal(a.red, b.red);
    assert_int_equal(a.green, b.green);
    assert_int_equal(a.blue, b.blue);
}

static void beyond_the_limit_the_last_colour_stays(void **state)
{
    (void)state;
    assert_same(colour_magnitude(7), colour_magnitude(1));
    assert_same(colour_magnitude(-7), colour_magnitude(0));
    assert_same(colour_signed(7), colour_signed(1));
    assert_same(colour_signed(-INFINITY), colour_signed(-1));
}

static void what_is_no_number_looks_like_none(void **state)
{
    (void)state;
    struct point bad = oklab(light(colour_not_finite()));
    for (int i = -100; i <= 100; i++) {
        float share = i / 100.0f;
        struct point magnitude = oklab(light(colour_magnitude(share)));
        struct point sign = oklab(light(colour_signed(share)));
        assert_true(distance(bad, magnitude) > 0.2);
        assert_true(distance(bad, sign) > 0.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_look_equal),
        cmocka_unit_test(larger_numbers_are_darker),
        cmocka_unit_test(signs_of_equal_size_are_equally_dark),
        cmocka_unit_test(signs_differ_for_the_colour_blind),
        cmocka_unit_test(beyond_the_limit_the_last_colour_stays),
        cmocka_unit_test(what_is_no_number_looks_like_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
