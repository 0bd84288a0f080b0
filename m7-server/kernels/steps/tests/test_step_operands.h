/* For the test and the benchmark of the steps: one matrix in every order that
 * they read, one set of inputs in every form, and the steps as a table. */
#ifndef TEST_STEP_OPERANDS_H
#define TEST_STEP_OPERANDS_H

#include "cpu.h"
#include "product_steps.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* What a step may read.  Whatever is NULL in it is not owned. */
struct step_operands {
    struct code_rows rows;
    struct code_panels panels;
    struct packed packed;
    const float *x; /* (n, cols) */
    size_t n;
    struct inputs single, tiled; /* x rounded, in tiles of 1 and of `tile` */
    struct inputs cut;           /* the same in the engine's tiles */
    float *room;                 /* (cols,) */
    const struct cpu_set *set;
    const struct step_kernels *kernels;
    struct threads *threads;
    struct kernel_scratch *scratch; /* for run_engine */
};

/* Room for bytes, at a multiple of 64. */
static inline void *reserve_room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        abort(); /* a test without memory has nothing to say */
    return p;
}

static inline void reserve_tiles(struct inputs *in, size_t n, size_t cols,
                                 size_t tile)
{
    *in = (struct inputs){.n = n, .groups = cols / GROUP, .tile = tile};
    size_t room = inputs_rows(in) * in->groups;
    in->words = reserve_room(room * GROUP_WORDS * sizeof *in->words);
    in->scales = reserve_room(room * sizeof *in->scales);
    in->starts4 = reserve_room(room * sizeof *in->starts4);
    in->starts8 = reserve_room(room * sizeof *in->starts8);
    in->totals = reserve_room(room * sizeof *in->totals);
}

static inline void free_tiles(struct inputs *in)
{
    free(in->words);
    free(in->scales);
    free(in->starts4);
    free(in->starts8);
    free(in->totals);
}

/* Round x by the set's own kernel. */
static inline void round_operands(struct step_operands *o)
{
    size_t cols = o->rows.cols;
    reserve_tiles(&o->single, o->n, cols, 1);
    reserve_tiles(&o->tiled, o->n, cols, o->n > 1 ? o->kernels->tile : 1);
    reserve_tiles(&o->cut, o->n, cols, tile_rows(o->set->integers, o->n));
    o->set->integers->round(&o->single, o->x, cols, 0, o->n);
    o->set->integers->round(&o->tiled, o->x, cols, 0, o->n);
    o->set->integers->round(&o->cut, o->x, cols, 0, o->n);
}

/* --- the steps ---------------------------------------------------------- */

static inline void run_rows(const struct step_operands *o, float *out)
{
    multiply_by_rows(&o->rows, o->x, o->n, o->room, out);
}

static inline void run_panels(const struct step_operands *o, float *out)
{
    multiply_by_panels(&o->panels, o->x, o->n, out);
}

static inline void run_vectors(const struct step_operands *o, float *out)
{
    o->kernels->vectors(&o->panels, o->x, o->n, out);
}

static inline void run_integers(const struct step_operands *o, float *out)
{
    o->kernels->integers(&o->panels, &o->single, out);
}

static inline void run_tiles(const struct step_operands *o, float *out)
{
    o->kernels->tiles(&o->panels, &o->tiled, out);
}

static inline void run_in_line(const struct step_operands *o, float *out)
{
    o->kernels->in_line(&o->packed, &o->tiled, 0, packed_panels(&o->packed),
                        out);
}

static inline void run_streams(const struct step_operands *o, float *out)
{
    o->kernels->streams(&o->packed, &o->tiled, 0, packed_panels(&o->packed),
                        out);
}

static inline void run_threads(const struct step_operands *o, float *out)
{
    multiply_by_threads(o->threads, o->kernels, &o->packed, &o->tiled, out);
}

/* Not a step: what the engine does. */
static inline void run_engine(const struct step_operands *o, float *out)
{
    o->set->integers->multiply(&o->packed, &o->cut, 0,
                               packed_panels(&o->packed), o->scratch, out,
                               o->packed.rows);
}

enum step_order { IN_ROWS, IN_PANELS, IN_PACKED };

struct step {
    const char *name;
    enum step_order order; /* of the matrix that it reads */
    bool is_integer;       /* it multiplies rounded inputs */
    void (*run)(const struct step_operands *o, float *out);
};

enum step_counts { N_STEPS = 8 };

static const struct step steps[N_STEPS] = {
    {"rows", IN_ROWS, false, run_rows},
    {"panels", IN_PANELS, false, run_panels},
    {"vectors", IN_PANELS, false, run_vectors},
    {"integers", IN_PANELS, true, run_integers},
    {"tiles", IN_PANELS, true, run_tiles},
    {"in line", IN_PACKED, true, run_in_line},
    {"streams", IN_PACKED, true, run_streams},
    {"threads", IN_PACKED, true, run_threads},
};

#endif
