/* Two models compared on a text, as the command line names them: for
 * `rung compare`, and for the picture of the same. */
#ifndef COMPARE_RUN_H
#define COMPARE_RUN_H

#include "comparison.h"
#include "error.h"
#include "options.h"
#include "pair.h"

/* Must not be copied, as its pair must not. */
struct compare_run {
    struct pair pair;
    struct threads *threads; /* that compute B; owned */
    struct windows windows;
    struct comparison comparison;
    struct comparison_summary summary;
};

/* Open the models arguments[0] and arguments[1], and let both read the text
 * arguments[2] as --window, --stride and -n say, B with the cache that --cache
 * says and by kernels, A with floats and, as both with --exact, one operation
 * after another.  After an error *r holds
 * nothing. */
int compare_run_init(struct compare_run *r, const struct settings *s,
                     char **arguments, struct error *e);
void compare_run_free(struct compare_run *r);

#endif
