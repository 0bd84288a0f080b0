/* What one rendering may use: memory, steps, depth; and what it knows of the
 * world outside: the time.
 *
 * Values live in the sandbox's memory and end with it, all at once; nobody
 * frees one.  Templates come from strangers, so each bound is checked before
 * anything is done.  Functions that take a sandbox return 0, or -1 after
 * writing the error into it.
 *
 * Knows nothing of values. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "buffer.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct sandbox_block;

enum sandbox_limits {
    SANDBOX_DEPTH = 160,       /* of values in values, calls in calls */
    SANDBOX_STEP_BYTES = 16,   /* bytes that are looked at in one step */
    SANDBOX_BLOCK = 64 * 1024, /* memory comes in such pieces */
    SANDBOX_FIRST = 1024       /* but for the first ones */
};

struct sandbox {
    struct sandbox_block *blocks; /* the newest first; owned */
    size_t bytes_left, steps_left;
    int depth; /* how deep it is now */

    const struct tm *now; /* or NULL; not owned */
    bool raised;          /* the error's words are the template's own */
    struct error *error;  /* not owned */
};

void sandbox_init(struct sandbox *s, size_t bytes, size_t steps,
                  struct error *e);
void sandbox_free(struct sandbox *s);

/* Memory for `count` things of `width` bytes, aligned for anything and not
 * cleared; NULL after an error.  None at all gives a pointer, too. */
void *sandbox_alloc(struct sandbox *s, size_t count, size_t width);

/* Make room for `needed` elements of an array; as grow() of buffer.h, but what
 * was there stays, too. */
void *sandbox_grow(struct sandbox *s, void *array, size_t *capacity,
                   size_t needed, size_t width);

/* Fail when there is not that much memory left, without taking any. */
int sandbox_room(struct sandbox *s, size_t bytes);

/* Take memory that lies elsewhere into account: text that was written. */
int sandbox_charge(struct sandbox *s, size_t bytes);

/* Count a step, and more for work that grows with a text. */
int sandbox_work(struct sandbox *s, size_t bytes);

/* Go one deeper, and back. */
int sandbox_enter(struct sandbox *s);
void sandbox_leave(struct sandbox *s);

/* The error of a template: printf-like; -1. */
int sandbox_fail(struct sandbox *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
