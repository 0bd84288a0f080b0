/* Functions of a vector's lanes: exponentials, and what is made of them.
 *
 * Only additions, products, fused ones and divisions, in the order that stands
 * here: so their bits do not depend on the machine, or on its C library, whose
 * own expf and tanhf may differ from the next one's in the last bit.
 *
 * How far a result may be from the true one is said in ulp, the distance
 * between two floats at that place; test_kernel_math tries a sample of all
 * floats, and with RUNG_LONG=all each.  What is no number stays none. */
#ifndef KERNEL_MATH_H
#define KERNEL_MATH_H

#include "vector.h"

/* The bits of floats, as numbers that may pass their largest. */
typedef uint32_t vbits __attribute__((vector_size(4 * LANES)));

/* Lanes of `a` where the mask has all bits, of `b` where it has none. */
INLINE vfloat select_floats(vint mask, vfloat a, vfloat b)
{
    return (vfloat)(((vint)a & mask) | ((vint)b & ~mask));
}

INLINE vfloat size_of_floats(vfloat x)
{
    return (vfloat)((vint)x & 0x7fffffff);
}

/* A number in two parts: `low` is what was lost when `high` was rounded. */
struct two_floats {
    vfloat high, low;
};

/* a * b. */
INLINE struct two_floats exact_product(vfloat a, vfloat b)
{
    vfloat high = a * b;
    return (struct two_floats){high, fused(a, b, -high)};
}

/* a + b, whichever is larger (Knuth, The Art of Computer Programming, 4.2.2,
 * theorem B). */
INLINE struct two_floats exact_sum(vfloat a, vfloat b)
{
    vfloat high = a + b, of_b = high - a;
    return (struct two_floats){high, (a - (high - of_b)) + (b - of_b)};
}

/* x = n ln 2 + rest, n being whole. */
struct split_exponent {
    vfloat shifted; /* n in its lowest bits */
    vfloat rest;    /* |rest| < 0.347 */
};

/* The magic number, added to a small one, rounds that to a whole number, which
 * the lowest bits of the sum are.  ln 2 has two parts: the first so short that
 * n times it is exact. */
INLINE struct split_exponent split_exponent(vfloat x)
{
    const float magic = 0x1.8p23f;
    vfloat shifted = fused(x, all_floats(0x1.715476p+0f), all_floats(magic));
    vfloat n = shifted - magic;
    vfloat rest = fused(n, all_floats(-0x1.62e4p-1f), x);
    rest = fused(n, all_floats(-0x1.7f7d1cp-20f), rest);
    return (struct split_exponent){shifted, rest};
}

/* 2^n exp(rest), by the polynomial of degree 6 whose largest error is least
 * (Remez), and n added to the exponent.  x, which was split, says whether the
 * result is too large for a float, or too small. */
INLINE vfloat exp_of_split(struct split_exponent s, vfloat x)
{
    vfloat p = all_floats(0x1.6ab89cp-10f);
    p = fused(p, s.rest, all_floats(0x1.123d7p-7f));
    p = fused(p, s.rest, all_floats(0x1.55585ap-5f));
    p = fused(p, s.rest, all_floats(0x1.55548cp-3f));
    p = fused(p, s.rest, all_floats(0x1.fffffcp-2f));
    p = fused(p, s.rest, all_floats(1));
    p = fused(p, s.rest, all_floats(1));
    vbits bits = (vbits)p + ((vbits)s.shifted << 23);
    bits = bits & (vbits)(x >= -87.3f);
    return select_floats(x <= 0x1.62e42ep6f, (vfloat)bits,
                         x + __builtin_inff());
}

/* exp(x), within 1 ulp; 0 for x < -87.3, where it is below 1.22e-38. */
INLINE vfloat vector_exp(vfloat x)
{
    return exp_of_split(split_exponent(x), x);
}

/* exp(x + more) for a `more` that is lost when x is rounded. */
INLINE vfloat vector_exp_of_sum(vfloat x, vfloat more)
{
    struct split_exponent s = split_exponent(x);
    s.rest = s.rest + more;
    return exp_of_split(s, x);
}

/* tanh(x), within 1.4 ulp: near 0 by a polynomial in x * x, further out as
 * 1 - 2 / (exp(2 |x|) + 1). */
INLINE vfloat vector_tanh(vfloat x)
{
    vfloat size = size_of_floats(x), square = x * x;
    vfloat p = all_floats(-0x1.7863cep-8f);
    p = fused(p, square, all_floats(0x1.52cb4p-6f));
    p = fused(p, square, all_floats(-0x1.b85a38p-5f));
    p = fused(p, square, all_floats(0x1.110844p-3f));
    p = fused(p, square, all_floats(-0x1.55553ap-2f));
    vfloat near = fused(x * square, p, x);
    vfloat far = 1 - 2 / (vector_exp(size + size) + 1);
    vint sign = (vint)x & ~0x7fffffff;
    return select_floats(size < 0.625f, near, (vfloat)((vint)far | sign));
}

/* The chance that a standard normal number is above t > 0, divided by
 * exp(-t * t / 2): a polynomial in 1 / (1 + t / 4), from t = 0 to 13.3. */
INLINE vfloat normal_ratio(vfloat t)
{
    vfloat u = 1 / fused(t, all_floats(0.25f), all_floats(1));
    vfloat p = all_floats(0x1.07967cp-6f);
    p = fused(p, u, all_floats(-0x1.ebcccap-5f));
    p = fused(p, u, all_floats(0x1.700e8cp-5f));
    p = fused(p, u, all_floats(0x1.35640ep-5f));
    p = fused(p, u, all_floats(0x1.2d71bcp-8f));
    p = fused(p, u, all_floats(0x1.75ad8p-4f));
    p = fused(p, u, all_floats(0x1.2012dp-4f));
    p = fused(p, u, all_floats(0x1.88c9a2p-4f));
    p = fused(p, u, all_floats(0x1.975256p-4f));
    p = fused(p, u, all_floats(0x1.989416p-4f));
    return p * u;
}

/* The chance that a standard normal number is below x; 0 for x < -13.2, where
 * it is below 5e-40.  The square of x is so large there that what its rounding
 * loses would be seen.  x times this is within 8 ulp. */
INLINE vfloat vector_normal(vfloat x)
{
    vfloat t = size_of_floats(x);
    t = select_floats(t > 20, all_floats(20), t);
    struct two_floats square = exact_product(t, t);
    vfloat tail = vector_exp_of_sum(square.high * -0.5f, square.low * -0.5f);
    tail = tail * normal_ratio(t);
    return select_floats(x < 0, tail, 1 - tail);
}

#endif
