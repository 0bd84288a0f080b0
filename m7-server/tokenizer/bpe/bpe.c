/* Byte-pair encoding: see bpe.h.  Knows symbols and merges, not text.
 *
 * To look at all pairs for each merge would take n squared steps, and words
 * can be long.  A queue gives the best pair: n log n.  (Of a short word all
 * pairs are looked at: bpe_short.c.) */
#include "bpe.h"

#include "buffer.h"

#include <stdlib.h>

#define NO_LINK UINT32_MAX

/* Grow one of the arrays; NULL when there is no memory. */
static void *room(void *array, size_t *capacity, size_t needed, size_t width,
                  struct error *e)
{
    void *moved = grow(array, capacity, needed, width);
    if (!moved)
        fail_memory(e, "a long word");
    return moved;
}

int bpe_start(struct bpe *b, size_t count, struct error *e)
{
    uint32_t *symbols =
        room(b->symbols, &b->symbols_capacity, count, sizeof *symbols, e);
    if (!symbols)
        return -1;
    b->symbols = symbols;
    b->n_symbols = 0;
    return 0;
}

void bpe_add(struct bpe *b, uint32_t id)
{
    b->symbols[b->n_symbols++] = id;
}

/* Look up the pair that begins at a link, and queue it for merging. */
static void offer(struct bpe *b, uint32_t at)
{
    struct link *link = &b->links[at];
    b->steps++;
    link->rank = link->after == NO_LINK
                     ? NO_RANK
                     : bpe_rank(b->model, link->id, b->links[link->after].id);
    if (link->rank != NO_RANK)
        radix_heap_push(&b->queue, (uint64_t)link->rank << 32 | at);
}

static int start_links(struct bpe *b, struct error *e)
{
    size_t n = b->n_symbols;
    if (n >= NO_LINK)
        return fail(e, ERROR_INPUT, "a word of %zu symbols is too long", n);
    struct link *links =
        room(b->links, &b->links_capacity, n, sizeof *links, e);
    if (!links)
        return -1;
    b->links = links;
    for (uint32_t i = 0; i < n; i++)
        links[i] = (struct link){b->symbols[i], i - 1, i + 1, NO_RANK};
    links[0].before = links[n - 1].after = NO_LINK;

    radix_heap_clear(&b->queue);
    for (uint32_t i = 0; i < n; i++)
        offer(b, i);
    return 0;
}

/* Make one symbol of the link and the one after it. */
static void merge_pair(struct bpe *b, uint32_t at)
{
    struct link *left = &b->links[at], *right = &b->links[left->after];
    left->id = b->model->merged[left->rank];
    left->after = right->after;
    right->rank = NO_RANK;
    if (left->after != NO_LINK)
        b->links[left->after].before = at;
    offer(b, at);
    if (left->before != NO_LINK)
        offer(b, left->before);
}

/* A queued pair whose symbols have merged with others since is passed over:
 * its place has another rank by now. */
int bpe_merge_long(struct bpe *b, struct error *e)
{
    uint64_t pair;
    if (start_links(b, e))
        return -1;
    while (radix_heap_pop(&b->queue, &pair)) {
        uint32_t at = (uint32_t)pair, rank = (uint32_t)(pair >> 32);
        b->steps++;
        if (b->links[at].rank == rank)
            merge_pair(b, at);
    }
    if (b->queue.failed)
        return fail_memory(e, "a long word");

    b->n_symbols = 0;
    for (uint32_t at = 0; at != NO_LINK; at = b->links[at].after)
        bpe_add(b, b->links[at].id);
    return 0;
}

int bpe_merge(struct bpe *b, struct error *e)
{
    if (b->n_symbols > SHORT_WORD)
        return bpe_merge_long(b, e);
    if (b->n_symbols > 1)
        bpe_merge_short(b);
    return 0;
}

void bpe_free(struct bpe *b)
{
    free(b->symbols);
    free(b->links);
    radix_heap_free(&b->queue);
    *b = (struct bpe){0};
}
