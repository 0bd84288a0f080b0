/* Errors: see error.h.  Knows nothing of what failed. */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct error *e, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);

    e->code = code;
    if (length >= (int)sizeof e->message)
        memcpy(e->message + sizeof e->message - 4, "...", 4);
    return -1;
}

int fail_memory(struct error *e, const char *what)
{
    return fail(e, ERROR_MEMORY, "out of memory for %s", what);
}

int fail_errno(struct error *e, const char *path)
{
    return fail(e, ERROR_SYSTEM, "%s: %s", path, strerror(errno));
}
