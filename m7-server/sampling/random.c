/* Random numbers: see random.h. */
#include "random.h"

#include <stddef.h>
#include <string.h>

uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

uint64_t random_bits(struct random *r)
{
    uint64_t *s = r->state, result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_share(struct random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

/* A step of the state adds some of its bits to others, and nothing else, so
 * it is linear: T s.  Then 2^128 steps are a polynomial in T, which stands
 * here as the paper's authors computed it: where bit i is set, T^i s belongs
 * to the sum. */
void random_jump(struct random *r)
{
    static const uint64_t polynomial[4] = {
        0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa,
        0x39abdc4529b1661c};
    uint64_t sum[4] = {0};
    for (size_t i = 0; i < 256; i++) {
        if (polynomial[i / 64] >> (i % 64) & 1)
            for (size_t k = 0; k < 4; k++)
                sum[k] ^= r->state[k];
        random_bits(r);
    }
    memcpy(r->state, sum, sizeof sum);
}

void random_init(struct random *r, uint64_t seed, uint64_t stream)
{
    for (size_t k = 0; k < 4; k++)
        r->state[k] = splitmix(&seed);
    for (uint64_t i = 0; i < stream; i++)
        random_jump(r);
}
