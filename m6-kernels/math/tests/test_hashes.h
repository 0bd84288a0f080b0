/* For the program that compares machines by hashes: random numbers, rooms for
 * results, and a hash of what is in them. */
#ifndef TEST_HASHES_H
#define TEST_HASHES_H

#include "error.h"
#include "packed.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random numbers, the same in every run (Marsaglia's xorshift). */
static inline uint32_t next_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static inline size_t random_below(size_t n)
{
    return next_bits() % n;
}

/* From -1 to 1; now and then of any size. */
static inline float random_number(void)
{
    float x = (float)(int32_t)next_bits() * 0x1p-31f;
    size_t what = random_below(40);
    return what == 0 ? ldexpf(x, -130) : what == 1 ? x * 300 : x;
}

static inline void fill_floats(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = random_number();
}

/* Halves, finite and less than 2 in size. */
static inline void fill_halves(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = next_bits() & 0xbbff;
        bytes[2 * i] = (unsigned char)bits;
        bytes[2 * i + 1] = (unsigned char)(bits >> 8);
    }
}

static inline void fill_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)next_bits();
}

/* A matrix of any numbers, also where it is filled up. */
static inline void fill_matrix(struct packed *p)
{
    size_t bytes = packed_panels(p) * p->panel_bytes;
    size_t scales = p->kind == PACKED_AFFINE4 ? 64 : 32;
    if (p->kind == PACKED_F32)
        fill_floats((float *)(void *)p->bytes, bytes / 4);
    else if (packed_is_float(p))
        fill_halves(p->bytes, bytes / 2);
    else
        fill_bytes(p->bytes, bytes);
    if (packed_is_float(p))
        return;
    for (size_t i = 0; i < bytes; i += pair_bytes(p->kind))
        fill_halves(p->bytes + i, scales);
    for (size_t i = 0; i < packed_panels(p) * PANEL_ROWS; i++)
        p->factors[i] = 0.5f;
}

/* Whoever cannot go on says so. */
static inline void check(int result, const struct error *e)
{
    if (result == 0)
        return;
    fprintf(stderr, "%s\n", e->message);
    exit(1);
}

/* --- rooms --------------------------------------------------------------- */

enum room_sizes {
    GUARD = 16 /* numbers behind a result, and 1 to 16 before it */
};

/* Where numbers begin in a room, which no set may depend on: so each set has
 * its own places, this much behind those of the others. */
static size_t place_of_set;

/* A place for n numbers in room (n + 2 * GUARD,), between guards. */
static inline float *place_in(float *room, size_t n)
{
    size_t at = 1 + (random_below(GUARD) + place_of_set) % GUARD;
    for (size_t i = 0; i < n + 2 * GUARD; i++)
        room[i] = 0.75f;
    return room + at;
}

/* Whether nothing was written but the n numbers at x. */
static inline void check_guards(const char *what, const float *room,
                                const float *x, size_t n)
{
    for (size_t i = 0; i < n + 2 * GUARD; i++)
        if (room[i] != 0.75f && (room + i < x || room + i >= x + n)) {
            fprintf(stderr, "%s: of %zu numbers, number %td was written\n",
                    what, n, room + i - x);
            exit(1);
        }
}

/* --- hashes -------------------------------------------------------------- */

static uint64_t hash;

/* Fowler, Noll and Vo's, over the bytes of x (n,) as little-endian machines
 * have them.  Of what is no number the bits say nothing. */
static inline void add_floats(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float number = isnan(x[i]) ? 0 : x[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        for (size_t b = 0; b < 32; b += 8)
            hash = (hash ^ (bits >> b & 0xff)) * 0x100000001b3u;
    }
}

static inline void begin_hash(void)
{
    hash = 0xcbf29ce484222325u;
}

/* What was computed, of how many random shapes. */
static inline void print_hash(const char *what, size_t shapes)
{
    printf("%-24s %6zu %016llx\n", what, shapes, (unsigned long long)hash);
}

#endif
