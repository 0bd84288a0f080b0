/* Packed matrices, their shapes and places: see packed.h.  What stands there
 * comes from fill_panels.c. */
#define _DEFAULT_SOURCE /* madvise */
#include "packed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if !defined MADV_HUGEPAGE /* not every system lets one ask */
#define MADV_HUGEPAGE MADV_NORMAL
#endif

enum packing {
    LINE = 64,
    LARGE_PAGE = 1 << 21
};

/* Memory in large pages, as far as it fills them: the system clears and finds
 * one of them where it would 512 small ones, which takes longer than to pack
 * what they hold (unless it is a guest, whose host has to give it the page
 * first); and a processor remembers where some thousand pages are.
 * The rest is in small pages, so that no memory is lost.  Not every system has
 * large pages to give. */
unsigned char *packed_reserve(size_t bytes)
{
    size_t page = bytes < LARGE_PAGE ? LINE : LARGE_PAGE;
    size_t whole = bytes / page * page;
    unsigned char *p = aligned_alloc(page, (bytes + page - 1) / page * page);
    if (p && page == LARGE_PAGE)
        madvise(p, whole, MADV_HUGEPAGE);
    return p;
}

void packed_shape(struct packed *p, enum packed_kind kind, size_t rows,
                  size_t cols)
{
    *p = (struct packed){.kind = kind, .rows = rows, .cols = cols};
    size_t of_pair = packed_is_float(p) ? 2 : 2 * GROUP;
    p->pairs = (cols + of_pair - 1) / of_pair;
    p->panel_bytes = p->pairs * pair_bytes(kind);
}

size_t packed_whole(const struct packed *p)
{
    size_t factors = packed_is_float(p) ? 0 : PANEL_ROWS * sizeof *p->factors;
    return packed_panels(p) * (p->panel_bytes + factors);
}

void packed_place(struct packed *p, unsigned char *bytes)
{
    p->bytes = bytes;
    if (!packed_is_float(p))
        p->factors = (float *)(bytes + packed_panels(p) * p->panel_bytes);
}

void packed_clear_end(struct packed *p)
{
    size_t last = packed_panels(p) - 1;
    memset(p->bytes + last * p->panel_bytes, 0, p->panel_bytes);
    if (p->factors)
        memset(p->factors + last * PANEL_ROWS, 0,
               PANEL_ROWS * sizeof *p->factors);
}

int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e)
{
    packed_shape(p, kind, rows, cols);
    unsigned char *bytes = packed_reserve(packed_whole(p) + PACKED_BEHIND);
    if (!bytes) {
        *p = (struct packed){0};
        return fail_memory(e, "a packed matrix");
    }
    packed_place(p, bytes);
    packed_clear_end(p);
    return 0;
}

void packed_free(struct packed *p)
{
    free(p->bytes);
    *p = (struct packed){0};
}
