/* Cutting a text at a pattern: the five behaviours of a Hugging Face Split.
 *
 * The pattern's matches and the stretches between them are the ranges of the
 * text.  On "the-final--countdown", cut at "-":
 *
 *     Removed             the  final  countdown
 *     Isolated            the  -  final  -  -  countdown
 *     MergedWithPrevious  the-  final-  -  countdown
 *     MergedWithNext      the  -final  -  -countdown
 *     Contiguous          the  -  final  --  countdown */
#ifndef SPLIT_H
#define SPLIT_H

#include "error.h"
#include "json.h"
#include "pattern.h"
#include "piece.h"

#include <stdbool.h>

enum split_behavior {
    SPLIT_REMOVED,
    SPLIT_ISOLATED,
    SPLIT_MERGED_WITH_PREVIOUS,
    SPLIT_MERGED_WITH_NEXT,
    SPLIT_CONTIGUOUS
};

struct split {
    struct pattern pattern;
    enum split_behavior behavior;
    bool invert; /* the matches are the stretches, and these the matches */
};

/* Read a behaviour's name. */
int split_behavior_read(const struct node *n, enum split_behavior *out,
                        struct error *e);

/* Where the pieces go, one by one: 0 to go on, -1 with *e to stop. */
typedef int piece_sink(void *context, struct piece piece, struct error *e);

/* Cut a piece, and give each part that is not empty to the sink. */
int split_run(const struct split *s, struct piece whole, piece_sink *sink,
              void *context, struct error *e);

#endif
