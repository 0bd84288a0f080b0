/* The facts of a model, as rung.h has them. */
#ifndef MODEL_FACTS_H
#define MODEL_FACTS_H

#include "engine.h"

/* Fill in what is still missing of m->facts, when its numbers of tokens and
 * requests are there; and m->advised. */
int facts_read(struct rung_model *m, const char *path,
               const struct rung_options *o, struct error *e);
void facts_free(struct rung_model *m);

#endif
