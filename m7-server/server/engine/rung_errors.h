/* Errors on their way out of the library: from what is used inside to what
 * rung.h shows. */
#ifndef RUNG_ERRORS_H
#define RUNG_ERRORS_H

#include "error.h"
#include "rung.h"

/* Fill in *out, which may be NULL, with what failed inside; returns -1. */
int fail_out(struct rung_error *out, const struct error *e);

/* The same with a code and words, printf-like. */
int fail_out_with(struct rung_error *out, enum rung_code code,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same where `asked` is more than the limit; the words say both. */
int fail_out_limit(struct rung_error *out, enum rung_code code, size_t asked,
                    size_t limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
