/* Windows: see windows.h. */
#include "windows.h"

#include "sizes.h"

int windows_init(struct windows *w, const struct model *m, size_t size,
                 size_t stride, struct error *e)
{
    w->size = size ? size : smaller_size(WINDOW_USUAL, m->max_positions);
    w->stride = stride ? stride : larger_size(w->size / 2, 1);
    if (w->size < 2)
        return fail(e, ERROR_USAGE,
                    "a window of %zu token has none to score: it takes 2 at "
                    "least",
                    w->size);
    if (w->size > m->max_positions)
        return fail(e, ERROR_USAGE,
                    "a window of %zu tokens is more than this model can hold: "
                    "%zu",
                    w->size, m->max_positions);
    if (w->stride > w->size)
        return fail(e, ERROR_USAGE,
                    "a stride of %zu tokens leaves some out between windows "
                    "of %zu",
                    w->stride, w->size);
    return 0;
}

bool windows_next(const struct windows *w, size_t n, struct window *at)
{
    bool first = at->end == 0;
    if (at->end == n)
        return false;
    size_t begin = first ? 0 : at->begin + w->stride;
    size_t end = smaller_size(begin + w->size, n);
    *at = (struct window){begin, end, larger_size(at->end, begin + 1)};
    return true;
}

struct window_count windows_count(const struct windows *w, size_t n)
{
    struct window_count all = {0, 0, 0};
    for (struct window at = {0}; windows_next(w, n, &at); all.windows++) {
        all.read += at.end - at.begin;
        all.scored += at.end - at.scored;
    }
    return all;
}
