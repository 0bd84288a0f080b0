/* What this machine can do at most, in one thread and in all: how fast it
 * reads memory, and how fast it multiplies what is in registers.  No program
 * is faster; so a kernel's speed is a share of one of these. */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

#include "cpu.h"
#include "error.h"
#include "packed.h"
#include "threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum limit_kind {
    LIMIT_READ,    /* bytes a second, from the first to the last */
    LIMIT_STREAMS, /* the same in two streams, asked for early, as kernels
                      read a matrix */
    LIMIT_INT4,    /* operations a second: 8 bits times 4, whole numbers */
    LIMIT_INT8,    /* 8 bits times 8 */
    LIMIT_FLOAT,   /* fused multiply-adds, each of which is two operations */
    N_LIMITS
};

enum limits_rounds { LIMIT_ROUNDS = 5 };

/* What they are measured with, and what was measured. */
struct limits {
    const struct cpu_set *set;
    struct threads *threads; /* not owned */
    struct packed memory;    /* what is read, in pages as matrices have */
    size_t bytes;            /* of it */
    double speeds[N_LIMITS][2][LIMIT_ROUNDS]; /* of one thread and of all:
                                                 bytes or operations a second,
                                                 in the order of rounds */
};

/* How many bytes are read where the last cache and the memory have so many: 0
 * where the system does not say.  Eight times the cache, so that nothing of it
 * is there from the round before, but at most a quarter of the memory, and at
 * least 256 MB. */
size_t limits_bytes(size_t cache, uint64_t memory);

/* Make room for them.  After an error *l holds nothing. */
int limits_open(struct limits *l, const struct cpu_set *set,
                struct threads *threads, struct error *e);
void limits_close(struct limits *l);

/* Measure all of them once, some hundredths of a second each, as round number
 * `round`; or LIMIT_ROUNDS times, after once to warm up. */
void limits_round(struct limits *l, size_t round);
void limits_measure(struct limits *l);

/* Seconds that the processor has worked for this program, a thread's share of
 * them where some compute at once: they count waiting for memory, but not the
 * time that other programs had. */
double computing_seconds(const struct threads *t);

/* The median of the rounds of one. */
double limit_speed(const struct limits *l, enum limit_kind kind,
                   bool all_threads);

/* "reading, two streams", and what it is counted in: "GB/s". */
const char *limit_name(enum limit_kind kind);
const char *limit_unit(enum limit_kind kind);

#endif
