/* A trie: see trie.h. */
#include "trie.h"

static uint64_t edge(uint32_t node, char byte)
{
    return (uint64_t)node << 8 | (unsigned char)byte;
}

int trie_add(struct trie *t, const char *string, size_t size, uint32_t value)
{
    uint32_t node = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t next = map_find(&t->edges, edge(node, string[i]));
        if (next == MAP_NONE) {
            next = t->n_nodes + 1;
            if (map_put(&t->edges, edge(node, string[i]), next))
                return -1;
            t->n_nodes = next;
        }
        node = next;
    }
    if (map_find(&t->ends, node) != MAP_NONE)
        return 1;
    return map_put(&t->ends, node, value);
}

uint32_t trie_longest(const struct trie *t, const char *text, size_t size,
                      size_t *length)
{
    uint32_t node = 0, best = MAP_NONE;
    for (size_t i = 0; i < size; i++) {
        node = map_find(&t->edges, edge(node, text[i]));
        if (node == MAP_NONE)
            break;
        uint32_t value = map_find(&t->ends, node);
        if (value != MAP_NONE) {
            best = value;
            *length = i + 1;
        }
    }
    return best;
}

void trie_free(struct trie *t)
{
    map_free(&t->edges);
    map_free(&t->ends);
}
