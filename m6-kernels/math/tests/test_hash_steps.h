/* The steps of m6's chapter (product_steps.h), for the program that compares
 * machines by hashes. */
#ifndef TEST_HASH_STEPS_H
#define TEST_HASH_STEPS_H

#include "test_hashes.h"
#include "test_step_operands.h"

enum hash_step_sizes {
    STEP_ROWS = 70,
    STEP_GROUPS = 9,
    STEP_INPUTS = 11, /* rows of them */
    FIRST_STEP = 2    /* that sets have of their own: the vectors' */
};

/* Any codes and scales in panels, and others packed. */
static inline void fill_step_operands(struct step_operands *o, size_t rows,
                                      size_t groups, const float *x)
{
    struct error e;
    size_t panels = panels_of(rows) * groups;
    unsigned char *codes = reserve_room(panels * CODE_GROUP);
    float *scales = reserve_room(panels * PANEL_ROWS * sizeof *scales);
    fill_bytes(codes, panels * CODE_GROUP);
    fill_floats(scales, panels * PANEL_ROWS);
    o->rows = (struct code_rows){.rows = rows, .cols = groups * GROUP};
    o->panels =
        (struct code_panels){rows, groups * GROUP, codes, scales};
    check(packed_init(&o->packed, PACKED_INT4, rows, groups * GROUP, &e), &e);
    fill_matrix(&o->packed);
    o->x = x;
    round_operands(o);
}

static inline void empty_step_operands(struct step_operands *o)
{
    free((void *)o->panels.codes);
    free((void *)o->panels.scales);
    packed_free(&o->packed);
    free_tiles(&o->single);
    free_tiles(&o->tiled);
    free_tiles(&o->cut);
}

static inline void hash_step(const struct cpu_set *set, const struct step *s)
{
    static float out[STEP_INPUTS * STEP_ROWS + 2 * GUARD];
    static float x[STEP_INPUTS * STEP_GROUPS * GROUP + 2 * GUARD];
    size_t rows = 1 + random_below(STEP_ROWS);
    size_t groups = 1 + random_below(STEP_GROUPS);
    struct step_operands o = {.n = 1 + random_below(STEP_INPUTS),
                              .set = set,
                              .kernels = steps_of_set(set->name)};
    float *found = place_in(out, o.n * rows);
    float *inputs = place_in(x, o.n * groups * GROUP);
    fill_floats(inputs, o.n * groups * GROUP);
    fill_step_operands(&o, rows, groups, inputs);
    s->run(&o, found);
    check_guards(s->name, out, found, o.n * rows);
    add_floats(found, o.n * rows);
    empty_step_operands(&o);
}

static inline void hash_steps(const struct cpu_set *set, size_t shapes)
{
    char name[32];
    for (size_t s = FIRST_STEP; s < N_STEPS; s++) {
        begin_hash();
        for (size_t i = 0; i < shapes; i++)
            hash_step(set, &steps[s]);
        snprintf(name, sizeof name, "step %zu, %s", s, steps[s].name);
        print_hash(name, shapes);
    }
}

#endif
