/* A trie: finds the longest of many strings that begins at a place in a
 * text, in time that depends on its length and not on how many there are. */
#ifndef TRIE_H
#define TRIE_H

#include "hash.h"

#include <stddef.h>
#include <stdint.h>

/* Start it as {0}. */
struct trie {
    struct map edges; /* node << 8 | byte: the next node */
    struct map ends;  /* node: the value of the string that ends there */
    uint32_t n_nodes; /* besides the root, node 0 */
};

/* Add a string that is not empty, and its value; 0, or 1 when the string is
 * already there, or -1 when there is no memory. */
int trie_add(struct trie *t, const char *string, size_t size, uint32_t value);
void trie_free(struct trie *t);

/* The value of the longest string that text (size,) begins with, and that
 * string's length; MAP_NONE when there is none. */
uint32_t trie_longest(const struct trie *t, const char *text, size_t size,
                      size_t *length);

#endif
