/* What all blocks share: see blocks.h. */
#include "blocks.h"

void unpack_blocks(const struct quantized *q, size_t row, float *out,
                   block_function *unpack)
{
    size_t values = q->format->block, n = q->cols / values;
    const unsigned char *block = q->codes + row * q->row_bytes;
    for (size_t i = 0; i < n; i++)
        unpack(block + i * (q->row_bytes / n), out + i * values);
}

float half_at(const unsigned char *bytes)
{
    float value;
    dtype_to_f32(DTYPE_F16, bytes, 1, &value);
    return value;
}

unsigned nibble_at(const unsigned char *bytes, size_t n, size_t i)
{
    size_t half = n / 2;
    return i < half ? bytes[i] & 15u : bytes[i - half] >> 4;
}

void read_nibbles(const unsigned char *bytes, size_t n, unsigned char *codes)
{
    size_t half = n / 2;
    for (size_t i = 0; i < half; i++) {
        codes[i] = bytes[i] & 15;
        codes[i + half] = bytes[i] >> 4;
    }
}

unsigned bit_at(const unsigned char *bytes, size_t i)
{
    return bytes[i / 8] >> i % 8 & 1u;
}
