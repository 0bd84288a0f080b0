/* The processor: see cpu.h. */
#define _GNU_SOURCE /* syscall */
#include "cpu.h"

#include <stdlib.h>
#include <string.h>
#if defined __x86_64__
#include <cpuid.h>
#endif
#if defined __x86_64__ && defined __linux__
#include <sys/syscall.h>
#include <unistd.h>
#elif defined __x86_64__ /* a system that may not keep tiles */
#define syscall(...) -1
#elif defined __linux__
#include <sys/auxv.h>
#elif defined __APPLE__
#include <sys/sysctl.h>
#include <sys/types.h>
#else /* nobody says */
#define sysctlbyname(name, value, size, new, new_size) ((void)(size), -1)
#endif

extern const struct int_kernels portable_int_kernels, avx2_int_kernels,
    avxvnni_int_kernels, avx512_int_kernels, amx_int_kernels,
    neon_int_kernels, i8mm_int_kernels;
extern const struct row_kernels portable_row_kernels, avx2_row_kernels,
    avx512_row_kernels, neon_row_kernels;
extern const struct float_kernels portable_float_kernels, avx2_float_kernels,
    avx512_float_kernels, neon_float_kernels;
extern const struct attention_kernels portable_attention_kernels,
    avx2_attention_kernels, avx512_attention_kernels, neon_attention_kernels;
extern const struct probe_kernels portable_probe_kernels, avx2_probe_kernels,
    avxvnni_probe_kernels, avx512_probe_kernels, amx_probe_kernels,
    neon_probe_kernels, i8mm_probe_kernels;

static bool is_anywhere(void)
{
    return true;
}

#if defined __x86_64__
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
}

/* Bit 4 of what leaf 7, part 1 says: not every compiler has a name for it. */
static bool has_avxvnni(void)
{
    unsigned a = 0, b, c, d;
    return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
           (a >> 4 & 1);
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}

/* Bits 24 and 25 of what leaf 7 says: tiles, and their products of bytes.
 * Tiles are 8 KB of each thread's state, which Linux keeps only for a program
 * that has asked for it, once for all of its threads. */
static bool has_amx(void)
{
    enum amx_requests { REQUEST = 0x1023, TILE_DATA = 18 };
    unsigned a, b, c, d = 0;
    return has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
           (d >> 24 & 3) == 3 &&
           syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}
#elif defined __aarch64__ && defined __linux__
/* Bit 20 of what Linux says of the processor: dot products. */
static bool has_neon(void)
{
    return getauxval(AT_HWCAP) >> 20 & 1;
}

/* Bit 13 of what Linux says next: products of small matrices of bytes. */
static bool has_i8mm(void)
{
    return has_neon() && (getauxval(AT_HWCAP2) >> 13 & 1);
}
#elif defined __aarch64__
/* All of Apple's have dot products, and not all the other. */
#define has_neon is_anywhere
#define has_i8mm says_i8mm
static bool says_i8mm(void)
{
    int has = 0;
    size_t size = sizeof has;
    return sysctlbyname("hw.optional.arm.FEAT_I8MM", &has, &size, NULL, 0) ==
               0 && has;
}
#endif

static const struct cpu_set sets[] = {
#if defined __x86_64__
    {"amx", has_amx, 256, &amx_int_kernels, &avx512_row_kernels,
     &avx512_float_kernels, &avx512_attention_kernels,
     &amx_probe_kernels},
    {"avx512", has_avx512, 256, &avx512_int_kernels, &avx512_row_kernels,
     &avx512_float_kernels, &avx512_attention_kernels,
     &avx512_probe_kernels},
    {"avxvnni", has_avxvnni, 64, &avxvnni_int_kernels, &avx2_row_kernels,
     &avx2_float_kernels, &avx2_attention_kernels,
     &avxvnni_probe_kernels},
    {"avx2", has_avx2, 128, &avx2_int_kernels, &avx2_row_kernels,
     &avx2_float_kernels, &avx2_attention_kernels,
     &avx2_probe_kernels},
#elif defined __aarch64__
    {"i8mm", has_i8mm, 64, &i8mm_int_kernels, &neon_row_kernels,
     &neon_float_kernels, &neon_attention_kernels,
     &i8mm_probe_kernels},
    {"neon", has_neon, 64, &neon_int_kernels, &neon_row_kernels,
     &neon_float_kernels, &neon_attention_kernels,
     &neon_probe_kernels},
#endif
    {"portable", is_anywhere, 64, &portable_int_kernels, &portable_row_kernels,
     &portable_float_kernels, &portable_attention_kernels,
     &portable_probe_kernels},
};

const struct cpu_set *cpu_set_row(size_t i)
{
    return i < sizeof sets / sizeof sets[0] ? &sets[i] : NULL;
}

static int choose_named(const struct cpu_set **set, const char *name,
                        struct error *e)
{
    for (size_t i = 0; (*set = cpu_set_row(i)); i++)
        if (strcmp((*set)->name, name) == 0) {
            if ((*set)->is_here())
                return 0;
            return fail(e, ERROR_UNSUPPORTED,
                        "RUNG_CPU=%s: this processor lacks instructions of "
                        "that set",
                        name);
        }
    return fail(e, ERROR_INPUT,
                "RUNG_CPU=%s: no set of instructions has that name", name);
}

int cpu_choose(const struct cpu_set **set, struct error *e)
{
    const char *name = getenv("RUNG_CPU");
    if (name)
        return choose_named(set, name, e);
    for (size_t i = 0; (*set = cpu_set_row(i)); i++)
        if ((*set)->is_here())
            break;
    return 0;
}
