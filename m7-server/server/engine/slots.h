/* Slots: the caches of those who run, and of those who ran.
 *
 * A slot that somebody has left keeps its text.  Who comes with the same
 * beginning finds it there and need not read it again, in the same slot when
 * he goes on with that text, else as a copy; the bits are the same.
 *
 * Slots are made when they are first needed.  Memory is only taken by what was
 * written: `touched` counts it, and all slots together never have more than
 * the budget.  Where room is needed, who was used longest ago is forgotten. */
#ifndef SLOTS_H
#define SLOTS_H

#include "kvcache.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot {
    struct cache cache; /* of what was read, once it is made */
    bool made, running;
    size_t touched; /* positions that were ever written since it was made */
    size_t need;    /* that who runs may come to write */
    uint64_t used;  /* when somebody last came */
};

struct slots {
    const struct model *model; /* not owned */
    const struct cache_form *form;
    size_t capacity; /* positions of a slot */
    size_t chunk;    /* tokens that are written at once, at most */
    size_t budget;   /* positions of all */
    struct slot *list; /* (n,); owned */
    size_t n;
    uint64_t clock; /* grows by one with each that comes */
};

/* Start with all fields but list and clock filled in.  After an error *s holds
 * no list. */
int slots_init(struct slots *s, struct error *e);
void slots_free(struct slots *s);

/* A slot for the text ids (n,), n > 0, that is going to have `need` positions;
 * of slots that are free there must be one, and of positions, beside those of
 * all who run, `need`.  With `reuse` it may already hold a beginning of the
 * text: slot->cache.length tokens, fewer than n.  NULL: *e is filled in. */
struct slot *slots_take(struct slots *s, const int *ids, size_t n, size_t need,
                        bool reuse, struct error *e);

/* Its text stays for whoever comes next. */
void slots_leave(struct slot *slot);

/* Positions that a slot takes up of the budget; and all of them. */
size_t slot_positions(const struct slot *slot);
size_t slots_positions(const struct slots *s);

/* The slot's cache has grown. */
void slot_touch(struct slot *slot);

#endif
