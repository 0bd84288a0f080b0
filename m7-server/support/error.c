/* Errors: see error.h.  Knows nothing of what failed. */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message quotes files, which may hold anything: keep it on its one line,
 * and its control characters away from the terminal. */
static void blank_controls(char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
}

/* End a message that was cut short with "...", after a whole character. */
static void mark_cut(char *message, size_t size)
{
    char *end = message + size - 4;
    while (end > message && ((unsigned char)*end & 0xC0) == 0x80)
        end--;
    memcpy(end, "...", 4);
}

int fail(struct error *e, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);

    e->code = code;
    if (length >= (int)sizeof e->message)
        mark_cut(e->message, sizeof e->message);
    blank_controls(e->message);
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
