/* How long tests may take: some read more of the same texts when asked. */
#ifndef TEST_LONG_H
#define TEST_LONG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers make everything some twenty times slower. */
static inline bool is_slow(void)
{
    const char *program = getenv("RUNG");
    return program && strstr(program, "/san/");
}

/* Whether tests may take a minute: those that read more of the same texts
 * then.  The project's `make test` asks for it where nobody waits: in the
 * highest rung where CI is set, and with ALL=1 in every rung. */
static inline bool is_long(void)
{
    return getenv("RUNG_LONG") && !is_slow();
}

#endif
