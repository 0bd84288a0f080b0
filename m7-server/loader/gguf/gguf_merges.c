/* Merges from scores: see gguf_merges.h.  Knows only pieces and numbers. */
#include "gguf_merges.h"

#include "buffer.h"
#include "json_write.h"
#include "unicode.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A piece, cut in two. */
struct gguf_cut {
    const char *piece;
    size_t size, left; /* bytes: of all, and of the left half */
    size_t chars_left, chars_right;
    size_t id, id_left, id_right; /* of the piece and of its halves */
    double score;
};

struct gguf_cuts {
    struct gguf_cut *all; /* (n,) */
    size_t n, capacity;
};

/* Higher scores first; see gguf_merges.h. */
static int by_score(const void *a, const void *b)
{
    const struct gguf_cut *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->chars_left != y->chars_left)
        return x->chars_left > y->chars_left ? -1 : 1;
    if (x->chars_right != y->chars_right)
        return x->chars_right > y->chars_right ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->id_left != y->id_left)
        return x->id_left < y->id_left ? -1 : 1;
    return (x->id_right > y->id_right) - (x->id_right < y->id_right);
}

static int add_gguf_cut(struct gguf_cuts *cuts, const struct gguf_cut *cut)
{
    struct gguf_cut *moved =
        grow(cuts->all, &cuts->capacity, cuts->n + 1, sizeof *moved);
    if (!moved)
        return -1;
    cuts->all = moved;
    cuts->all[cuts->n++] = *cut;
    return 0;
}

static size_t count_chars(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

/* Cut the piece before each of its characters but the first. */
static int cut_piece(struct gguf_cuts *cuts, json_t *vocabulary,
                     struct gguf_cut cut)
{
    size_t chars = count_chars(cut.piece, cut.size), length;
    utf8_decode(cut.piece, &length);
    for (cut.chars_left = 1, cut.left = length; cut.left < cut.size;
         cut.chars_left++, cut.left += length) {
        json_t *left = json_object_getn(vocabulary, cut.piece, cut.left);
        json_t *right = json_object_getn(vocabulary, cut.piece + cut.left,
                                         cut.size - cut.left);
        cut.chars_right = chars - cut.chars_left;
        cut.id_left = (size_t)json_integer_value(left);
        cut.id_right = (size_t)json_integer_value(right);
        if (left && right && add_gguf_cut(cuts, &cut))
            return -1;
        utf8_decode(cut.piece + cut.left, &length);
    }
    return 0;
}

static int cut_all(struct gguf_cuts *cuts, json_t *vocabulary,
                   const json_t *scores)
{
    const char *piece;
    json_t *id;
    json_object_foreach(vocabulary, piece, id)
    {
        struct gguf_cut cut = {.piece = piece, .size = strlen(piece)};
        cut.id = (size_t)json_integer_value(id);
        cut.score = json_number_value(json_array_get(scores, cut.id));
        if (cut.size > 0 && cut_piece(cuts, vocabulary, cut))
            return -1;
    }
    return 0;
}

json_t *gguf_merges(json_t *vocabulary, const json_t *scores, struct error *e)
{
    struct gguf_cuts cuts = {0};
    json_t *list = json_array();
    if (cut_all(&cuts, vocabulary, scores)) {
        json_decref(list);
        list = NULL;
    }
    if (cuts.n > 0)
        qsort(cuts.all, cuts.n, sizeof *cuts.all, by_score);
    for (size_t i = 0; list && i < cuts.n; i++) {
        const struct gguf_cut *c = &cuts.all[i];
        json_t *pair = json_array();
        json_add(&pair, json_stringn_nocheck(c->piece, c->left));
        json_add(&pair,
                 json_stringn_nocheck(c->piece + c->left, c->size - c->left));
        json_add(&list, pair);
    }
    free(cuts.all);
    if (!list)
        fail_memory(e, "the merges");
    return list;
}
