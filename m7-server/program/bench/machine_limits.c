/* The machine's limits: see machine_limits.h. */
#define _GNU_SOURCE /* _SC_LEVEL3_CACHE_SIZE */
#include "machine_limits.h"

#include "measure.h"
#include "sizes.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a system may not know: then sysconf says -1. */
#if !defined _SC_LEVEL3_CACHE_SIZE
#define _SC_LEVEL3_CACHE_SIZE -1
#endif
#if !defined _SC_PHYS_PAGES
#define _SC_PHYS_PAGES -1
#endif

enum limits_sizes {
    LEAST_MB = 256,
    CACHES = 8,         /* as large as so many last caches */
    SHARE = 4,          /* but no more than this part of the memory */
    MEMORY_COLS = 4096, /* of the matrix whose bytes are read */
    PIECE = 576 * 64,   /* bytes that a thread's share is a multiple of */
    ROUNDS_AT_ONCE = 100000
};

static const double least_seconds = 0.03;

/* Bytes of the last cache; 0 where nobody says.  Linux knows how much of it a
 * virtual machine has; the processor may speak of more. */
static size_t last_cache(void)
{
    size_t kilobytes = 0;
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    if (f) {
        int found = fscanf(f, "%zuK", &kilobytes);
        fclose(f);
        return found == 1 ? kilobytes << 10 : 0;
    }
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* Bytes of memory; 0 where nobody says. */
static uint64_t memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

/* A cache that many machines on one processor share may be as large as the
 * memory that this one has. */
size_t limits_bytes(size_t cache, uint64_t memory)
{
    size_t bytes = CACHES * cache;
    if (memory > 0 && bytes > memory / SHARE)
        bytes = (size_t)(memory / SHARE);
    return larger_size(bytes, (size_t)LEAST_MB << 20);
}

/* Small numbers, whatever a kernel takes them for: the second byte of two is
 * 0x3c to 0x3f.  Whoever writes a page first has it near. */
static void fill_share(void *work, size_t index, size_t count)
{
    struct limits *l = work;
    unsigned char piece[PIECE];
    size_t first, end;
    for (size_t i = 0; i < PIECE; i++)
        piece[i] = (unsigned char)(i % 2 ? 0x3c + i * 37 / 2 % 4 : i * 31);
    threads_share(l->bytes, PIECE, index, count, &first, &end);
    for (size_t i = first; i < end; i += PIECE)
        memcpy(l->memory.bytes + i, piece, smaller_size(PIECE, end - i));
}

int limits_open(struct limits *l, const struct cpu_set *set,
                struct threads *threads, struct error *e)
{
    size_t panel = MEMORY_COLS * PANEL_ROWS * sizeof(float);
    size_t bytes = limits_bytes(last_cache(), memory_bytes());
    size_t panels = (bytes + panel - 1) / panel;
    *l = (struct limits){.set = set, .threads = threads};
    l->bytes = panels * panel;
    if (packed_init(&l->memory, PACKED_F32, panels * PANEL_ROWS, MEMORY_COLS,
                    e))
        return -1;
    threads_run(threads, fill_share, l);
    return 0;
}

void limits_close(struct limits *l)
{
    packed_free(&l->memory);
    *l = (struct limits){0};
}

/* A limit that is being measured: each thread adds what it has done. */
struct limit_job {
    const struct limits *limits;
    enum limit_kind kind;
    atomic_size_t done; /* rounds or bytes */
    atomic_int folded;  /* what was computed, so that it must be */
};

static void read_memory_share(struct limit_job *j, size_t index, size_t count)
{
    const struct probe_kernels *p = j->limits->set->probes;
    probe_reading *read =
        j->kind == LIMIT_READ ? p->read_plain : p->read_streams;
    size_t first, end;
    threads_share(j->limits->bytes, PIECE, index, count, &first, &end);
    size_t bytes = (end - first) / PIECE * PIECE;
    atomic_fetch_xor(&j->folded, read(j->limits->memory.bytes + first, bytes));
    atomic_fetch_add(&j->done, bytes);
}

static probe_products *products_of(const struct limit_job *j)
{
    const struct probe_kernels *p = j->limits->set->probes;
    return j->kind == LIMIT_FLOAT  ? p->floats
           : j->kind == LIMIT_INT4 ? p->nibbles
                                   : p->bytes;
}

static void limit_share(void *work, size_t index, size_t count)
{
    struct limit_job *j = work;
    if (j->kind <= LIMIT_STREAMS) {
        read_memory_share(j, index, count);
        return;
    }
    size_t rounds = ROUNDS_AT_ONCE;
    atomic_fetch_xor(&j->folded, products_of(j)(rounds));
    atomic_fetch_add(&j->done, rounds);
}

/* What one of those that were done stands for: bytes, or operations. */
static double worth(const struct limit_job *j)
{
    const struct probe_kernels *p = j->limits->set->probes;
    if (j->kind <= LIMIT_STREAMS)
        return 1;
    return 2.0 * (double)(j->kind == LIMIT_FLOAT ? p->round_floats
                                                 : p->round_products);
}

double computing_seconds(const struct threads *t)
{
    return seconds_worked() / (double)threads_count(t);
}

static double measure_limit(const struct limits *l, enum limit_kind kind,
                            bool all_threads)
{
    struct limit_job j = {.limits = l, .kind = kind};
    struct threads *threads = all_threads ? l->threads : NULL;
    double begin = computing_seconds(threads), spent;
    do {
        threads_run(threads, limit_share, &j);
        spent = computing_seconds(threads) - begin;
    } while (spent < least_seconds);
    return (double)atomic_load(&j.done) * worth(&j) / spent;
}

void limits_round(struct limits *l, size_t round)
{
    for (int kind = 0; kind < N_LIMITS; kind++)
        for (int all = 0; all < 2; all++)
            l->speeds[kind][all][round] =
                measure_limit(l, (enum limit_kind)kind, all);
}

void limits_measure(struct limits *l)
{
    limits_round(l, 0);
    for (size_t i = 0; i < LIMIT_ROUNDS; i++)
        limits_round(l, i);
}

double limit_speed(const struct limits *l, enum limit_kind kind,
                   bool all_threads)
{
    double rounds[LIMIT_ROUNDS];
    memcpy(rounds, l->speeds[kind][all_threads], sizeof rounds);
    return sorted_middle(rounds, LIMIT_ROUNDS);
}

const char *limit_name(enum limit_kind kind)
{
    static const char *const names[N_LIMITS] = {
        "reading, plain", "reading, two streams", "4-bit products",
        "8-bit products", "float products"};
    return names[kind];
}

const char *limit_unit(enum limit_kind kind)
{
    return kind <= LIMIT_STREAMS ? "GB/s" : "Gop/s";
}
