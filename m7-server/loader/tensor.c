/* Tensors: see tensor.h.  Knows no file format. */
#include "tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compare the numbers at *a and *b by value, and step behind them. */
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    size_t n = 0;
    while (is_digit((*a)[n]) && is_digit((*b)[n]))
        n++;
    bool longer_a = is_digit((*a)[n]), longer_b = is_digit((*b)[n]);
    int order = longer_a != longer_b ? longer_a - longer_b : memcmp(*a, *b, n);
    *a += n;
    *b += n;
    return order;
}

int tensor_order(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        int order;
        if (is_digit(*x) && is_digit(*y))
            order = compare_numbers(&x, &y);
        else
            order = (unsigned char)*x++ - (unsigned char)*y++;
        if (order)
            return order;
    }
    if (*x || *y)
        return (unsigned char)*x - (unsigned char)*y;
    return strcmp(a, b); /* the same but for leading zeros */
}

const char *tensor_type(const struct tensor *t)
{
    return t->block ? t->block : dtype_name(t->dtype);
}

size_t paired_place(size_t row, size_t paired)
{
    if (!paired)
        return row;
    size_t i = row % paired, half = paired / 2;
    return row - i + 2 * (i % half) + i / half;
}

void tensor_shape(const struct tensor *t, char *out)
{
    size_t used = 0;
    out[used++] = '[';
    for (int i = 0; i < t->rank; i++)
        used += (size_t)snprintf(out + used, TENSOR_SHAPE_TEXT - used,
                                 i ? ", %zu" : "%zu", t->shape[i]);
    strcpy(out + used, "]");
}

void tensor_read(const struct tensor *t, size_t first, size_t n, float *out)
{
    size_t width = dtype_bits(t->dtype) / 8;
    dtype_to_f32(t->dtype, t->data + first * width, n, out);
}

void tensors_free(struct tensor *tensors, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(tensors[i].name);
    free(tensors);
}
