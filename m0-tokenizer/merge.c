/* Merging: see merge.h.  Two ways to find the best pair again and again: a
 * short word looks at all its pairs; a long one keeps them in a queue, so that
 * ten million letters without a space take n log n steps, not n squared. */
#include "merge.h"

#include "bytelevel.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINK UINT32_MAX

/* A word of up to this many symbols is short: measured, not guessed. */
static const size_t short_word = 48;

int merger_new(struct merger *m, const struct bpe *b, size_t size,
               struct ids *out, struct error *e)
{
    *m = (struct merger){.bpe = b, .out = out};
    return words_new(&m->words, size) ? fail_memory(e, "the words") : 0;
}

void merger_free(struct merger *m)
{
    words_free(&m->words);
    free(m->symbols);
    free(m->ranks);
    free(m->links);
    queue_free(&m->queue);
    *m = (struct merger){0};
}

/* ---- a word's symbols ---- */

static void add_symbol(struct merger *m, uint32_t id)
{
    m->symbols[m->n_symbols++] = id;
}

/* A character without a token of its own becomes the tokens of its bytes. */
static bool add_fallback(struct merger *m, const char *text, size_t size)
{
    const uint32_t *tokens = m->bpe->fallback;
    for (size_t i = 0; i < size; i++)
        if (tokens[(unsigned char)text[i]] == NO_TOKEN)
            return false;
    for (size_t i = 0; i < size; i++)
        add_symbol(m, tokens[(unsigned char)text[i]]);
    return true;
}

/* Or else the unknown token.  It waits in *waiting until a known character
 * follows, so that its neighbours can join it. */
static int add_unknown(struct merger *m, const char *text, size_t size,
                       bool *waiting, struct error *e)
{
    const struct bpe *b = m->bpe;
    if ((b->byte_fallback && add_fallback(m, text, size)) || !b->has_unk)
        return 0;
    if (b->unk == NO_TOKEN)
        return fail(e, ERROR_INPUT,
                    "\"%.*s\" is not in the vocabulary, and neither is "
                    "model.unk_token",
                    (int)size, text);
    if (*waiting && !b->fuse_unk)
        add_symbol(m, b->unk);
    *waiting = true;
    return 0;
}

/* The same for a byte that its alphabet's character has no token for. */
static int add_unknown_byte(struct merger *m, char byte, bool *waiting,
                            struct error *e)
{
    struct bytes spelled = {0};
    bytelevel_spell(&byte, 1, &spelled);
    int result = spelled.failed
                     ? fail_memory(e, "a word")
                     : add_unknown(m, spelled.data, spelled.size, waiting, e);
    bytes_free(&spelled);
    return result;
}

static void add_known(struct merger *m, uint32_t id, bool *waiting)
{
    if (*waiting)
        add_symbol(m, m->bpe->unk);
    *waiting = false;
    add_symbol(m, id);
}

static int add_bytes(struct merger *m, const char *word, size_t size,
                     bool *waiting, struct error *e)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t id = m->bpe->bytes[(unsigned char)word[i]];
        if (id != NO_TOKEN)
            add_known(m, id, waiting);
        else if (add_unknown_byte(m, word[i], waiting, e))
            return -1;
    }
    return 0;
}

static int add_characters(struct merger *m, const char *word, size_t size,
                          bool *waiting, struct error *e)
{
    size_t length;
    for (size_t i = 0; i < size; i += length) {
        uint32_t id = bpe_character(m->bpe, utf8_decode(word + i, &length));
        if (id != NO_TOKEN)
            add_known(m, id, waiting);
        else if (add_unknown(m, word + i, length, waiting, e))
            return -1;
    }
    return 0;
}

/* Grow one of the merger's arrays; NULL when there is no memory. */
static void *room(void *array, size_t *capacity, size_t needed, size_t width,
                  struct error *e)
{
    void *moved = grow(array, capacity, needed, width);
    if (!moved)
        fail_memory(e, "a long word");
    return moved;
}

