/* Long work: how far it is, and whether it is to go on. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stddef.h>

/* Told that `done` of `all` of what is called `what` are behind us; false: end
 * here, and leave nothing behind. */
typedef bool goes_on_function(void *context, const char *what, size_t done,
                              size_t all);

struct work {
    goes_on_function *goes_on; /* NULL: nobody looks, and nobody stops it */
    void *context;             /* its first argument */
};

static inline bool work_goes_on(const struct work *w, const char *what,
                                size_t done, size_t all)
{
    return !w->goes_on || w->goes_on(w->context, what, done, all);
}

#endif
