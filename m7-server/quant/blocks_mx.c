/* MXFP4 as GGUF has it: codes that are floats of 4 bits (OCP Microscaling
 * Formats, version 1.0: E2M1) and a power of two that 32 of them share.
 *
 *     MXFP4   | exponent | 16 codes |    32 values, 17 bytes
 *
 * Byte i has value i in its lower half and value i + 16 in its upper one. */
#include "blocks.h"
#include "formats.h"

#include <math.h>

enum mx_block {
    MX_VALUES = 32
};

/* The floats of 4 bits, doubled. */
const signed char e2m1_doubled[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                        0, -1, -2, -3, -4, -6, -8, -12};

/* Half of 2^(exponent - 127), since the floats are doubled.  Exponent 255 is
 * NaN by the standard; the reference reads it as one more power of two. */
static void mxfp4_block(const unsigned char *block, float *out)
{
    float d = ldexpf(1, block[0] - 128);
    unsigned char codes[MX_VALUES];
    read_nibbles(block + 1, MX_VALUES, codes);
    for (size_t i = 0; i < MX_VALUES; i++)
        out[i] = d * (float)e2m1_doubled[codes[i]];
}

void unpack_mxfp4(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, mxfp4_block);
}