/* Write the word's symbols to m->symbols.  Each byte makes two at most: one
 * that is spelled with a character of two bytes falls back to both. */
static int start_symbols(struct merger *m, const char *word, size_t size,
                         struct error *e)
{
    bool waiting = false;
    uint32_t *symbols = room(m->symbols, &m->symbols_capacity, 2 * size + 1,
                             sizeof *symbols, e);
    if (!symbols)
        return -1;
    m->symbols = symbols;
    m->n_symbols = 0;
    if (m->bpe->of_bytes ? add_bytes(m, word, size, &waiting, e)
                         : add_characters(m, word, size, &waiting, e))
        return -1;
    if (waiting)
        add_symbol(m, m->bpe->unk);
    return 0;
}

/* ---- short words: look at every pair ---- */

static uint32_t rank_at(struct merger *m, size_t i)
{
    m->steps++;
    return i + 1 < m->n_symbols
               ? bpe_rank(m->bpe, m->symbols[i], m->symbols[i + 1])
               : NO_RANK;
}

/* The place of the pair to merge next, the leftmost of the lowest rank. */
static size_t best_pair(struct merger *m)
{
    size_t best = 0;
    m->steps += m->n_symbols;
    for (size_t i = 1; i < m->n_symbols; i++)
        if (m->ranks[i] < m->ranks[best])
            best = i;
    return best;
}

/* Make one symbol of symbols[i] and symbols[i + 1]. */
static void join_short(struct merger *m, size_t i)
{
    size_t rest = m->n_symbols - i - 2;
    m->symbols[i] = m->bpe->merged[m->ranks[i]];
    memmove(&m->symbols[i + 1], &m->symbols[i + 2], rest * sizeof *m->symbols);
    memmove(&m->ranks[i + 1], &m->ranks[i + 2], rest * sizeof *m->ranks);
    m->n_symbols--;
    m->ranks[i] = rank_at(m, i);
    if (i > 0)
        m->ranks[i - 1] = rank_at(m, i - 1);
}

static int merge_short(struct merger *m, struct error *e)
{
    uint32_t *ranks =
        room(m->ranks, &m->ranks_capacity, m->n_symbols, sizeof *ranks, e);
    if (!ranks)
        return -1;
    m->ranks = ranks;
    for (size_t i = 0; i < m->n_symbols; i++)
        ranks[i] = rank_at(m, i);
    size_t best = best_pair(m);
    while (ranks[best] != NO_RANK) {
        join_short(m, best);
        best = best_pair(m);
    }
    for (size_t i = 0; i < m->n_symbols; i++)
        ids_add(m->out, (int)m->symbols[i]);
    return 0;
}

/* ---- long words: a queue of pairs ---- */

/* Look up the pair that begins at a link, and offer it for merging. */
static void offer(struct merger *m, uint32_t at)
{
    struct link *link = &m->links[at];
    m->steps++;
    link->rank = link->after == NO_LINK
                     ? NO_RANK
                     : bpe_rank(m->bpe, link->id, m->links[link->after].id);
    if (link->rank != NO_RANK)
        queue_push(&m->queue, (uint64_t)link->rank << 32 | at);
}

static int start_links(struct merger *m, struct error *e)
{
    size_t n = m->n_symbols;
    if (n >= NO_LINK)
        return fail(e, ERROR_INPUT, "a word of %zu symbols is too long", n);
    struct link *links =
        room(m->links, &m->links_capacity, n, sizeof *links, e);
    if (!links)
        return -1;
    m->links = links;
    for (uint32_t i = 0; i < n; i++)
        links[i] = (struct link){m->symbols[i], i - 1, i + 1, NO_RANK};
    links[n - 1].after = NO_LINK;
    queue_clear(&m->queue);
    for (uint32_t i = 0; i < n; i++)
        offer(m, i);
    return 0;
}

