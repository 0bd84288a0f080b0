/* The table of all ways to store a quantized matrix, and what unpacks each.
 * Another way is a row here and a file with its unpacker. */
#ifndef FORMATS_H
#define FORMATS_H

#include "quantized.h"

/* Row `i` of the table; NULL past the last. */
const struct format *format_row(size_t i);

/* The row of that name, or NULL. */
const struct format *format_named(const char *name);

/* Rounded to the nearest of 255 or 15 multiples of a scale (rounded.c). */
unpack_function unpack_int8, unpack_int4;

/* The layouts of other programs (schemes/). */
unpack_function unpack_affine, unpack_microscaled, unpack_gptq, unpack_awq;
unpack_function unpack_packed, unpack_scaled;

/* The blocks of GGUF files (blocks_*.c). */
unpack_function unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1,
    unpack_q8_0;
unpack_function unpack_q2_k, unpack_q3_k, unpack_q4_k, unpack_q5_k,
    unpack_q6_k;
unpack_function unpack_iq4_nl, unpack_iq4_xs, unpack_mxfp4;

#endif
