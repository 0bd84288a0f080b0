/* A picture of attention: which tokens each token of a text looks at. */
#ifndef ATTENTION_PICTURE_H
#define ATTENTION_PICTURE_H

#include "error.h"
#include "options.h"

/* Draw the weights that --layer, or one --head of it, gives to the tokens of
 * the text arguments[0]; without --head, the mean of its heads. */
int draw_attention(const struct settings *s, char **arguments,
                   struct error *e);

#endif
