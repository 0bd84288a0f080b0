/* Which instructions this processor has, and the kernels made of them. */
#ifndef CPU_H
#define CPU_H

#include "error.h"
#include "kernels.h"
#include "queries.h"

#include <stdbool.h>
#include <stddef.h>

/* A set of instructions that this program was compiled for. */
struct cpu_set {
    const char *name; /* "avx2": what RUNG_CPU says */
    bool (*is_here)(void);
    size_t chunk; /* tokens of a text that are best read together */
    const struct int_kernels *integers;
    const struct row_kernels *rows;
    const struct float_kernels *floats;
    const struct attention_kernels *attention;
    const struct probe_kernels *probes;
};

/* Set `i`, the fastest first; NULL past the last.  The last, "portable", is
 * everywhere. */
const struct cpu_set *cpu_set_row(size_t i);

/* The fastest that this processor has; or the one that the environment's
 * RUNG_CPU names.  Fails for a name that is unknown, or that this processor
 * cannot run. */
int cpu_choose(const struct cpu_set **set, struct error *e);

#endif
