/* Measuring what another program asks for, one case after another: so its own
 * cases, or another engine's, can be measured in turn with ours.
 *
 * A line of standard input is a case, and is answered with a line at once:
 *
 *     {"tokens": 64, "batch": 1, "depth": 0}
 *     {"whole": 0.7, "least": 0.1, "worked_whole": 1.4, "worked_least": 0.2}
 *
 * in seconds, as measure.h says; depth and batch may be left out and are 0. */
#ifndef LINES_H
#define LINES_H

#include "error.h"
#include "measure.h"

/* Answer all lines; no case may be longer than `longest`. */
int answer_cases(struct bench_run *r, size_t longest, struct error *e);

#endif
