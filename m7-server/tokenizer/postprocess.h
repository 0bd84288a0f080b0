/* The post-processor: the tokens that go around every text, BOS and EOS. */
#ifndef POSTPROCESS_H
#define POSTPROCESS_H

#include "buffer.h"
#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

#define TEMPLATE_TEXT -1 /* here the ids of the text stand */

struct postprocessor {
    struct ids template; /* ids and TEMPLATE_TEXT; empty: the text alone */
};

/* Read the file's "post_processor" into *p, which starts as {0}. */
int postprocessor_read(const struct node *node, struct postprocessor *p,
                       struct error *e);
void postprocessor_free(struct postprocessor *p);

/* Append the ids of a text (n,) to `out`, and with `special` the tokens
 * around them. */
void postprocess(const struct postprocessor *p, const int *ids, size_t n,
                 bool special, struct ids *out);

#endif