/* Make one symbol of the link and the one after it. */
static void join_links(struct merger *m, uint32_t at)
{
    struct link *left = &m->links[at], *right = &m->links[left->after];
    left->id = m->bpe->merged[left->rank];
    left->after = right->after;
    right->rank = NO_RANK;
    if (left->after != NO_LINK)
        m->links[left->after].before = at;
    offer(m, at);
    if (left->before != NO_LINK)
        offer(m, left->before);
}

/* An entry whose pair has changed since it was offered is passed over. */
static int merge_long(struct merger *m, struct error *e)
{
    if (start_links(m, e))
        return -1;
    uint64_t entry;
    while (queue_pop(&m->queue, &entry)) {
        uint32_t at = (uint32_t)entry;
        m->steps++;
        if (m->links[at].rank == entry >> 32)
            join_links(m, at);
    }
    if (m->queue.failed)
        return fail_memory(e, "a long word");
    for (uint32_t i = 0; i != NO_LINK; i = m->links[i].after)
        ids_add(m->out, (int)m->links[i].id);
    return 0;
}

/* ---- words ---- */

/* The one token that the whole word is, where the file says that this goes
 * before merging; or -1. */
static int whole_token(const struct merger *m, const char *word, size_t size,
                       struct error *e)
{
    struct bytes spelled = {0};
    if (!m->bpe->of_bytes)
        return vocabulary_find_model(m->bpe->vocabulary, word, size);
    (void)e;
    bytelevel_spell(word, size, &spelled);
    int id = spelled.failed
                 ? -1
                 : vocabulary_find_model(m->bpe->vocabulary, spelled.data,
                                         spelled.size);
    bytes_free(&spelled);
    return id;
}

static int merge_anew(struct merger *m, const char *word, size_t size,
                      struct error *e)
{
    int whole = m->bpe->ignore_merges ? whole_token(m, word, size, e) : -1;
    if (whole >= 0) {
        ids_add(m->out, whole);
        return 0;
    }
    if (start_symbols(m, word, size, e))
        return -1;
    if (m->n_symbols == 0)
        return 0;
    return m->n_symbols <= short_word ? merge_short(m, e) : merge_long(m, e);
}

/* The same through the cache. */
static int merge_part(struct merger *m, const char *word, size_t size,
                      struct error *e)
{
    size_t before = m->out->size;
    if (size > WORD_SIZE_MAX)
        return merge_anew(m, word, size, e);
    struct word *slot = words_slot(&m->words, word, size);
    if (word_is(slot, word, size)) {
        for (int i = 0; i < slot->n_tokens; i++)
            ids_add(m->out, slot->tokens[i]);
        return 0;
    }
    if (merge_anew(m, word, size, e))
        return -1;
    if (!m->out->failed)
        word_keep(slot, word, size, m->out->data + before,
                  m->out->size - before);
    return 0;
}

/* Whether merging can never reach across the two characters.  What happens to
 * a character without a token depends on its neighbours, so not there. */
static bool may_cut(const struct bpe *b, uint32_t left, uint32_t right)
{
    return !bpe_joined(b, left, right) && bpe_character(b, left) != NO_TOKEN &&
           bpe_character(b, right) != NO_TOKEN;
}

/* A model of the SentencePiece kind sees a whole text as one word.  Cut where
 * that changes nothing, mostly before each ▁, it is many short ones, which
 * the cache knows. */
static int merge_cut(struct merger *m, const char *word, size_t size,
                     struct error *e)
{
    size_t start = 0, length;
    uint32_t left = utf8_decode(word, &length);
    for (size_t i = length; i < size; i += length) {
        uint32_t right = utf8_decode(word + i, &length);
        if (may_cut(m->bpe, left, right)) {
            if (merge_part(m, word + start, i - start, e))
                return -1;
            start = i;
        }
        left = right;
    }
    return merge_part(m, word + start, size - start, e);
}

int merge_word(struct merger *m, const char *word, size_t size,
               struct error *e)
{
    bool whole = m->bpe->of_bytes || m->bpe->ignore_merges;
    if (size <= WORD_SIZE_MAX || whole)
        return merge_part(m, word, size, e);
    return merge_cut(m, word, size, e);
}
