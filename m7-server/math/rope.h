/* Rotary positions (Su et al. 2021): where a token stands is written into its
 * queries and keys by turning pairs of their numbers, each pair at its own
 * speed.  The product of a query and a key then depends on how far apart they
 * are, not on where they stand.
 *
 * Pair i turns by position * frequency[i].  Models that were trained on short
 * texts and then stretched to long ones change the frequencies: that is what
 * "scaling" means here. */
#ifndef ROPE_H
#define ROPE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum rope_scaling {
    ROPE_DEFAULT,
    ROPE_LINEAR,   /* all pairs turn `factor` times slower */
    ROPE_LLAMA3,   /* only the slow pairs do */
    ROPE_YARN,     /* the same, by another ramp, with sharper attention */
    ROPE_LONGROPE, /* each pair by a factor of its own; there are two lists */
    ROPE_DYNAMIC,  /* all pairs, the more so the longer the text */
    ROPE_ALPHA,    /* the same by a fixed amount, whatever the length */
    ROPE_PROPORTIONAL /* some pairs turn at their usual speed, the others not
                         at all */
};

enum rope_limits {
    ROPE_MAX_FACTORS = 256 /* pairs that longrope has factors for */
};

/* What config.json says; rope_config.c reads it. */
struct rope_config {
    double theta;    /* frequency[i] = theta ^ (-2 i / dim) */
    size_t head_dim; /* numbers of a head */
    size_t dim;      /* how many of them turn, from the first */
    bool neighbours; /* pairs are (0, 1), (2, 3) ...; else (i, i + dim / 2) */

    enum rope_scaling scaling;
    double factor;
    double original_positions; /* the length before stretching */
    double alpha;              /* alpha: what dynamic finds by the length */

    double low_freq_factor, high_freq_factor; /* llama3: turns within the
                                                 original length */

    double beta_slow, beta_fast;   /* yarn: the same */
    bool truncate;                 /* yarn: round the ramp's ends outwards */
    double attention_factor;       /* yarn, longrope: 0 when it follows from
                                      the others */
    double mscale, mscale_all_dim; /* yarn: 0 when not said */

    size_t turning;   /* proportional: how many pairs turn at all */
    double positions; /* longrope, dynamic: the longest text */
    float short_factors[ROPE_MAX_FACTORS]; /* (dim / 2,); longrope: within the
                                              original length */
    float long_factors[ROPE_MAX_FACTORS];  /* past it */
};

struct rope {
    struct rope_config config;
    size_t dim;
    bool neighbours;
    float *frequencies;     /* (dim / 2,); owned */
    float attention_factor; /* sines and cosines are multiplied by it: 1, or
                               what yarn and longrope lengthen queries and
                               keys by */
    bool by_length; /* the frequencies follow from *config and the length
                           of a text; those above are a short text's */
    bool same_anywhere; /* angles by elementary.h, which has the same bits on
                           every machine; else by the C library */
};

/* Compute the frequencies.  Each step is rounded to 32 bits where
 * `transformers` rounds it: at position 1000, one more bit in a frequency is
 * an angle that differs in the fifth digit. */
int rope_init(struct rope *r, const struct rope_config *c, struct error *e);
void rope_free(struct rope *r);

/* How far each pair turns, at n positions. */
struct angles {
    float *cosines, *sines; /* (n, dim / 2) */
};

/* Fill in *a, which has the room, for the positions (n,) of a text of `length`
 * tokens, on which some scalings depend. */
void rope_angles(const struct rope *r, size_t length, const size_t *positions,
                 size_t n, struct angles *a);

/* Whether a text of length a, grown to length b, keeps its angles. */
bool rope_same_angles(const struct rope *r, size_t a, size_t b);

/* Turn the heads x (n_heads, head_dim) of the token whose position is number
 * t in *a. */
void rotate(const struct rope *r, const struct angles *a, size_t t, float *x,
            size_t n_heads, size_t head_dim);

#endif
