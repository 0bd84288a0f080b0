/* Printing, as several commands do it. */
#ifndef PRINT_H
#define PRINT_H

#include "error.h"

#include <jansson.h>

/* Print a value on a line of its own, and free it.  NULL is one that there
 * was no memory for. */
int print_json_line(json_t *value, struct error *e);

#endif
