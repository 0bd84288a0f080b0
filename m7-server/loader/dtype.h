/* Number formats: the names that safetensors files use, how many bits a value
 * takes, and what it is as a 32-bit float. */
#ifndef DTYPE_H
#define DTYPE_H

#include <stdbool.h>
#include <stddef.h>

enum dtype {
    DTYPE_BOOL,
    DTYPE_U8,
    DTYPE_I8,
    DTYPE_U16,
    DTYPE_I16,
    DTYPE_U32,
    DTYPE_I32,
    DTYPE_U64,
    DTYPE_I64,
    DTYPE_F64,
    DTYPE_F32,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_F8_E5M2,
    DTYPE_F8_E5M2FNUZ,
    DTYPE_F8_E4M3,
    DTYPE_F8_E4M3FNUZ,
    DTYPE_F8_E8M0,
    DTYPE_F6_E3M2,
    DTYPE_F6_E2M3,
    DTYPE_F4,
    DTYPE_C64,
    DTYPE_BLOCKS, /* codes with scales among them; of no name in files */
    N_DTYPES
};

/* "BF16", as the files write it. */
const char *dtype_name(enum dtype type);

/* Find a format by its name; false when there is none of that name. */
bool dtype_find(const char *name, enum dtype *type);

/* The size of one value in bits: 4 and 6 occur, so not always whole bytes. */
size_t dtype_bits(enum dtype type);

/* True when a value has a meaning as a float.  Not so: F4 and F6, packed
 * several to a byte for use with scales that stand in another tensor, and
 * complex numbers. */
bool dtype_is_real(enum dtype type);

/* Convert values (n,) to floats (n,).  `values` need not be aligned: tensors
 * begin wherever their file puts them.  Wider types round to the nearest
 * float, ties to even, and to an infinity past the largest.  The type must be
 * real. */
void dtype_to_f32(enum dtype type, const void *values, size_t n, float *out);

#endif
