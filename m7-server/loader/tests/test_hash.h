/* For the tests of numbers: the hash that the goldens record. */
#ifndef TEST_HASH_H
#define TEST_HASH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a over the bits of floats (n,), 32 at a time instead of 8, going on
 * from `hash`; every NaN counts as the same. */
static inline uint64_t hash_floats(uint64_t hash, const float *values,
                                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash ^= isnan(values[i]) ? 0x7fc00000 : bits;
        hash *= UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
