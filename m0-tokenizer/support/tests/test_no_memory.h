/* For tests of what happens without memory: malloc, calloc and realloc of the
 * whole program, libraries too, of which some can be made to fail.  A test
 * that includes this has its own. */
#ifndef TEST_NO_MEMORY_H
#define TEST_NO_MEMORY_H

#include <dlfcn.h> /* RTLD_NEXT: _GNU_SOURCE is the includer's */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The sanitizers ask for memory before they are ready. */
#define MEMORY_PLAIN                                                          \
    __attribute__((no_sanitize_address, no_sanitize_thread,                  \
                   no_sanitize_undefined))

static atomic_long memory_before; /* allocations until one fails; 0: none */
static atomic_long memory_failed; /* those that have failed */
static _Thread_local bool memory_spared; /* this thread's never fail */

/* The next malloc or the like behind ours; NULL while it is being looked for,
 * which may allocate. */
typedef void (*memory_function)(void);

MEMORY_PLAIN
static memory_function memory_next(const char *name,
                                   _Atomic(memory_function) *known)
{
    static _Thread_local bool looking;
    memory_function found = *known;
    if (found || looking)
        return found;
    looking = true;
    void *symbol = dlsym(RTLD_NEXT, name);
    looking = false;
    memcpy(&found, &symbol, sizeof found);
    *known = found;
    return found;
}

MEMORY_PLAIN
static bool memory_lacks(void)
{
    if (memory_spared || memory_before <= 0 ||
        atomic_fetch_sub(&memory_before, 1) != 1)
        return false;
    memory_failed++;
    return true;
}

MEMORY_PLAIN
void *malloc(size_t size)
{
    static _Atomic(memory_function) known;
    void *(*next)(size_t) =
        (void *(*)(size_t))memory_next("malloc", &known);
    return next && !memory_lacks() ? next(size) : NULL;
}

MEMORY_PLAIN
void *calloc(size_t n, size_t size)
{
    static _Atomic(memory_function) known;
    void *(*next)(size_t, size_t) =
        (void *(*)(size_t, size_t))memory_next("calloc", &known);
    return next && !memory_lacks() ? next(n, size) : NULL;
}

MEMORY_PLAIN
void *realloc(void *old, size_t size)
{
    static _Atomic(memory_function) known;
    void *(*next)(void *, size_t) =
        (void *(*)(void *, size_t))memory_next("realloc", &known);
    return next && !memory_lacks() ? next(old, size) : NULL;
}

/* From now on the n-th allocation of other threads fails, n above zero. */
static inline void memory_fail_at(long n)
{
    memory_spared = true;
    memory_failed = 0;
    memory_before = n;
}

/* No more; whether one has failed. */
static inline bool memory_had_failed(void)
{
    memory_before = 0;
    return memory_failed > 0;
}

#endif
