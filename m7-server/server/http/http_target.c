/* Targets of requests: see http_target.h. */
#include "http_target.h"

#include "unicode.h"

#include <string.h>
#include <strings.h>

/* The value of a hexadecimal digit, or -1. */
static int digit(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    if (!at)
        return -1;
    return at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

/* The character at text (size,), whose length goes to *length; -1 when it is
 * malformed. */
static int decode_one(const char *text, size_t size, bool plus, size_t *length)
{
    *length = 1;
    if (*text == '+' && plus)
        return ' ';
    if (*text != '%')
        return (unsigned char)*text;
    if (size < 3 || digit(text[1]) < 0 || digit(text[2]) < 0)
        return -1;
    *length = 3;
    return digit(text[1]) << 4 | digit(text[2]);
}

int target_decode(const char *text, size_t size, bool plus, struct bytes *out)
{
    size_t length;
    for (; size > 0; text += length, size -= length) {
        int code = decode_one(text, size, plus, &length);
        if (code < 0)
            return -1;
        bytes_add(out, &(char){(char)code}, 1);
    }
    return 0;
}

/* Whether text has only what a target may have: ASCII that can be seen. */
static bool is_visible(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~' || *text == '#')
            return false;
    return true;
}

/* Read "http://HOST" at the start of `text`; returns what is behind it, or
 * `text` when there is none. */
static const char *read_host(const char *text, struct target *target)
{
    size_t scheme = strncasecmp(text, "http://", 7) == 0    ? 7
                    : strncasecmp(text, "https://", 8) == 0 ? 8
                                                            : 0;
    if (scheme == 0)
        return text;
    target->host = text + scheme;
    target->host_size = strcspn(target->host, "/?");
    return target->host + target->host_size;
}

int target_split(const char *text, struct target *target)
{
    *target = (struct target){0};
    if (!is_visible(text))
        return -1;
    target->path = read_host(text, target);
    if (*target->path != '/')
        return -1;
    target->path_size = strcspn(target->path, "?");
    target->query = target->path + target->path_size;
    target->query += *target->query == '?';
    return 0;
}

int target_path(const struct target *target, struct bytes *out)
{
    size_t from = out->size;
    if (target_decode(target->path, target->path_size, false, out))
        return -1;
    if (out->failed)
        return 0;
    const char *path = out->data + from;
    size_t size = out->size - from;
    if (memchr(path, 0, size) || utf8_valid(path, size) != size)
        return -1;
    bytes_add(out, "", 1);
    return 0;
}
