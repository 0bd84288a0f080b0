/* The Walsh-Hadamard transform: see hadamard.h. */
#include "hadamard.h"

#include <stdint.h>
#include <string.h>

/* The steps with the distances 1 and 2, for four numbers. */
static void first_steps(float *x)
{
    float a = x[0] + x[1], b = x[0] - x[1];
    float c = x[2] + x[3], d = x[2] - x[3];
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
}

/* A step with a distance of 4 or more: four numbers at once, of which a
 * compiler makes vectors. */
static void step(float *x, size_t n, size_t distance)
{
    for (size_t at = 0; at < n; at += 2 * distance)
        for (size_t i = at; i < at + distance; i += 4) {
            float a[4], b[4];
            memcpy(a, x + i, sizeof a);
            memcpy(b, x + i + distance, sizeof b);
            for (size_t j = 0; j < 4; j++) {
                x[i + j] = a[j] + b[j];
                x[i + distance + j] = a[j] - b[j];
            }
        }
}

void hadamard(float *x, size_t n)
{
    if (n == 2) {
        float sum = x[0] + x[1];
        x[1] = x[0] - x[1];
        x[0] = sum;
    }
    for (size_t at = 0; at + 4 <= n; at += 4)
        first_steps(x + at);
    for (size_t distance = 4; distance < n; distance *= 2)
        step(x, n, distance);
}

/* Number i of splitmix64 with the seed 0. */
static uint64_t mixed(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void flip_signs(float *x, size_t n)
{
    uint64_t signs = 0;
    for (size_t i = 0; i < n; i++, signs >>= 1) {
        uint32_t bits;
        if (i % 64 == 0)
            signs = mixed(i / 64);
        memcpy(&bits, x + i, sizeof bits);
        bits ^= (uint32_t)(signs & 1) << 31;
        memcpy(x + i, &bits, sizeof bits);
    }
}
