/* Any tensor as floats, row by row: numbers or blocks of codes, in the order
 * and with the values that its name stands for. */
#ifndef UNPACKED_H
#define UNPACKED_H

#include "stats.h"
#include "tensor.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether its values alone are floats: they are not where scales stand in
 * other tensors. */
bool tensor_is_whole(const struct tensor *t);

/* How many values a row has: the last dimension of a tensor, as one of
 * many. */
size_t tensor_cols(const struct tensor *t);

/* Row `row` of a tensor that is whole, as floats (tensor_cols(t),). */
void tensor_row(const struct tensor *t, size_t row, float *out);

/* What its values look like as a whole; `row` is room for one of its rows. */
struct stats whole_stats(const struct tensor *t, float *row);

#endif
