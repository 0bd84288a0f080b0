/* Errors on their way out: see rung_errors.h. */
#include "rung_errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const int codes[] = {
    [ERROR_NONE] = RUNG_OK,
    [ERROR_USAGE] = RUNG_INPUT,
    [ERROR_INPUT] = RUNG_INPUT,
    [ERROR_UNSUPPORTED] = RUNG_UNSUPPORTED,
    [ERROR_SYSTEM] = RUNG_SYSTEM,
    [ERROR_MEMORY] = RUNG_MEMORY,
};

int fail_out(struct rung_error *out, const struct error *e)
{
    if (!out)
        return -1;
    *out = (struct rung_error){.code = codes[e->code]};
    memcpy(out->message, e->message, sizeof out->message);
    return -1;
}

int fail_out_with(struct rung_error *out, enum rung_code code,
                   const char *format, ...)
{
    va_list arguments;
    if (!out)
        return -1;
    *out = (struct rung_error){.code = code};
    va_start(arguments, format);
    vsnprintf(out->message, sizeof out->message, format, arguments);
    va_end(arguments);
    return -1;
}

int fail_out_limit(struct rung_error *out, enum rung_code code, size_t asked,
                    size_t limit, const char *format, ...)
{
    va_list arguments;
    if (!out)
        return -1;
    *out = (struct rung_error){.code = code, .asked = asked, .limit = limit};
    va_start(arguments, format);
    vsnprintf(out->message, sizeof out->message, format, arguments);
    va_end(arguments);
    return -1;
}
