/* For the tests of switches: those of rotary positions; see test_flip.h. */
#ifndef TEST_FLIP_ROPE_H
#define TEST_FLIP_ROPE_H

#include "test_flip.h"

typedef bool flip_rope(struct rope_config *c);

static inline bool turn_nothing(struct rope_config *c)
{
    return set_size(&c->dim, 0);
}

/* Layers that do not turn are turned as the others. */
static inline bool turn_everything(struct model *m)
{
    bool used = false;
    for (size_t l = 0; l < m->config.n_layers; l++)
        if (m->ropes[m->layers[l].attention.rope].dim == 0)
            used |= set_size(&m->layers[l].attention.rope, 0);
    return used;
}

static inline bool pair_otherwise(struct rope_config *c)
{
    c->neighbours = !c->neighbours;
    return true;
}

static inline bool turn_whole_heads(struct rope_config *c)
{
    return c->scaling != ROPE_PROPORTIONAL && c->scaling != ROPE_LONGROPE &&
           set_size(&c->dim, c->head_dim);
}

static inline bool change_theta(struct rope_config *c)
{
    bool usual = c->theta > 9999 && c->theta < 10001;
    c->theta = usual ? 500000 : 10000;
    return true;
}

/* The two kinds of layers change their thetas. */
static inline bool swap_thetas(struct model *m)
{
    if (m->n_ropes < 2 || m->ropes[1].dim == 0)
        return false;
    struct rope_config full = m->ropes[0].config;
    struct rope_config windowed = m->ropes[1].config;
    struct error e;
    full.theta = m->ropes[1].config.theta;
    windowed.theta = m->ropes[0].config.theta;
    rope_free(&m->ropes[0]);
    rope_free(&m->ropes[1]);
    assert_ok(rope_init(&m->ropes[0], &full, &e), &e);
    assert_ok(rope_init(&m->ropes[1], &windowed, &e), &e);
    return true;
}

static inline bool turn_all_proportions(struct rope_config *c)
{
    return c->scaling == ROPE_PROPORTIONAL &&
           set_size(&c->turning, c->dim / 2);
}

/* The pairs are within the part of the head that turns. */
static inline bool pair_within_proportion(struct rope_config *c)
{
    bool used = c->scaling == ROPE_PROPORTIONAL;
    if (used) {
        c->dim = 2 * c->turning;
        c->scaling = ROPE_DEFAULT;
    }
    return used;
}

static inline bool drop_proportion_factor(struct rope_config *c)
{
    bool used = c->scaling == ROPE_PROPORTIONAL && c->factor > 0;
    c->factor = used ? 0 : c->factor;
    return used;
}

static inline bool drop_scaling(struct rope_config *c)
{
    bool used = c->scaling != ROPE_DEFAULT && c->scaling != ROPE_PROPORTIONAL;
    c->scaling = used ? ROPE_DEFAULT : c->scaling;
    return used;
}

static inline bool drop_attention_factor(struct rope_config *c)
{
    c->attention_factor = 1;
    return c->scaling == ROPE_YARN || c->scaling == ROPE_LONGROPE;
}

static inline bool use_short_factors(struct rope_config *c)
{
    memcpy(c->long_factors, c->short_factors, sizeof c->long_factors);
    return c->scaling == ROPE_LONGROPE;
}

static inline bool use_long_factors(struct rope_config *c)
{
    memcpy(c->short_factors, c->long_factors, sizeof c->long_factors);
    return c->scaling == ROPE_LONGROPE;
}

static inline bool round_ramp_or_not(struct rope_config *c)
{
    c->truncate = !c->truncate;
    return c->scaling == ROPE_YARN;
}

#endif
