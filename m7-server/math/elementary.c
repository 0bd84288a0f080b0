/* Elementary functions: see elementary.h.  floor, frexp and ldexp are exact,
 * so every C library has the same. */
#include "elementary.h"

#include <math.h>
#include <stddef.h>

enum series_lengths {
    SERIES_TERMS = 8, /* for an eighth of a turn */
    EXP_TERMS = 15,
    LOG_TERMS = 13
};

/* Pi / 2 in three parts, the first two of 26 bits: a whole number below 2 to
 * the 27 times one of these is exact, and so is what is left when such a
 * product is subtracted from a float near it. */
static const double quarter_turn[] = {0x1.921fb5p+0, 0x1.110b46p-26,
                                      0x1.1a62633145c07p-54};

/* The factors of sin x = x (1 - x^2 / 3! + x^4 / 5! ...), and those of cos x
 * = 1 - x^2 / 2! + x^4 / 4! ..., the last first. */
static const double sine_series[] = {
    1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800,
    -1.0 / 39916800,       1.0 / 362880,         -1.0 / 5040,
    1.0 / 120,             -1.0 / 6};
static const double cosine_series[] = {
    1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
    1.0 / 40320,          -1.0 / 720,         1.0 / 24,        -1.0 / 2};

static double sum_series(const double *factors, double x)
{
    double sum = 0;
    for (size_t i = 0; i < SERIES_TERMS; i++)
        sum = sum * x + factors[i];
    return sum * x;
}

/* The angle is n quarters of a turn and a rest. */
struct turned turned_by(double angle)
{
    if (!(fabs(angle) < 0x1p27)) /* fmod is exact, too; that of Inf is NaN */
        angle = fmod(angle, 4 * quarter_turn[0]);
    if (isnan(angle))
        return (struct turned){angle, angle};
    double n = floor(angle * 0x1.45f306dc9c883p-1 + 0.5), rest = angle;
    for (size_t i = 0; i < 3; i++)
        rest -= n * quarter_turn[i];
    double square = rest * rest;
    double c = 1 + sum_series(cosine_series, square);
    double s = rest + rest * sum_series(sine_series, square);
    const struct turned quarters[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    return quarters[(long)n & 3];
}

/* x = m 2^k with m from 0.7 to 1.5; log m = 2 (t + t^3 / 3 + t^5 / 5 ...) with
 * t = (m - 1) / (m + 1). */
double fixed_log(double x)
{
    if (!(x > 0) || isinf(x))
        return x > 0 ? x : x == 0 ? -INFINITY : NAN;
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.7071067811865476) {
        m *= 2;
        exponent--;
    }
    double t = (m - 1) / (m + 1), square = t * t, sum = 0;
    for (int i = 2 * LOG_TERMS + 1; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent * 0x1.62e42fefa39efp-1 + 2 * t * sum;
}

/* x = n ln 2 + rest. */
double fixed_exp(double x)
{
    if (!(fabs(x) < 700))
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    double n = floor(x * 0x1.71547652b82fep+0 + 0.5);
    double rest = x - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33;
    double sum = 1;
    for (int i = EXP_TERMS; i > 0; i--)
        sum = 1 + sum * rest / i;
    return ldexp(sum, (int)n);
}

double fixed_power(double x, double y)
{
    return fixed_exp(y * fixed_log(x));
}
