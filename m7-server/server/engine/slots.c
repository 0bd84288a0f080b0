/* Slots: see slots.h. */
#include "slots.h"

#include "forward.h"
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

int slots_init(struct slots *s, struct error *e)
{
    s->list = calloc(s->n, sizeof *s->list);
    return s->list ? 0 : fail_memory(e, "the slots");
}

static void forget_slot(struct slot *slot)
{
    if (slot->made)
        cache_free(&slot->cache);
    *slot = (struct slot){0};
}

void slots_free(struct slots *s)
{
    for (size_t i = 0; s->list && i < s->n; i++)
        forget_slot(&s->list[i]);
    free(s->list);
    s->list = NULL;
}

size_t slot_positions(const struct slot *slot)
{
    return larger_size(slot->touched, slot->running ? slot->need : 0);
}

size_t slots_positions(const struct slots *s)
{
    size_t all = 0;
    for (size_t i = 0; i < s->n; i++)
        all += slot_positions(&s->list[i]);
    return all;
}

void slot_touch(struct slot *slot)
{
    slot->touched = larger_size(slot->touched, slot->cache.length);
}

void slots_leave(struct slot *slot)
{
    slot->running = false;
}

/* --- what is there already ----------------------------------------------- */

/* How many tokens of a text the slot has that can serve it. */
static size_t usable(const struct slots *s, const struct slot *slot,
                     const int *ids, size_t n)
{
    const struct cache *c = &slot->cache;
    if (!slot->made || !still_valid(s->model, c, n))
        return 0;
    size_t same = smaller_size(cache_common(c, ids, n), n - 1);
    for (size_t l = 0; l < c->n_layers; l++)
        if (!cache_reaches_back(&c->layers[l], same))
            return 0;
    return same;
}

/* The slot that has most of the text; NULL: none has any. */
static struct slot *find_source(const struct slots *s, const int *ids,
                                size_t n)
{
    struct slot *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t same = usable(s, &s->list[i], ids, n);
        if (same > most) {
            most = same;
            best = &s->list[i];
        }
    }
    return best;
}

/* Who is free and was used longest ago: one that was never made before all
 * others.  NULL: there is none, but for `spared`. */
static struct slot *find_oldest(const struct slots *s, bool made,
                                const struct slot *spared)
{
    struct slot *oldest = NULL;
    for (size_t i = 0; i < s->n; i++) {
        struct slot *slot = &s->list[i];
        if (slot->running || slot == spared || (made && !slot->made))
            continue;
        if (!oldest || slot->used < oldest->used)
            oldest = slot;
    }
    return oldest;
}

/* --- which one it is to be ----------------------------------------------- */

/* Positions of all who run. */
static size_t positions_of_running(const struct slots *s)
{
    size_t all = 0;
    for (size_t i = 0; i < s->n; i++)
        all += s->list[i].running ? slot_positions(&s->list[i]) : 0;
    return all;
}

/* Whether the text goes on in the slot that has its beginning: when it is
 * free, and the text has most of what it holds, or there is no room for a
 * copy. */
static bool goes_on_in_place(const struct slots *s, const struct slot *source,
                             const struct slot *other, const int *ids,
                             size_t n, size_t need)
{
    if (!source || source->running)
        return false;
    size_t same = usable(s, source, ids, n);
    size_t both = positions_of_running(s) + source->touched +
                  (other ? larger_size(need, other->touched) : 0);
    return !other || same >= source->cache.length / 2 || both > s->budget;
}

/* Forget those who are free until all fits. */
static void forget_until_room(struct slots *s, struct slot *target,
                              const struct slot *source)
{
    while (slots_positions(s) > s->budget) {
        struct slot *oldest = find_oldest(s, true, source);
        if (!oldest)
            break;
        forget_slot(oldest);
    }
    if (slots_positions(s) > s->budget) { /* the slot itself was larger */
        struct slot fresh = {
            .running = true, .need = target->need, .used = target->used};
        forget_slot(target);
        *target = fresh;
    }
}

static int make(const struct slots *s, struct slot *slot, struct error *e)
{
    if (slot->made)
        return 0;
    if (cache_init_form(&slot->cache, s->model, s->form, s->capacity,
                        s->chunk, e))
        return -1;
    slot->made = true;
    return 0;
}

/* The first n tokens of another cache, which has them and what they see. */
static void copy_beginning(struct cache *to, const struct cache *from,
                           size_t n)
{
    for (size_t l = 0; l < to->n_layers; l++)
        cache_copy_layer(&to->layers[l], &from->layers[l], n);
    memcpy(to->ids, from->ids, n * sizeof *to->ids);
    to->length = n;
    to->rotated = from->rotated;
}

static void begin_text(struct slots *s, struct slot *slot,
                       const struct slot *source, const int *ids, size_t n)
{
    size_t same = source && source->made ? usable(s, source, ids, n) : 0;
    if (slot == source)
        reuse_prefix(s->model, &slot->cache, ids, n);
    else
        cache_truncate(&slot->cache, 0);
    if (slot != source && same > 0)
        copy_beginning(&slot->cache, &source->cache, same);
    slot_touch(slot);
}

struct slot *slots_take(struct slots *s, const int *ids, size_t n, size_t need,
                        bool reuse, struct error *e)
{
    struct slot *source = reuse ? find_source(s, ids, n) : NULL;
    struct slot *slot = find_oldest(s, false, source);
    if (goes_on_in_place(s, source, slot, ids, n, need))
        slot = source;
    slot->running = true;
    slot->need = need;
    slot->used = ++s->clock;
    forget_until_room(s, slot, source);
    if (make(s, slot, e)) {
        slot->running = false;
        return NULL;
    }
    begin_text(s, slot, source, ids, n);
    return slot;
}
