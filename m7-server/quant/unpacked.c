/* Any tensor as floats: see unpacked.h. */
#include "unpacked.h"

#include "formats.h"

bool tensor_is_whole(const struct tensor *t)
{
    return t->block ? format_named(t->block) != NULL : dtype_is_real(t->dtype);
}

size_t tensor_cols(const struct tensor *t)
{
    return t->rank ? t->shape[t->rank - 1] : 1;
}

static void unpack_row(const struct tensor *t, size_t row, float *out)
{
    size_t cols = tensor_cols(t);
    struct quantized q = {.format = format_named(t->block),
                          .rows = t->count / cols,
                          .cols = cols,
                          .codes = t->data};
    q.row_bytes = t->bytes / q.rows;
    quantized_row(&q, row, out);
}

void tensor_row(const struct tensor *t, size_t row, float *out)
{
    size_t cols = tensor_cols(t), place = paired_place(row, t->paired);
    if (t->block)
        unpack_row(t, place, out);
    else
        tensor_read(t, place * cols, cols, out);
    for (size_t i = 0; i < cols && t->added != 0; i++)
        out[i] -= t->added;
}

struct stats whole_stats(const struct tensor *t, float *row)
{
    struct stats s = {0};
    size_t cols = tensor_cols(t), rows = cols ? t->count / cols : 0;
    for (size_t r = 0; r < rows; r++) {
        tensor_row(t, r, row);
        stats_add(&s, row, cols);
    }
    stats_end(&s);
    return s;
}
