/* AMX: registers of 16 rows of 64 bytes, and an instruction that multiplies
 * two of them as matrices of bytes.  Intel since Sapphire Rapids.  It is for
 * many rows of inputs (kernel_amx.c); all else is AVX-512's. */
#ifndef SET_AMX_H
#define SET_AMX_H

#include "set_avx512.h"

#undef set_int_kernels
#undef set_probe_kernels
#define set_int_kernels amx_int_kernels
#define set_probe_kernels amx_probe_kernels

/* Other tiles than AVX-512's: rows of inputs, and panels.  (What is multiplied
 * at once is a tile everywhere here.  Intel means a register.) */
#define TILE_TOKENS 16
#define TILE_PANELS 1

/* A whole group of a row, which one product of a tile takes, and who does what
 * kernel_codes.h and kernel_many.h do word by word. */
#define STEP_WORDS 8
#define set_expand expand_signed
#define set_step add_products
#define set_products word_products
#define set_block amx_block
#define set_probe(kind, rounds) amx_probe(rounds)

/* What the processor is told of its registers before they are used. */
struct amx_shapes {
    uint8_t palette, first_row, reserved[14];
    uint16_t row_bytes[16]; /* of each register */
    uint8_t rows[16];
};

/* From here on register 0 has 16 sums for each of 16 rows of inputs, register
 * 1 a group of these inputs, register 2 a group of a panel, word by word.
 * (The processor reads all of `shapes`; gcc's function does not say so.) */
static inline void amx_begin(void)
{
    const struct amx_shapes shapes = {
        .palette = 1, .row_bytes = {64, 32, 64}, .rows = {16, 16, 8}};
    __asm__ volatile("" : : "m"(shapes));
    _tile_loadconfig(&shapes);
}

static inline void amx_end(void)
{
    _tile_release();
}

/* Inputs (16, 32), and codes (8 words, 16 rows, 4): bytes with a sign, which
 * have to be in memory by then. */
static inline void amx_load(const void *inputs, const void *codes)
{
    __asm__ volatile("" : : : "memory");
    _tile_loadd(1, inputs, 32);
    _tile_loadd(2, codes, 64);
}

/* The sums of 32 products each, of what was loaded last. */
static inline void amx_multiply(void)
{
    _tile_zero(0);
    _tile_dpbssd(0, 1, 2);
}

/* The sums go to (16 rows of inputs, 16 rows of the panel). */
static inline void amx_store(int32_t *to)
{
    _tile_stored(0, to, 64);
}

/* What a processor can do at most, for kernel_probe.c. */
static inline int32_t amx_probe(size_t rounds)
{
    const unsigned char nothing[512] = {0};
    int32_t sums[256];
    amx_begin();
    amx_load(nothing, nothing);
    _tile_zero(0);
    for (size_t i = 0; i < rounds; i++)
        _tile_dpbssd(0, 1, 2);
    amx_store(sums);
    amx_end();
    return sums[0];
}

#endif
