/* Dictionaries: see dict.h. */
#include "dict.h"

#include "compare.h"
#include "hash.h"

#include <math.h>
#include <string.h>

int dict_new(struct sandbox *s, struct value *out)
{
    struct value_dict *d = sandbox_alloc(s, 1, sizeof *d);
    if (!d)
        return -1;
    *d = (struct value_dict){0};
    *out = (struct value){.type = VALUE_DICT, .as.dict = d};
    return 0;
}

static uint64_t hash_double(double d)
{
    if (d == 0)
        d = 0; /* of both zeros the positive one */
    return hash_bytes((const char *)&d, sizeof d);
}

static int hash_tuple(struct sandbox *s, const struct value_list *l,
                      uint64_t *out)
{
    *out = l->size;
    if (sandbox_enter(s))
        return -1;
    for (size_t i = 0; i < l->size; i++) {
        uint64_t one;
        if (dict_hash(s, l->items[i], &one))
            return -1;
        *out = *out * 1000003 ^ one;
    }
    sandbox_leave(s);
    return 0;
}

/* Equal values have equal hashes; whole numbers too large for a double share
 * those of their neighbours. */
int dict_hash(struct sandbox *s, struct value v, uint64_t *out)
{
    double number;
    bool set = v.type == VALUE_VIEW && v.as.view->keys;
    if (v.type == VALUE_LIST || v.type == VALUE_DICT ||
        v.type == VALUE_SLICE || set)
        return sandbox_fail(s, "unhashable type: '%s'", value_type_name(v));
    if (v.type == VALUE_TUPLE)
        return hash_tuple(s, v.as.list, out);
    if (value_is_number(v, &number))
        *out = hash_double(number);
    else if (v.type == VALUE_STRING)
        *out = hash_bytes(v.as.text->data, v.as.text->size);
    else if (v.type == VALUE_NONE || v.type == VALUE_UNDEFINED)
        *out = v.type;
    else
        *out = hash_bytes((const char *)&v.as.object, sizeof v.as.object);
    return sandbox_work(s, v.type == VALUE_STRING ? v.as.text->size : 0);
}

static bool same_text(struct value a, const char *data, size_t size)
{
    return a.type == VALUE_STRING && a.as.text->size == size &&
           memcmp(a.as.text->data, data, size) == 0;
}

/* The slot of a key, or the free one where it would be: its place goes to
 * *slot. */
static int find_slot(struct sandbox *s, const struct value_dict *d,
                     struct value key, uint64_t hash, size_t *slot)
{
    size_t i = hash & (d->n_slots - 1);
    for (; d->slots[i]; i = (i + 1) & (d->n_slots - 1)) {
        const struct value_entry *entry = &d->entries[d->slots[i] - 1];
        bool equal = false;
        if (entry->hash == hash && value_equal(s, entry->key, key, &equal))
            return -1;
        if (equal)
            break;
        if (sandbox_work(s, 0))
            return -1;
    }
    *slot = i;
    return 0;
}

static void place_entry(struct value_dict *d, size_t entry)
{
    size_t i = d->entries[entry].hash & (d->n_slots - 1);
    while (d->slots[i])
        i = (i + 1) & (d->n_slots - 1);
    d->slots[i] = (uint32_t)entry + 1;
}

/* At most half of the slots are in use. */
static int make_slots(struct sandbox *s, struct value_dict *d)
{
    if (d->n_slots && (d->size + 1) * 2 <= d->n_slots)
        return 0;
    if (d->size >= UINT32_MAX / 4)
        return sandbox_fail(s, "a dictionary has too many keys");
    size_t larger = d->n_slots ? d->n_slots * 2 : 8;
    uint32_t *slots = sandbox_alloc(s, larger, sizeof *slots);
    if (!slots)
        return -1;
    memset(slots, 0, larger * sizeof *slots);
    d->slots = slots;
    d->n_slots = larger;
    for (size_t i = 0; i < d->size; i++)
        place_entry(d, i);
    return 0;
}

static int add_dict_entry(struct sandbox *s, struct value_dict *d,
                          struct value_entry entry)
{
    struct value_entry *entries = sandbox_grow(
        s, d->entries, &d->capacity, d->size + 1, sizeof *entries);
    if (!entries)
        return -1;
    d->entries = entries;
    d->entries[d->size++] = entry;
    return 0;
}

int dict_set(struct sandbox *s, struct value_dict *d, struct value key,
             struct value value)
{
    uint64_t hash;
    size_t slot;
    if (dict_hash(s, key, &hash) || make_slots(s, d) ||
        find_slot(s, d, key, hash, &slot))
        return -1;
    if (d->slots[slot]) {
        d->entries[d->slots[slot] - 1].value = value;
        return 0;
    }
    if (add_dict_entry(s, d, (struct value_entry){key, value, hash}))
        return -1;
    d->slots[slot] = (uint32_t)d->size;
    return 0;
}

int dict_get(struct sandbox *s, const struct value_dict *d, struct value key,
             struct value *out)
{
    uint64_t hash;
    size_t slot;
    if (dict_hash(s, key, &hash))
        return -1;
    if (!d->n_slots)
        return 0;
    if (find_slot(s, d, key, hash, &slot))
        return -1;
    if (!d->slots[slot])
        return 0;
    *out = d->entries[d->slots[slot] - 1].value;
    return 1;
}

const struct value *dict_find(const struct value_dict *d, const char *key,
                              size_t size)
{
    uint64_t hash = hash_bytes(key, size);
    if (!d->n_slots)
        return NULL;
    size_t i = hash & (d->n_slots - 1);
    for (; d->slots[i]; i = (i + 1) & (d->n_slots - 1)) {
        const struct value_entry *entry = &d->entries[d->slots[i] - 1];
        if (entry->hash == hash && same_text(entry->key, key, size))
            return &entry->value;
    }
    return NULL;
}
