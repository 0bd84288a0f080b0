/* Many words in one pass: see word_search.h. */
#include "word_search.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

int word_search_add(struct word_search *s, const char *word)
{
    struct searched_word *words =
        grow(s->words, &s->room, s->n_words + 1, sizeof *words);
    if (!words)
        return -1;
    s->words = words;
    words[s->n_words] = (struct searched_word){word, strlen(word), 0};
    s->size += words[s->n_words++].size;
    return 0;
}

static uint64_t edge_key(uint32_t node, char byte)
{
    return (uint64_t)node << 8 | (unsigned char)byte;
}

static uint32_t find_edge(struct word_search *s, uint32_t node, char byte)
{
    s->n_steps++;
    return map_find(&s->edges, edge_key(node, byte));
}

/* The longest node that a text ends with, which ended with `node` before this
 * byte.  Each byte leads at most one node deeper, and each failure back, so
 * that n bytes take at most 2n steps. */
static uint32_t follow_byte(struct word_search *s, uint32_t node, char byte)
{
    uint32_t next = find_edge(s, node, byte);
    while (next == MAP_NONE && node > 0) {
        node = s->back[node];
        next = find_edge(s, node, byte);
    }
    return next == MAP_NONE ? 0 : next;
}

/* One more byte of a word.  All shorter beginnings of words are there. */
static int add_byte_of(struct word_search *s, struct searched_word *w,
                       size_t at)
{
    uint32_t next = find_edge(s, w->node, w->text[at]);
    if (next == MAP_NONE) {
        next = (uint32_t)s->n_nodes++;
        s->back[next] =
            w->node > 0 ? follow_byte(s, s->back[w->node], w->text[at]) : 0;
        if (map_put(&s->edges, edge_key(w->node, w->text[at]), next))
            return -1;
    }
    w->node = next;
    return 0;
}

/* The first bytes of all words, then their second ones ...: `left` (n_words,)
 * are those that have more. */
static int make_nodes(struct word_search *s, size_t *left)
{
    size_t n_left = s->n_words;
    for (size_t i = 0; i < n_left; i++)
        left[i] = i;
    for (size_t at = 0; n_left > 0; at++) {
        size_t n = 0;
        for (size_t i = 0; i < n_left; i++) {
            struct searched_word *w = &s->words[left[i]];
            if (w->size == at)
                continue;
            if (add_byte_of(s, w, at))
                return -1;
            left[n++] = left[i];
        }
        n_left = n;
    }
    return 0;
}

static int make_tree(struct word_search *s)
{
    size_t *left = calloc(s->n_words + 1, sizeof *left);
    s->back = calloc(s->size + 1, sizeof *s->back);
    s->seen = calloc(s->size + 1, sizeof *s->seen);
    s->n_nodes = 1;
    int result = -1;
    if (left && s->back && s->seen && s->size < MAP_NONE)
        result = make_nodes(s, left);
    free(left);
    return result;
}

int word_search_run(struct word_search *s, const char *text, size_t size)
{
    if (make_tree(s))
        return -1;
    s->seen[0] = true;
    for (size_t i = 0, node = 0; i < size; i++) {
        node = follow_byte(s, (uint32_t)node, text[i]);
        s->seen[node] = true;
    }
    for (size_t node = s->n_nodes; node-- > 1;)
        if (s->seen[node])
            s->seen[s->back[node]] = true;
    return 0;
}

bool word_search_found(const struct word_search *s, size_t i)
{
    return s->seen[s->words[i].node];
}

void word_search_free(struct word_search *s)
{
    free(s->words);
    free(s->back);
    free(s->seen);
    map_free(&s->edges);
    *s = (struct word_search){0};
}
