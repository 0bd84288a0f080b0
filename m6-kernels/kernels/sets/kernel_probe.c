/* What this machine can do at most: bytes read, and products made of what is
 * in registers.  No kernel of its set can be faster; `rung bench` says how far
 * each is from it. */
#include "kernel_codes.h"

/* As many sums as units take products before the first is done: of two units
 * and five cycles, or of four and four.  With what products are made of they
 * stay in registers, of which sets of 8 lanes have 16, others 32. */
enum probe_sizes {
    PROBE_ROWS = LANES == 8 ? 3 : 4,
    PROBE_TOKENS = 4,
    CHUNK_BYTES = 576 /* of a stream, which are read before the other's */
};

typedef vint probe_sums[PROBE_ROWS][PROBE_TOKENS];

/* The lanes of all sums in one number, which says nothing. */
INLINE int32_t fold(probe_sums sums)
{
    vint all = {0};
    UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
        UNROLL for (size_t t = 0; t < PROBE_TOKENS; t++)
            all ^= sums[r][t];
    return largest_lane(all);
}

/* Products of codes; `kind` says with which instructions, and in how many
 * parts a word is multiplied where it has many rows.  Inputs may be new ones
 * each time, and so may be a sum: none is left out, and none waits for
 * another. */
INLINE int32_t probe_codes(enum packed_kind kind, size_t rounds)
{
    probe_sums sums = {{{0}}};
    vint w = {0}, x = {0};
    renew(&w);
    for (size_t i = 0; i < rounds * parts_of(kind); i++)
        UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
            UNROLL for (size_t t = 0; t < PROBE_TOKENS; t++)
            {
                renew(&x);
                sums[r][t] = set_step(kind, sums[r][t], (vbytes)w, x);
                renew(&sums[r][t]);
            }
    return fold(sums);
}

/* A set may have a way of its own to make as many. */
#ifndef set_probe
#define set_probe probe_codes
#endif

static int32_t probe_nibbles(size_t rounds)
{
    return set_probe(PACKED_INT4, rounds);
}

static int32_t probe_bytes(size_t rounds)
{
    return set_probe(PACKED_INT8, rounds);
}

static int32_t probe_floats(size_t rounds)
{
    probe_sums sums = {{{0}}};
    vint w = {0}, x = {0};
    renew(&w);
    renew(&x);
    for (size_t i = 0; i < rounds; i++)
        UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
            UNROLL for (size_t t = 0; t < PROBE_TOKENS; t++)
            {
                sums[r][t] = (vint)fused((vfloat)w, (vfloat)x,
                                         (vfloat)sums[r][t]);
                renew(&sums[r][t]);
            }
    return fold(sums);
}

/* Read so many bytes, whole vectors, and keep nothing but a number. */
INLINE vint read_bytes(const unsigned char *at, size_t bytes, vint sum)
{
    UNROLL for (size_t i = 0; i < bytes; i += sizeof sum)
        sum ^= (vint)load_bytes(at + i);
    return sum;
}

static int32_t probe_plain(const unsigned char *at, size_t bytes)
{
    vint sums[2] = {0};
    const unsigned char *end = at + bytes / CHUNK_BYTES * CHUNK_BYTES;
    for (; at < end; at += CHUNK_BYTES) {
        sums[0] = read_bytes(at, CHUNK_BYTES / 2, sums[0]);
        sums[1] = read_bytes(at + CHUNK_BYTES / 2, CHUNK_BYTES / 2, sums[1]);
    }
    return largest_lane(sums[0] ^ sums[1]);
}

/* The same in the way in which kernel_few.h reads a matrix. */
static int32_t probe_streams(const unsigned char *at, size_t bytes)
{
    vint sums[2] = {0};
    size_t half = bytes / (2 * CHUNK_BYTES) * CHUNK_BYTES;
    for (const unsigned char *end = at + half; at < end; at += CHUNK_BYTES)
        UNROLL for (size_t s = 0; s < 2; s++)
        {
            const unsigned char *from = at + s * half;
            UNROLL for (size_t line = 0; line < CHUNK_BYTES; line += 64)
                __builtin_prefetch(from + AHEAD + line);
            sums[s] = read_bytes(from, CHUNK_BYTES, sums[s]);
        }
    return largest_lane(sums[0] ^ sums[1]);
}

const struct probe_kernels set_probe_kernels = {
    .round_products = 4 * STEP_WORDS * LANES * PROBE_ROWS * PROBE_TOKENS,
    .nibbles = probe_nibbles,
    .bytes = probe_bytes,
    .round_floats = LANES * PROBE_ROWS * PROBE_TOKENS,
    .floats = probe_floats,
    .read_plain = probe_plain,
    .read_streams = probe_streams};
