/* The picture of two models on a text: where in it one moves away from the
 * other. */
#ifndef COMPARE_PICTURE_H
#define COMPARE_PICTURE_H

#include "comparison.h"
#include "error.h"
#include "options.h"

#include <stddef.h>

/* What is drawn of tokens that were compared: for each point the mean of
 * `block` tokens, of the last fewer. */
struct compare_points {
    double *kl, *a_nats, *b_nats; /* (n,); owned */
    size_t n, block;
};

/* Points, `most` at most, of a comparison that has tokens.  After an error *p
 * holds nothing. */
int compare_points_init(struct compare_points *p, const struct comparison *c,
                        size_t most, struct error *e);
void compare_points_free(struct compare_points *p);

/* Draw the models arguments[0] and arguments[1] on the text arguments[2] to
 * s->output. */
int draw_compare(const struct settings *s, char **arguments, struct error *e);

#endif
