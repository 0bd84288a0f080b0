/* Errors: what went wrong, in words for the person who has to mend it.
 *
 * A library function that can fail takes a `struct error *` last, and returns
 * 0 or -1, or NULL instead of a pointer.  It never prints and never exits:
 * only files in program/ print, and only main.c exits.  A message names the
 * file, then the field, tensor or byte offset, then what is wrong and what was
 * expected. */
#ifndef ERROR_H
#define ERROR_H

enum error_code {
    ERROR_NONE,
    ERROR_USAGE,       /* the command line cannot be understood */
    ERROR_INPUT,       /* a file or a text is not what it should be */
    ERROR_UNSUPPORTED, /* well formed, but this program does not know it */
    ERROR_SYSTEM,      /* the operating system refused: open, read, map */
    ERROR_MEMORY       /* an allocation failed */
};

struct error {
    enum error_code code;
    char message[1024]; /* one line, no full stop, no newline */
};

/* Fill in *e, printf-like, and return -1, so that a function can end with
 * `return fail(e, ...)`.  A message longer than the buffer ends in "...";
 * control characters in it become spaces. */
int fail(struct error *e, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The error of a failed malloc: `what` names the thing that needed memory. */
int fail_memory(struct error *e, const char *what);

/* The error of a failed system call on a file, with errno's own words. */
int fail_errno(struct error *e, const char *path);

#endif
