/* Which of many words stand in a text.
 *
 * All of them are looked for in one pass, in a time of the text's size and
 * the words' together, not of their product: Aho and Corasick, "Efficient
 * string matching: an aid to bibliographic search", 1975. */
#ifndef WORD_SEARCH_H
#define WORD_SEARCH_H

#include "hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct searched_word {
    const char *text; /* (size,) */
    size_t size;
    uint32_t node; /* where it ends, once all of it has been laid out */
};

/* The words share a tree, in which each of their beginnings is a node; node 0
 * is the beginning of all. */
struct word_search {
    struct searched_word *words; /* (n_words,), owned; the texts are not */
    size_t n_words, room;
    size_t size; /* bytes of all words */

    struct map edges; /* node << 8 | byte: the next node */
    uint32_t *back;   /* (n_nodes,): the longest other node that each ends
                         with */
    bool *seen;       /* (n_nodes,): the text has had it */
    size_t n_nodes;

    uint64_t n_steps; /* edges looked for: what it has cost */
};

/* Start it as {0}.  Add a word, which is not copied; -1 without memory. */
int word_search_add(struct word_search *s, const char *word);

/* After all have been added, once: look through a text (size,).  -1 without
 * memory, of which it takes up to 100 bytes for each byte of the words. */
int word_search_run(struct word_search *s, const char *text, size_t size);

/* Did the text have the i-th word?  It has the empty one always. */
bool word_search_found(const struct word_search *s, size_t i);

void word_search_free(struct word_search *s);

#endif
