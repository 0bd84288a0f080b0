/* Decode's attention, to be measured: one token's queries at a depth, in many
 * layers, so that their caches are not near. */
#ifndef ATTENTION_POINT_H
#define ATTENTION_POINT_H

#include "cpu.h"
#include "error.h"
#include "threads.h"

struct attention_point;

/* Make one with a cache of halves; the heads are those of Qwen2.5-0.5B.  After
 * an error *out is NULL. */
int attention_point_open(struct attention_point **out,
                         const struct cpu_set *set, struct threads *threads,
                         struct error *e);
void attention_point_close(struct attention_point *a);

/* Attend in all layers once. */
void attention_point_run(struct attention_point *a);

/* Bytes that this reads, and operations that it makes. */
double attention_point_bytes(const struct attention_point *a);
double attention_point_operations(const struct attention_point *a);

#endif
