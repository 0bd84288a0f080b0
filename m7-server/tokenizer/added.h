/* Added tokens: strings that are tokens as they stand, such as <|im_start|>.
 *
 * They are found in the text before anything else happens to it, the longest
 * first; the words between them are what the other steps see.  Those marked
 * "normalized" are looked for a second time around, in the normalized text,
 * in their own normalized spelling. */
#ifndef ADDED_H
#define ADDED_H

#include "error.h"
#include "json.h"
#include "normalize.h"
#include "piece.h"
#include "tokenizer.h"
#include "trie.h"
#include "vocabulary.h"

#include <stdbool.h>
#include <stddef.h>

struct added_token {
    int id;
    bool single_word; /* only where no word character stands beside it */
    bool lstrip;      /* the spaces before it belong to it */
    bool rstrip;      /* and those after it */
    bool special;     /* decoding may leave it out */
    bool blank;       /* it is white space alone */
    bool hidden;      /* decoding leaves it out when special ones are */
    char *text;       /* how it is found and decoded: owned, (size,) */
    size_t size;
};

struct added {
    struct added_token *tokens; /* (n_tokens,), owned */
    size_t n_tokens;
    struct trie raw;        /* the strings to find in the text itself */
    struct trie normalized; /* and in the normalized text */
    struct map by_id;       /* id: the token's place in `tokens` */
};

/* Read the array "added_tokens" into *a, which starts as {0}, and put into
 * the vocabulary those that the model does not have. */
int added_read(const struct node *list, const struct normalizer *n,
               struct vocabulary *v, struct added *a, struct error *e);
void added_free(struct added *a);

/* The added token of an id, or NULL. */
const struct added_token *added_find(const struct added *a, int id);

/* Where a piece stands in its text, of which some parts are plain: no mark is
 * found that has a byte of them.  A mark is an added token that is not white
 * space alone. */
struct plain_view {
    const struct plain_parts *parts; /* of the text */
    size_t at;                       /* the piece's first byte in it */
};

/* Where the parts go: an added token's id, or -1 and a piece of text. */
typedef int added_sink(void *context, int id, struct piece piece,
                       struct error *e);

/* Give the parts of a piece to the sink, from left to right; `trie` is one of
 * the two of `a`. */
int added_split(const struct added *a, const struct trie *trie,
                struct piece piece, added_sink *sink, void *context,
                struct error *e);

/* The same in a piece of a text that has plain parts; NULL: it has none. */
int added_split_plain(const struct added *a, const struct trie *trie,
                      struct piece piece, const struct plain_view *plain,
                      added_sink *sink, void *context, struct error *e);

/* Whether any of the bytes from .. end - 1 of a text is plain. */
bool has_plain(const struct plain_parts *parts, size_t from, size_t end);

#endif
