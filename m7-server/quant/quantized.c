/* Quantized matrices: see quantized.h. */
#include "quantized.h"

size_t quantized_row_bytes(const struct quantized *q)
{
    size_t bytes = 0;
    for (size_t i = 0; i < q->n_parts; i++)
        bytes += q->parts[i]->bytes;
    return bytes / q->rows;
}

void quantized_row(const struct quantized *q, size_t row, float *out)
{
    q->format->unpack(q, row, out);
}

unsigned code_at(const unsigned char *stream, size_t bits, size_t i)
{
    size_t first = i * bits, shift = first % 8;
    unsigned value = stream[first / 8] >> shift;
    if (shift + bits > 8)
        value |= (unsigned)stream[first / 8 + 1] << (8 - shift);
    return value & ((1u << bits) - 1);
}

float group_value(const struct quantized *q, const struct tensor *t,
                  size_t row, size_t g)
{
    float value;
    tensor_read(t, row * (q->cols / q->group) + g, 1, &value);
    return value;
}
