/* Finding a border: see select.h.  Knows nothing of tokens. */
#include "select.h"

#include <stdint.h>
#include <string.h>

/* A value is looked at as three digits, from its highest bits down.  Three
 * times 11 bits are one more than 32: the last digit repeats a bit of the
 * one before. */
enum digits {
    N_DIGITS = 3,
    N_BUCKETS = 1 << 11
};

/* A float's bits as a number that grows with the float.  Those of a positive
 * one already do, but for the sign, which must count as more; a negative
 * one's grow as it falls, so they are all turned round.  Zero has two
 * spellings: adding 0 makes -0 into 0. */
static uint32_t order_bits(float x)
{
    uint32_t bits;
    x += 0.0f;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* The float of such a number. */
static float from_order(uint32_t order)
{
    uint32_t bits = order >> 31 ? order & 0x7fffffffu : ~order;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* What is known of the border: its first digits, and the weights above. */
struct search {
    uint32_t known, mask; /* the bits that are known, and which these are */
    double above;
};

/* Add up the weights by the digit that begins at bit `shift`, of the values
 * that begin with what is known. */
static void fill_buckets(const struct search *s, const float *values,
                         const float *weights, size_t n, int shift,
                         double *sums)
{
    memset(sums, 0, N_BUCKETS * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        uint32_t order = order_bits(values[i]);
        if ((order & s->mask) == s->known)
            sums[order >> shift & (N_BUCKETS - 1)] += weights ? weights[i] : 1;
    }
}

/* The bucket, from the last down, in which *above reaches the target; the
 * lowest that is not empty when none is. */
static uint32_t find_bucket(const double *sums, double target, double *above)
{
    double inside = 0;
    uint32_t found = 0;
    for (uint32_t b = N_BUCKETS; b-- > 0;) {
        if (sums[b] == 0)
            continue;
        *above += inside;
        inside = sums[b];
        found = b;
        if (*above + inside >= target)
            break;
    }
    return found;
}

struct border find_border(const float *values, const float *weights, size_t n,
                          double target)
{
    static const int shifts[N_DIGITS] = {21, 10, 0};
    double sums[N_BUCKETS];
    struct search s = {0, 0, 0};
    for (int i = 0; i < N_DIGITS; i++) {
        fill_buckets(&s, values, weights, n, shifts[i], sums);
        s.known |= find_bucket(sums, target, &s.above) << shifts[i];
        s.mask |= (uint32_t)(N_BUCKETS - 1) << shifts[i];
    }
    return (struct border){from_order(s.known), s.above};
}
