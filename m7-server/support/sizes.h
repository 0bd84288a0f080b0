/* Sizes compared. */
#ifndef SIZES_H
#define SIZES_H

#include <stddef.h>

static inline size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
