/* Number formats: see dtype.h.  Knows nothing of files and tensors.
 *
 * The small float formats are read by one trick.  Their exponent and mantissa,
 * moved to where a 32-bit float has them, are a float that is too small by a
 * power of two, since its exponent counts from another zero (its bias).  One
 * multiplication by that power makes it right, exactly, and subnormals come
 * out right too: both formats read them in the same way. */
#include "dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The bytes of the files are read as they stand. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "weights are stored little-endian; this machine is not");

static float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_bool(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = from[i] != 0;
}

static void read_u8(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = from[i];
}

static void read_i8(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int8_t)from[i];
}

static void read_u16(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = value;
    }
}

static void read_i16(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        int16_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = value;
    }
}

static void read_u32(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = (float)value;
    }
}

static void read_i32(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        int32_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = (float)value;
    }
}

static void read_u64(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = (float)value;
    }
}

static void read_i64(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        int64_t value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = (float)value;
    }
}

static void read_f64(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        double value;
        memcpy(&value, from + i * sizeof value, sizeof value);
        out[i] = (float)value;
    }
}

static void read_f32(const unsigned char *from, size_t n, float *out)
{
    if (n > 0)
        memcpy(out, from, n * sizeof *out);
}

/* A bfloat16 is the upper half of a float. */
static void read_bf16(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t half;
        memcpy(&half, from + i * sizeof half, sizeof half);
        out[i] = float_from_bits((uint32_t)half << 16);
    }
}

/* IEEE 754 binary16: 1 sign bit, 5 exponent bits of bias 15, 10 mantissa
 * bits; the largest exponent means infinity or NaN, as in a float, where it
 * is larger by another 112. */
static float float_from_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t rest = (uint32_t)(half & 0x7fff) << 13;
    if (rest >= 0x7c00u << 13)
        return float_from_bits(sign | 0x7f800000 | rest);
    return float_from_bits(sign | rest) * 0x1p112f;
}

static void read_f16(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t half;
        memcpy(&half, from + i * sizeof half, sizeof half);
        out[i] = float_from_half(half);
    }
}

/* OCP 8-bit floating point, E5M2: the upper half of a binary16. */
static void read_f8_e5m2(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = float_from_half((uint16_t)(from[i] << 8));
}

/* OCP E4M3: 4 exponent bits of bias 7, no infinities, and one NaN a sign. */
static void read_f8_e4m3(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t sign = (uint32_t)(from[i] & 0x80) << 24;
        uint32_t rest = (uint32_t)(from[i] & 0x7f) << 20;
        out[i] = (from[i] & 0x7f) == 0x7f
                     ? NAN
                     : float_from_bits(sign | rest) * 0x1p120f;
    }
}

/* The FNUZ formats (Noune et al. 2022, 8-bit Numerical Formats for Deep
 * Neural Networks) have no infinities and no negative zero, whose bits are
 * their one NaN; so their biases are larger by one. */
static void read_f8_e5m2fnuz(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t sign = (uint32_t)(from[i] & 0x80) << 24;
        uint32_t rest = (uint32_t)(from[i] & 0x7f) << 21;
        out[i] =
            from[i] == 0x80 ? NAN : float_from_bits(sign | rest) * 0x1p111f;
    }
}

static void read_f8_e4m3fnuz(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t sign = (uint32_t)(from[i] & 0x80) << 24;
        uint32_t rest = (uint32_t)(from[i] & 0x7f) << 20;
        out[i] =
            from[i] == 0x80 ? NAN : float_from_bits(sign | rest) * 0x1p119f;
    }
}

/* OCP E8M0, a scale: the power of two alone, 2^(x - 127). */
static void read_f8_e8m0(const unsigned char *from, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = from[i] == 0xff ? NAN : ldexpf(1.0f, from[i] - 127);
}

typedef void float_reader(const unsigned char *from, size_t n, float *out);

struct format {
    const char *name;
    size_t bits;
    float_reader *read; /* NULL: a value alone is no float */
};

static const struct format formats[N_DTYPES] = {
    [DTYPE_BOOL] = {"BOOL", 8, read_bool},
    [DTYPE_U8] = {"U8", 8, read_u8},
    [DTYPE_I8] = {"I8", 8, read_i8},
    [DTYPE_U16] = {"U16", 16, read_u16},
    [DTYPE_I16] = {"I16", 16, read_i16},
    [DTYPE_U32] = {"U32", 32, read_u32},
    [DTYPE_I32] = {"I32", 32, read_i32},
    [DTYPE_U64] = {"U64", 64, read_u64},
    [DTYPE_I64] = {"I64", 64, read_i64},
    [DTYPE_F64] = {"F64", 64, read_f64},
    [DTYPE_F32] = {"F32", 32, read_f32},
    [DTYPE_F16] = {"F16", 16, read_f16},
    [DTYPE_BF16] = {"BF16", 16, read_bf16},
    [DTYPE_F8_E5M2] = {"F8_E5M2", 8, read_f8_e5m2},
    [DTYPE_F8_E5M2FNUZ] = {"F8_E5M2FNUZ", 8, read_f8_e5m2fnuz},
    [DTYPE_F8_E4M3] = {"F8_E4M3", 8, read_f8_e4m3},
    [DTYPE_F8_E4M3FNUZ] = {"F8_E4M3FNUZ", 8, read_f8_e4m3fnuz},
    [DTYPE_F8_E8M0] = {"F8_E8M0", 8, read_f8_e8m0},
    [DTYPE_F6_E3M2] = {"F6_E3M2", 6, NULL},
    [DTYPE_F6_E2M3] = {"F6_E2M3", 6, NULL},
    [DTYPE_F4] = {"F4", 4, NULL},
    [DTYPE_C64] = {"C64", 64, NULL},
    [DTYPE_BLOCKS] = {"blocks", 0, NULL},
};

const char *dtype_name(enum dtype type)
{
    return formats[type].name;
}

bool dtype_find(const char *name, enum dtype *type)
{
    for (int i = 0; i < DTYPE_BLOCKS; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *type = (enum dtype)i;
            return true;
        }
    return false;
}

size_t dtype_bits(enum dtype type)
{
    return formats[type].bits;
}

bool dtype_is_real(enum dtype type)
{
    return formats[type].read != NULL;
}

void dtype_to_f32(enum dtype type, const void *values, size_t n, float *out)
{
    formats[type].read(values, n, out);
}
