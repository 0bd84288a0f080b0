/* Dictionaries: keys keep the order in which they came, and equal numbers are
 * one key (1, 1.0 and true), as in Python. */
#ifndef DICT_H
#define DICT_H

#include "value.h"

struct value_entry {
    struct value key, value;
    uint64_t hash;
};

struct value_dict {
    struct value_entry *entries; /* (size,) */
    size_t size, capacity;
    uint32_t *slots; /* (n_slots,), a power of two: an entry's number and 1;
                        0: free */
    size_t n_slots;
};

int dict_new(struct sandbox *s, struct value *out);

/* The hash of a key.  Lists, dicts and what else may change or is compared by
 * its parts are no keys: an error, as in Python. */
int dict_hash(struct sandbox *s, struct value key, uint64_t *out);

/* Set a key, new or old. */
int dict_set(struct sandbox *s, struct value_dict *d, struct value key,
             struct value value);

/* The value of a key: 1; 0 when there is none; -1 after an error. */
int dict_get(struct sandbox *s, const struct value_dict *d, struct value key,
             struct value *out);

/* The same of a key that is text: NULL when there is none. */
const struct value *dict_find(const struct value_dict *d, const char *key,
                              size_t size);

#endif
