/* NEON with dot products: 4 lanes.  ARM since v8.2, Apple since M1. */
#ifndef SET_H
#define SET_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define set_int_kernels neon_int_kernels
#define set_float_kernels neon_float_kernels
#define set_row_kernels neon_row_kernels
#define set_attention_kernels neon_attention_kernels
#define set_step_kernels neon_step_kernels
#define set_probe_kernels neon_probe_kernels

/* A panel is four vectors, and so are the rows of a tile: with all loops
 * unrolled that are elsewhere, gcc would take minutes for kernel_int.c. */
#define UNROLL _Pragma("GCC unroll 4")

enum set_sizes {
    LANES = 4,
    REGISTERS = 32, /* that hold vectors */
    TILE_TOKENS = 4, /* that a tile multiplies with */
    TILE_PANELS = 1, /* panels of rows */
    TILE_STEPS = 2, /* of a group that are written out */
    WORD_PARTS = 1, /* in which four codes of 8 bits are multiplied */
    MOST_FEW = 8,  /* rows of inputs, for which codes are read again */
    FEW_STEPS = 1, /* of four in a group that are written out */
    FLOAT_ROWS = 6  /* of inputs, that a tile of floats multiplies with */
};

typedef float vfloat __attribute__((vector_size(4 * LANES)));
typedef int32_t vint __attribute__((vector_size(4 * LANES)));
typedef uint8_t vbytes __attribute__((vector_size(4 * LANES)));
typedef int8_t vgroup __attribute__((vector_size(32)));

/* a * b + c, rounded once. */
static inline vfloat fused(vfloat a, vfloat b, vfloat c)
{
    return (vfloat)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}

/* LANES halves become floats, exactly. */
static inline vfloat load_halves(const void *from)
{
    return (vfloat)vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(from)));
}

/* LANES bytes with a sign become whole numbers. */
static inline vint load_signed(const void *from)
{
    int32_t four;
    memcpy(&four, from, sizeof four);
    int8x8_t bytes = vreinterpret_s8_s32(vdup_n_s32(four));
    return (vint)vmovl_s16(vget_low_s16(vmovl_s8(bytes)));
}

/* Where the bytes of numbers begin, which are 4 bytes apart. */
static inline uint8x16_t bytes_of_lanes(vint lanes)
{
    return (uint8x16_t)(lanes * 0x04040404 + 0x03020100);
}

/* Lane i becomes lane from[i] of v. */
static inline vfloat pick_lanes(vfloat v, vint from)
{
    return (vfloat)vqtbl1q_u8((uint8x16_t)v, bytes_of_lanes(from));
}

/* Of a table of 16, the number that the lower four bits of a code say. */
static inline vfloat look_up(const vfloat *table, vint codes)
{
    uint8x16x4_t all = {{(uint8x16_t)table[0], (uint8x16_t)table[1],
                         (uint8x16_t)table[2], (uint8x16_t)table[3]}};
    return (vfloat)vqtbl4q_u8(all, bytes_of_lanes(codes & 15));
}

/* The same of a table whose halves are equal: the lower three bits count. */
static inline vfloat look_up_eight(const vfloat *table, vint codes)
{
    uint8x16x2_t half = {{(uint8x16_t)table[0], (uint8x16_t)table[1]}};
    return (vfloat)vqtbl2q_u8(half, bytes_of_lanes(codes & 7));
}

/* Each lane of `sum` and four products: its bytes of w, less 128, times the
 * four signed bytes of x. */
static inline vint dot_bytes(vint sum, vbytes w, vint x)
{
    return (vint)vdotq_s32((int32x4_t)sum, (int8x16_t)(w ^ 128), (int8x16_t)x);
}

/* The largest of the lanes. */
static inline int32_t largest_lane(vint v)
{
    return vmaxvq_s32((int32x4_t)v);
}

/* The lowest byte of each of 32 whole numbers. */
static inline vgroup lowest_bytes(const vint *v)
{
    int8_t bytes[32];
    for (int i = 0; i < 8; i++) {
        int16x4_t halves = vmovn_s32((int32x4_t)v[i]);
        vst1_lane_s32((int32_t *)(void *)(bytes + 4 * i),
                      vreinterpret_s32_s8(
                          vmovn_s16(vcombine_s16(halves, halves))),
                      0);
    }
    vgroup q;
    __builtin_memcpy(&q, bytes, sizeof q);
    return q;
}

/* The sum of 32 bytes. */
static inline int32_t total_of(vgroup q)
{
    int8_t bytes[32];
    __builtin_memcpy(bytes, &q, sizeof bytes);
    return vaddlvq_s8(vld1q_s8(bytes)) + vaddlvq_s8(vld1q_s8(bytes + 16));
}

/* What dot_bytes begins with; `sum` is that of the bytes of x. */
static inline int32_t start_bytes(int32_t sum)
{
    (void)sum;
    return 0;
}

/* The same for bytes of w up to 15, nothing being taken from them. */
static inline vint dot_nibbles(vint sum, vbytes w, vint x)
{
    return (vint)vdotq_s32((int32x4_t)sum, (int8x16_t)w, (int8x16_t)x);
}

/* What dot_nibbles begins with when 8 is to be taken from each byte of w;
 * `total` is the sum of the 32 bytes q of x. */
static inline int32_t start_nibbles(int32_t total, vgroup q)
{
    (void)q;
    return -8 * total;
}

/* What a sum of dot_nibbles stands for. */
static inline vint nibbles_sum(vint sum)
{
    return sum;
}

/* Let the compiler take a number for a new one: it is computed before this and
 * not later (kernel_many.h); what is computed of it cannot be computed once
 * for many rounds (kernel_probe.c). */
static inline void renew(vint *v)
{
    __asm__ volatile("" : "+w"(*v));
}

#endif
