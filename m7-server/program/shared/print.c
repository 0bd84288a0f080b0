/* Printing: see print.h. */
#include "print.h"

#include <math.h>
#include <stdio.h>

void print_ignored(const struct model *m)
{
    if (m->n_ignored > 0)
        fprintf(stderr,
                "note: %zu tensors that are not for texts are not used, the "
                "first is %s\n",
                m->n_ignored, m->ignored);
}

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

int print_json_line(json_t *value, struct error *e)
{
    if (!value)
        return fail_memory(e, "the result");
    int failed = json_dumpf(value, stdout, JSON_REAL_PRECISION(9));
    json_decref(value);
    if (failed || putchar('\n') == EOF || fflush(stdout))
        return fail_errno(e, "standard output");
    return 0;
}
