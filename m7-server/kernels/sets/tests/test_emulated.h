/* Instructions that the machine lacks, computed by those of AVX2: for `make
 * emulated`.  Most are SIMDe's (libsimde-dev); what it lacks, or rounds twice,
 * is here. */
#ifndef TEST_EMULATED_H
#define TEST_EMULATED_H

/* Nothing has to be unrolled or inlined: this need not be fast, and is
 * compiled often. */
#define UNROLL
#define INLINE static

/* No register is as wide as what is renewed (set_avx512.h). */
#define RENEWED "+m"

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

#include <string.h>

typedef float emulated_floats __attribute__((vector_size(64)));
typedef int32_t emulated_ints __attribute__((vector_size(64)));
typedef int8_t emulated_signed __attribute__((vector_size(16)));
typedef uint8_t emulated_unsigned __attribute__((vector_size(16)));

/* 16 floats in two halves of a vector that AVX2 has. */
struct emulated_halves {
    __m256 low, high;
};

static inline struct emulated_halves emulated_split(__m512 v)
{
    struct emulated_halves halves;
    memcpy(&halves, &v, sizeof halves);
    return halves;
}

static inline __m512 emulated_join(struct emulated_halves halves)
{
    __m512 v;
    memcpy(&v, &halves, sizeof v);
    return v;
}

static inline __m512 emulated_fmadd(__m512 a, __m512 b, __m512 c)
{
    struct emulated_halves x = emulated_split(a), y = emulated_split(b);
    struct emulated_halves z = emulated_split(c);
    return emulated_join(
        (struct emulated_halves){_mm256_fmadd_ps(x.low, y.low, z.low),
                                 _mm256_fmadd_ps(x.high, y.high, z.high)});
}

static inline __m512 emulated_cvtph(__m256i v)
{
    return emulated_join((struct emulated_halves){
        _mm256_cvtph_ps(_mm256_castsi256_si128(v)),
        _mm256_cvtph_ps(_mm256_extracti128_si256(v, 1))});
}

static inline __m512i emulated_cvtepi8(__m128i v)
{
    return (__m512i)__builtin_convertvector((emulated_signed)v,
                                            emulated_ints);
}

static inline __m512i emulated_cvtepu8(__m128i v)
{
    return (__m512i)__builtin_convertvector((emulated_unsigned)v,
                                            emulated_ints);
}

static inline __m128i emulated_lowest(__m512i v)
{
    return (__m128i)__builtin_convertvector((emulated_ints)v & 0xff,
                                            emulated_unsigned);
}

static inline int emulated_largest(__m512i v)
{
    int most = ((emulated_ints)v)[0];
    for (int i = 1; i < 16; i++)
        most = ((emulated_ints)v)[i] > most ? ((emulated_ints)v)[i] : most;
    return most;
}

static inline int emulated_sum(__m512i v)
{
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += ((emulated_ints)v)[i];
    return sum;
}

static inline __m512i emulated_widen(__m256i v)
{
    __m256i halves[2] = {v, _mm256_setzero_si256()};
    __m512i wide;
    memcpy(&wide, halves, sizeof wide);
    return wide;
}

/* Tiles, which SIMDe does not have: of each thread, and the shapes that they
 * were given (set_amx.h). */
struct emulated_tiles {
    uint8_t shapes[64];
    int8_t bytes[8][16][64];
};

static _Thread_local struct emulated_tiles emulated;

static inline int emulated_rows(int tile)
{
    return emulated.shapes[48 + tile];
}

static inline int emulated_row_bytes(int tile)
{
    return emulated.shapes[16 + 2 * tile];
}

static inline void emulated_load(int tile, const void *from, size_t stride)
{
    for (int r = 0; r < emulated_rows(tile); r++)
        memcpy(emulated.bytes[tile][r], (const char *)from + r * stride,
               emulated_row_bytes(tile));
}

static inline void emulated_store(int tile, void *to, size_t stride)
{
    for (int r = 0; r < emulated_rows(tile); r++)
        memcpy((char *)to + r * stride, emulated.bytes[tile][r],
               emulated_row_bytes(tile));
}

/* Add to the sums in row `r` of a tile its products with row `k` of b. */
static inline void emulated_dot(int tile, int r, int32_t *sums, int a, int b,
                                int k)
{
    for (int i = 0; i < emulated_row_bytes(tile); i++)
        sums[i / 4] += emulated.bytes[a][r][4 * k + i % 4] *
                       emulated.bytes[b][k][i];
}

static inline void emulated_multiply(int tile, int a, int b)
{
    for (int r = 0; r < emulated_rows(tile); r++) {
        int32_t sums[16];
        memcpy(sums, emulated.bytes[tile][r], sizeof sums);
        for (int k = 0; k < emulated_row_bytes(a) / 4; k++)
            emulated_dot(tile, r, sums, a, b, k);
        memcpy(emulated.bytes[tile][r], sums, sizeof sums);
    }
}

#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbssd
#define _tile_loadconfig(shapes) \
    (_tile_release(), memcpy(&emulated, shapes, 64))
#define _tile_release() memset(&emulated, 0, sizeof emulated)
#define _tile_loadd emulated_load
#define _tile_stored emulated_store
#define _tile_zero(tile) memset(emulated.bytes[tile], 0, 16 * 64)
#define _tile_dpbssd emulated_multiply

#undef _mm512_fmadd_ps
#undef _mm512_cvtph_ps
#undef _mm512_cvtepi8_epi32
#undef _mm512_cvtepu8_epi32
#undef _mm512_cvtepi32_epi8
#undef _mm512_reduce_max_epi32
#undef _mm512_reduce_add_epi32
#undef _mm512_zextsi256_si512
#define _mm512_fmadd_ps emulated_fmadd
#define _mm512_cvtph_ps emulated_cvtph
#define _mm512_cvtepi8_epi32 emulated_cvtepi8
#define _mm512_cvtepu8_epi32 emulated_cvtepu8
#define _mm512_cvtepi32_epi8 emulated_lowest
#define _mm512_reduce_max_epi32 emulated_largest
#define _mm512_reduce_add_epi32 emulated_sum
#define _mm512_zextsi256_si512 emulated_widen
#define _mm256_dpbusd_avx_epi32 _mm256_dpbusd_epi32

#endif
