/* Views of the chain: how likely every token is, as the model gives it and
 * after each step of sampling. */
#ifndef VIEWS_H
#define VIEWS_H

#include "error.h"
#include "generate.h"
#include "input.h"
#include "options.h"

#include <stdbool.h>
#include <stddef.h>

enum view_limits {
    MOST_VIEWS = 12, /* the model's own, and one for each step */
    VIEW_NAME = 16
};

struct view {
    char name[VIEW_NAME]; /* of the step, "model" for the model's own */
    float *probabilities; /* (n_vocab,), owned; 0 for what is taken out */
    size_t left;          /* tokens that are not */
};

struct views {
    struct view items[MOST_VIEWS];
    size_t n;
    size_t n_vocab;
    struct candidate *ranking; /* (n_ranked,), owned: the likeliest first, as
                                  the model gives them */
    size_t n_ranked;           /* the model's rows that stand for a token */
    bool failed;               /* no memory */
};

/* Run the model on the input's text, and the chain that the settings ask
 * for, watching.  After an error *v holds nothing. */
int views_init(struct views *v, const struct input *in,
               const struct settings *s, struct error *e);
void views_free(struct views *v);

#endif
