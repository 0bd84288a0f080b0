/* What was measured, printed: as a table, or as JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "error.h"
#include "measure.h"
#include "points.h"

#include <stdbool.h>
#include <stddef.h>

/* A model's speeds, and what the machine could do at most. */
struct bench_report {
    const char *name; /* of the model */
    const char *set;  /* of instructions */
    size_t threads;
    const struct measuring *measuring;
    size_t weight_bytes;   /* that a pass reads; 0: not known */
    size_t position_bytes; /* of the cache, for each token in it */
    const struct limits *limits;
};

int report_speeds(const struct bench_report *r, bool json, struct error *e);

/* Limits and kernels. */
int report_kernels(const struct roofline *r, bool json, struct error *e);

#endif
