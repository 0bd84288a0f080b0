/* The table of formats: see formats.h. */
#include "formats.h"

#include <string.h>

static const struct format formats[] = {
    {"int8", 8, 1, unpack_int8},
    {"int4", 4, 8, unpack_int4},
    {"affine2", 2, 32, unpack_affine},
    {"affine3", 3, 32, unpack_affine},
    {"affine4", 4, 32, unpack_affine},
    {"affine5", 5, 32, unpack_affine},
    {"affine6", 6, 32, unpack_affine},
    {"affine8", 8, 32, unpack_affine},
    {"e2m1", 4, 32, unpack_microscaled},
    {"gptq2", 2, 16, unpack_gptq},
    {"gptq3", 3, 32, unpack_gptq},
    {"gptq4", 4, 8, unpack_gptq},
    {"gptq8", 8, 4, unpack_gptq},
    {"awq", 4, 1, unpack_awq},
    {"packed4", 4, 1, unpack_packed},
    {"packed8", 8, 1, unpack_packed},
    {"scaled8", 8, 1, unpack_scaled},
    {"float8", 8, 1, unpack_scaled},

    {"Q4_0", 4, 32, unpack_q4_0},
    {"Q4_1", 4, 32, unpack_q4_1},
    {"Q5_0", 5, 32, unpack_q5_0},
    {"Q5_1", 5, 32, unpack_q5_1},
    {"Q8_0", 8, 32, unpack_q8_0},
    {"Q2_K", 2, 256, unpack_q2_k},
    {"Q3_K", 3, 256, unpack_q3_k},
    {"Q4_K", 4, 256, unpack_q4_k},
    {"Q5_K", 5, 256, unpack_q5_k},
    {"Q6_K", 6, 256, unpack_q6_k},
    {"IQ4_NL", 4, 32, unpack_iq4_nl},
    {"IQ4_XS", 4, 256, unpack_iq4_xs},
    {"MXFP4", 4, 32, unpack_mxfp4},
};

const struct format *format_row(size_t i)
{
    return i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

const struct format *format_named(const char *name)
{
    const struct format *f;
    for (size_t i = 0; (f = format_row(i)); i++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}
