/* Printing, as several commands do it. */
#ifndef PRINT_H
#define PRINT_H

#include "error.h"
#include "json_write.h"
#include "model.h"

/* Print a value on a line of its own, and free it.  NULL is one that there
 * was no memory for. */
int print_json_line(json_t *value, struct error *e);

/* A number; null for an infinity and for what is no number, which JSON does
 * not have. */
json_t *json_finite(double x);

/* Say on standard error which of the model's tensors are not for texts, and
 * so are not used, if there are any. */
void print_ignored(const struct model *m);

#endif
