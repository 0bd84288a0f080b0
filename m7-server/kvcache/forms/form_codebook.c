/* Codes: a head is a length, a direction without any pattern, and 2 to 4 bits
 * for each number of that.
 *
 * A direct way to few bits is a step's size for each head, as form_int8.c has
 * it.  But heads have outliers, numbers several times as large as the others,
 * and those of keys at the same places in every position.  A step must reach
 * them, and with 7 steps to each side little is left for the rest.
 *
 * So a head is first turned in its space of n dimensions, by signs and the
 * Walsh-Hadamard transform.  Lengths and dot products stay; but each number is
 * now a sum of all n, half of them subtracted, and such sums are normally
 * distributed, or nearly so unless one number outweighs all others.  For
 * numbers of that one distribution the best codes are known beforehand:
 * lloyd_max.h.  A head needs its length besides, and no other table
 * (TurboQuant: Zandieh, Daliri, Hadian and Mirrokni 2025; the transform as in
 * QuIP#: Tseng et al. 2024).
 *
 * In a trial with the reading model and 1,533 tokens, a step for each head
 * with as many bits made its divergence from itself 1.8 times as large with 4
 * bits, and 2.9 times with 3; so did, 1.4 to 1.5 times, to keep a head's own
 * length instead of the one below.
 *
 * A head is cut into blocks whose sizes are powers of two, the largest first
 * and none above 512: 64, 80 = 64 + 16, 96 = 64 + 32.  To pad 80 to 128
 * would take 60% more.
 *
 *   bytes           what
 *   2               for each block: its length, a half
 *   n bits / 8      the codes, the lowest bits of the lowest byte first,
 *                   rounded up to whole bytes
 *
 * To store a block x (n,): y = H (signs * x) by hadamard(), which makes a
 * vector of length 1 one whose numbers have the mean square 1; then r =
 * sqrt(dot(x, x)), and code i is that of y[i] / r.  The centroids c (n,) that
 * these codes stand for are shorter than y / r, as means are; so kept is not r
 * but r / sqrt(dot(c, c) / n), and what is read has the length of x.
 *
 * To read: signs * H c * (length / n).  Each is one operation of floats after
 * the other, in the order that hadamard.h and ops.h say, so that bytes and
 * numbers are defined to the last bit.
 *
 * A length of which a half can say nothing (below 2^-25) is 0, and so is the
 * block; from 65520 on, or where a number is not finite, neither it nor what
 * is read is finite. */
#include "cache_form.h"

#include "half.h"
#include "hadamard.h"
#include "lloyd_max.h"
#include "ops.h"
#include "quantized.h"

#include <math.h>
#include <string.h>

enum codebook_sizes {
    LARGEST_BLOCK = LARGEST_PART, /* that panels have, too */
    LENGTH_BYTES = 2
};

/* How large the first block of n numbers is. */
static size_t first_block(size_t n)
{
    return part_size(PANEL_4BITS, n);
}

static size_t count_blocks(size_t n)
{
    size_t blocks = n / LARGEST_BLOCK;
    for (n %= LARGEST_BLOCK; n > 0; n -= first_block(n))
        blocks++;
    return blocks;
}

size_t codebook_bytes(size_t bits, size_t n)
{
    return LENGTH_BYTES * count_blocks(n) + (n * bits + 7) / 8;
}

/* Code `i` of a stream that was zero: see code_at. */
static void put_code(unsigned char *stream, size_t bits, size_t i, size_t code)
{
    size_t first = i * bits, shift = first % 8;
    stream[first / 8] |= (unsigned char)(code << shift & 0xff);
    if (shift + bits > 8)
        stream[first / 8 + 1] |= (unsigned char)(code >> (8 - shift));
}

/* The codes first .. first + n - 1 for the block x (n,).  Returns its length,
 * as it is kept. */
static float store_block(size_t bits, const float *x, size_t n, size_t first,
                         unsigned char *stream)
{
    const struct codebook *book = lloyd_max(bits);
    float y[LARGEST_BLOCK], length = sqrtf(dot(x, x, n));
    memcpy(y, x, n * sizeof *y);
    flip_signs(y, n);
    hadamard(y, n);
    for (size_t i = 0; i < n; i++) {
        size_t code = nearest_code(book, bits, length > 0 ? y[i] / length : 0);
        put_code(stream, bits, first + i, code);
        y[i] = book->centroids[code];
    }
    return length / sqrtf(dot(y, y, n) / (float)n);
}

void store_codebook(size_t bits, const float *x, size_t n, unsigned char *out)
{
    unsigned char *stream = out + LENGTH_BYTES * count_blocks(n);
    memset(out, 0, codebook_bytes(bits, n));
    for (size_t at = 0, size; at < n; at += size, out += LENGTH_BYTES) {
        size = first_block(n - at);
        float length = store_block(bits, x + at, size, at, stream);
        half_store(half_of(length), out);
    }
}

/* The centroids of eight codes, which are `bits` whole bytes. */
static void read_eight(const float *centroids, size_t bits,
                       const unsigned char *codes, float *x)
{
    uint32_t rest = 0, mask = (1u << bits) - 1;
    for (size_t i = 0; i < bits; i++)
        rest |= (uint32_t)codes[i] << 8 * i;
    for (size_t i = 0; i < 8; i++, rest >>= bits)
        x[i] = centroids[rest & mask];
}

/* Those of the codes first .. first + n - 1.  Blocks stand in the order of
 * their sizes, so one of 8 numbers or more begins with a byte. */
static void read_centroids(size_t bits, const unsigned char *stream,
                           size_t first, size_t n, float *x)
{
    const float *centroids = lloyd_max(bits)->centroids;
    for (size_t i = 0; i < n && n < 8; i++)
        x[i] = centroids[code_at(stream, bits, first + i)];
    for (size_t i = 0; i + 8 <= n; i += 8)
        read_eight(centroids, bits, stream + (first + i) * bits / 8, x + i);
}

void read_codebook(size_t bits, const unsigned char *in, size_t n, float *x)
{
    const unsigned char *stream = in + LENGTH_BYTES * count_blocks(n);
    for (size_t at = 0, size; at < n; at += size, in += LENGTH_BYTES) {
        size = first_block(n - at);
        read_centroids(bits, stream, at, size, x + at);
        hadamard(x + at, size);
        scale(x + at, half_read(in) / (float)size, size);
        flip_signs(x + at, size);
    }
}

void turn_codebook(float *x, size_t n)
{
    for (size_t at = 0, size; at < n; at += size) {
        size = first_block(n - at);
        flip_signs(x + at, size);
        hadamard(x + at, size);
    }
}

void turn_codebook_back(float *x, size_t n)
{
    for (size_t at = 0, size; at < n; at += size) {
        size = first_block(n - at);
        hadamard(x + at, size);
        flip_signs(x + at, size);
    }
}
