/* JSON, read byte by byte: where a value ends, and whether it is one.  Keeps
 * nothing of it.  Control characters within strings are let pass, since models
 * write them: who passes the text on must escape them. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_SCAN_DEEPEST 256 /* values in values; deeper ones are refused */

enum json_scanned {
    SCAN_MORE, /* the value goes on */
    SCAN_DONE, /* this byte was its last */
    SCAN_PAST, /* it had ended before this byte: a number does so */
    SCAN_BAD   /* no JSON */
};

struct json_scan {
    int state;           /* of json_scan.c */
    const char *literal; /* what must follow of true, false, null */
    int hex;             /* digits of \u that must follow */
    bool is_key;         /* this string is one */
    size_t depth;
    char stack[JSON_SCAN_DEEPEST]; /* '{' or '[' */
};

void json_scan_init(struct json_scan *s);
enum json_scanned json_scan_put(struct json_scan *s, char byte);

/* Would the value be whole if the text ended here? */
bool json_scan_whole(const struct json_scan *s);

/* Is the next byte inside a string? */
bool json_scan_in_string(const struct json_scan *s);

#endif
