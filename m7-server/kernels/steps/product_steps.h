/* One product in eight ways, from the obvious loop to the machine's limit.
 *
 * A matrix (rows, cols) of codes of 4 bits, 0 to 15, each 32 of a row with a
 * scale, is multiplied with rows x (n, cols): out (n, rows).  A weight is
 * scale * (code - 8).  cols is a multiple of 32; rows may be any number.
 *
 *     0  rows      a row becomes floats, and then a dot product
 *     1  panels    16 rows side by side: memory is read from first to last
 *     2  vectors   a lane of a vector is a row
 *     3  integers  inputs are rounded to 8 bits; whole numbers are multiplied
 *     4  tiles     a weight that was loaded serves several rows of inputs
 *     5  in line   scales stand with the codes that they belong to
 *     6  streams   two panels at a time, and memory is asked early
 *     7  threads   each has its own panels
 *
 * From 3 on all give the same bits, those of the engine's kernels; 2 gives the
 * same on every set of instructions.  0, 1 and 2 multiply floats, each in an
 * order of its own. */
#ifndef PRODUCT_STEPS_H
#define PRODUCT_STEPS_H

#include "packed.h"
#include "threads.h"

#include <stddef.h>

/* Row after row, as m5 has it. */
struct code_rows {
    size_t rows, cols;
    const unsigned char *codes; /* (rows, cols / 2): code 2 j is the lower half
                                   of byte j */
    const float *scales;        /* (rows, cols / 32) */
};

/* Panels of 16 rows, codes and scales apart; the last panel is filled up with
 * rows whose scales are 0. */
struct code_panels {
    size_t rows, cols;
    const unsigned char *codes; /* (panels, groups, 256): as packed.h has the
                                   codes of a group, [word][row][input] */
    const float *scales;        /* (panels, groups, 16) */
};

enum step_sizes {
    CODE_GROUP = 16 * GROUP / 2, /* bytes of a group's codes of a panel */
    CODE_MIDDLE = 8              /* the code that stands for 0 */
};

static inline size_t panels_of(size_t rows)
{
    return (rows + PANEL_ROWS - 1) / PANEL_ROWS;
}

/* The 32 codes of group `g` of a row as 16 bytes, those of the first 16 inputs
 * in the lower halves. */
void codes_of_group(const struct code_rows *m, size_t row, size_t g,
                    unsigned char *out);

/* The same matrix in panels; codes and scales have room for whole panels. */
void panels_from_rows(const struct code_rows *m, unsigned char *codes,
                      float *scales);

/* Step 0; room (cols,) is for a row. */
void multiply_by_rows(const struct code_rows *m, const float *x, size_t n,
                      float *room, float *out);

/* Step 1. */
void multiply_by_panels(const struct code_panels *m, const float *x, size_t n,
                        float *out);

/* What a set of instructions has of the other steps.  Inputs are rounded by
 * its int_kernels' round, in tiles of 1 row or of `tile`. */
typedef void step_of_floats(const struct code_panels *m, const float *x,
                            size_t n, float *out);
typedef void step_of_integers(const struct code_panels *m,
                              const struct inputs *x, float *out);
typedef void step_of_packed(const struct packed *p, const struct inputs *x,
                            size_t first, size_t end, float *out);

struct step_kernels {
    size_t tile; /* rows of inputs that are multiplied with at once */
    step_of_floats *vectors;
    step_of_integers *integers; /* takes tiles of 1 alone */
    step_of_integers *tiles;
    step_of_packed *in_line, *streams; /* the panels from first to end - 1 */
};

/* Those of the set of that name (cpu.h). */
const struct step_kernels *steps_of_set(const char *name);

/* Step 7: step 6, its panels shared among the threads. */
void multiply_by_threads(struct threads *t, const struct step_kernels *kernels,
                         const struct packed *p, const struct inputs *x,
                         float *out);

#endif
