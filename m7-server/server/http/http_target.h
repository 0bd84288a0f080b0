/* What a request asks for: the second word of its first line.
 *
 * Knows the syntax of RFC 9112, section 3.2, and of RFC 3986's percent signs;
 * not which paths exist. */
#ifndef HTTP_TARGET_H
#define HTTP_TARGET_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* Append text (size,) with its %XX decoded, and with spaces for "+" when
 * `plus`; -1 when one is malformed. */
int target_decode(const char *text, size_t size, bool plus, struct bytes *out);

/* The parts of a target: pointers into it. */
struct target {
    const char *host; /* (host_size,) of http://HOST/PATH, or NULL */
    size_t host_size;
    const char *path; /* (path_size,), still encoded */
    size_t path_size;
    const char *query; /* to the end; "" when there is none */
};

/* -1 for what is neither a path nor an address of http: or https:, or has
 * bytes that a target cannot have. */
int target_split(const char *text, struct target *target);

/* Append the path, decoded and ended by a zero; -1 when it is malformed, or
 * is not UTF-8, or has a zero in it. */
int target_path(const struct target *target, struct bytes *out);

#endif
