/* What this machine can do at most: bytes read, and products made of what is
 * in registers.  No kernel of its set can be faster; `rung bench` says how far
 * each is from it. */
#include "kernel_codes.h"

/* A tile's sums stay in registers with what they are made of: 8 + 2 + 4 of
 * the 16 that AVX2 has, and 16 + 4 + 4 of 32. */
enum probe_sizes {
    PROBE_ROWS = LANES == 8 ? 2 : 4,
    PROBE_TOKENS = 4,
    CHUNK_BYTES = 576 /* of a stream, which are read before the other's */
};

/* The lanes of all sums in one number, which says nothing. */
INLINE int32_t fold(const vint *v, size_t n)
{
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum ^= largest_lane(v[i]);
    return sum;
}

/* Products of codes; `kind` says with which instructions. */
INLINE int32_t probe_codes(enum packed_kind kind, size_t rounds)
{
    vint sums[PROBE_ROWS * PROBE_TOKENS] = {0}, w[PROBE_ROWS] = {0};
    vint x[PROBE_TOKENS] = {0};
    for (size_t i = 0; i < rounds; i++) {
        UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
            renew(&w[r]);
        UNROLL for (size_t t = 0; t < PROBE_TOKENS; t++)
        {
            renew(&x[t]);
            UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
                sums[t * PROBE_ROWS + r] =
                    add_products(kind, sums[t * PROBE_ROWS + r],
                                 (vbytes)w[r], x[t]);
        }
    }
    return fold(sums, PROBE_ROWS * PROBE_TOKENS);
}

static int32_t probe_nibbles(size_t rounds)
{
    return probe_codes(PACKED_INT4, rounds);
}

static int32_t probe_bytes(size_t rounds)
{
    return probe_codes(PACKED_INT8, rounds);
}

static int32_t probe_floats(size_t rounds)
{
    vfloat sums[PROBE_ROWS * PROBE_TOKENS] = {0};
    vint w[PROBE_ROWS] = {0}, x[PROBE_TOKENS] = {0};
    for (size_t i = 0; i < rounds; i++) {
        UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
            renew(&w[r]);
        UNROLL for (size_t t = 0; t < PROBE_TOKENS; t++)
        {
            renew(&x[t]);
            UNROLL for (size_t r = 0; r < PROBE_ROWS; r++)
                sums[t * PROBE_ROWS + r] =
                    fused((vfloat)w[r], (vfloat)x[t],
                          sums[t * PROBE_ROWS + r]);
        }
    }
    vint folded = {0};
    for (size_t i = 0; i < PROBE_ROWS * PROBE_TOKENS; i++)
        folded ^= (vint)sums[i];
    return fold(&folded, 1);
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
    return fold(sums, 2);
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
    return fold(sums, 2);
}

const struct probe_kernels set_probe_kernels = {
    .round_products = 4 * LANES * PROBE_ROWS * PROBE_TOKENS,
    .nibbles = probe_nibbles,
    .bytes = probe_bytes,
    .round_floats = LANES * PROBE_ROWS * PROBE_TOKENS,
    .floats = probe_floats,
    .read_plain = probe_plain,
    .read_streams = probe_streams};
