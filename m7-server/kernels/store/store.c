/* The block of packed matrices: see store.h. */
#include "store.h"

#include "replace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* The bytes of all matrices. */
static size_t size_of_all(const struct packed *list, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += packed_whole(&list[i]);
    return size + PACKED_BEHIND;
}

static void place_all(unsigned char *bytes, struct packed *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        packed_place(&list[i], bytes);
        bytes += packed_whole(&list[i]);
    }
}

int store_reserve(struct store *s, struct packed *list, size_t n,
                  struct error *e)
{
    *s = (struct store){.size = size_of_all(list, n)};
    s->bytes = packed_reserve(s->size);
    if (!s->bytes)
        return fail_memory(e, "the packed matrices");
    memset(s->bytes + s->size - PACKED_BEHIND, 0, PACKED_BEHIND);
    place_all(s->bytes, list, n);
    return 0;
}

void store_close(struct store *s)
{
    if (s->guard.n_files > 0)
        guard_end(&s->guard);
    if (s->file.data)
        mapping_close(&s->file);
    else
        free(s->bytes);
    *s = (struct store){0};
}

/* --- the file ------------------------------------------------------------ */

enum store_layout {
    STORE_VERSION = 1,
    STORE_HEAD = 64,      /* bytes before the block */
    SUM_BYTES = 1 << 20   /* that are summed up as one */
};

/* The head of the file, of no byte between its numbers. */
struct store_head {
    char magic[8];
    uint32_t version, zero;
    uint64_t key, size, sum;
    uint64_t zeros[3];
};
_Static_assert(sizeof(struct store_head) == STORE_HEAD, "64 bytes");

static const char magic[8] = {'R', 'U', 'N', 'G', 'P', 'A', 'C', 'K'};

/* A block that is being summed up. */
struct sum_job {
    const unsigned char *bytes;
    size_t size;
    uint64_t *sums; /* (n,), of each MiB */
    size_t n;
};

static void sum_share(void *work, size_t index, size_t count)
{
    const struct sum_job *j = work;
    size_t first, end;
    threads_share(j->n, 1, index, count, &first, &end);
    for (size_t i = first; i < end; i++) {
        size_t at = i * SUM_BYTES, left = j->size - at;
        j->sums[i] = XXH3_64bits(j->bytes + at,
                                 left < SUM_BYTES ? left : SUM_BYTES);
    }
}

static int sum_block(const unsigned char *bytes, size_t size,
                     struct threads *t, uint64_t *sum, struct error *e)
{
    struct sum_job j = {bytes, size, NULL, (size + SUM_BYTES - 1) / SUM_BYTES};
    j.sums = malloc(j.n * sizeof *j.sums);
    if (!j.sums)
        return fail_memory(e, "a checksum");
    threads_run(t, sum_share, &j);
    *sum = XXH3_64bits(j.sums, j.n * sizeof *j.sums);
    free(j.sums);
    return 0;
}

static int fail_store(const struct mapping *m, size_t at, const char *what,
                      struct error *e)
{
    return fail(e, ERROR_INPUT, "%s: at byte %zu: %s", m->path, at, what);
}

/* The head says that this is a file of ours, of this version, and of this
 * model. */
static int check_head(const struct mapping *m, const struct store_head *h,
                      const struct store_head *wanted, struct error *e)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return fail_store(m, 0,
                          "this is no packed copy, which would begin with "
                          "RUNGPACK",
                          e);
    if (h->version != STORE_VERSION)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 8: the layout has version %lu; this program "
                    "reads version %d",
                    m->path, (unsigned long)h->version, STORE_VERSION);
    if (h->key != wanted->key)
        return fail_store(m, 16,
                          "it was made from another model, or from this one "
                          "before it was changed",
                          e);
    if (h->size != wanted->size)
        return fail_store(m, 24, "it holds other matrices than the model", e);
    if (h->zero != 0 || h->zeros[0] | h->zeros[1] | h->zeros[2])
        return fail_store(m, h->zero ? 12 : 40,
                          "there are no zeros; the file is damaged", e);
    return 0;
}

static int check_store(const struct mapping *m, uint64_t key, size_t size,
                       struct threads *t, struct error *e)
{
    struct store_head h, wanted = {.key = key, .size = size};
    uint64_t sum;
    memset(&h, 0, sizeof h);
    memcpy(&h, m->data, m->size < sizeof h ? m->size : sizeof h);
    if (check_head(m, &h, &wanted, e))
        return -1;
    if (m->size != STORE_HEAD + size)
        return fail(e, ERROR_INPUT,
                    "%s: has %zu bytes, and would have %zu; it was cut off, "
                    "or added to",
                    m->path, m->size, STORE_HEAD + size);
    if (sum_block(m->data + STORE_HEAD, size, t, &sum, e))
        return -1;
    return sum == h.sum ? 0
                        : fail_store(m, 32,
                                     "the checksum is not that of the "
                                     "matrices; the file is damaged",
                                     e);
}

int store_map(struct store *s, const char *path, uint64_t key,
              struct packed *list, size_t n, struct threads *t,
              struct error *e)
{
    *s = (struct store){.size = size_of_all(list, n)};
    if (mapping_open(&s->file, path, e))
        return -1;
    mapping_favour(&s->file);
    if (check_store(&s->file, key, s->size, t, e)) {
        store_close(s);
        return -1;
    }
    s->bytes = (unsigned char *)(uintptr_t)s->file.data + STORE_HEAD;
    place_all(s->bytes, list, n);
    return 0;
}

static int add_store(struct replacement *r, const struct store_head *h,
                     const struct store *s, mode_t mode, struct error *e)
{
    if (fchmod(fileno(r->file), mode))
        return fail_errno(e, r->path);
    if (replace_add(r, h, sizeof *h, e))
        return -1;
    return replace_add(r, s->bytes, s->size, e);
}

int store_write(const struct store *s, const char *path, uint64_t key,
                mode_t mode, struct threads *t, struct error *e)
{
    struct replacement r;
    struct store_head h = {
        .version = STORE_VERSION, .key = key, .size = s->size};
    memcpy(h.magic, magic, sizeof magic);
    if (sum_block(s->bytes, s->size, t, &h.sum, e) ||
        replace_begin(&r, path, e))
        return -1;
    if (add_store(&r, &h, s, mode, e) == 0)
        return replace_end(&r, e);
    replace_cancel(&r);
    return -1;
}
