/* Added tokens: see added.h.  Knows nothing of merging. */
#include "added.h"

#include "sizes.h"
#include "steps.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding them in a text ---- */

/* Where the character begins that ends before text[at]. */
static size_t before(const char *text, size_t at)
{
    do
        at--;
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

static bool word_before(const char *text, size_t at)
{
    size_t length;
    return at > 0 &&
           unicode_is_word(utf8_decode(text + before(text, at), &length));
}

static bool word_after(const char *text, size_t at, size_t size)
{
    size_t length;
    return at < size && unicode_is_word(utf8_decode(text + at, &length));
}

/* Move `from` back over spaces, but not past `least`. */
static size_t over_spaces_before(const char *text, size_t from, size_t least)
{
    size_t length;
    while (from > least) {
        size_t at = before(text, from);
        if (!unicode_is_space(utf8_decode(text + at, &length)))
            break;
        from = at;
    }
    return from;
}

static size_t over_spaces_after(const char *text, size_t to, size_t size)
{
    size_t length;
    while (to < size && unicode_is_space(utf8_decode(text + to, &length)))
        to += length;
    return to;
}

/* A part of a piece, with its share of the first character, which a normalizer
 * may have made longer than the part. */
static struct piece part_of(struct piece whole, size_t from, size_t to)
{
    struct piece part = {whole.text + from, to - from, 0};
    if (from < whole.first_size)
        part.first_size = whole.first_size - from;
    if (part.first_size > part.size)
        part.first_size = part.size;
    return part;
}

/* One token was found at [from, to).  *done is where the text begins that no
 * part has taken yet. */
static int found(const struct added_token *t, struct piece piece, size_t from,
                 size_t to, size_t *done, added_sink *sink, void *context,
                 struct error *e)
{
    if (t->single_word && (word_before(piece.text, from) ||
                           word_after(piece.text, to, piece.size)))
        return 0;
    if (t->lstrip)
        from = over_spaces_before(piece.text, from, *done);
    if (t->rstrip)
        to = over_spaces_after(piece.text, to, piece.size);
    if (*done < from && sink(context, -1, part_of(piece, *done, from), e))
        return -1;
    *done = to;
    return sink(context, t->id, part_of(piece, from, to), e);
}

/* Whether a range has any of the bytes from .. end - 1; an empty one has none.
 */
static bool overlaps(const struct text_range *r, size_t from, size_t end)
{
    return larger_size(r->from, from) < smaller_size(r->end, end);
}

/* The first of the parts that ends behind `from`: they stand in order. */
static size_t first_ending_behind(const struct plain_parts *parts, size_t from)
{
    size_t low = 0, high = parts->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (parts->ranges[middle].end > from)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool has_plain(const struct plain_parts *parts, size_t from, size_t end)
{
    size_t i = first_ending_behind(parts, from);
    for (; i < parts->n && parts->ranges[i].from < end; i++)
        if (overlaps(&parts->ranges[i], from, end))
            return true;
    return false;
}

/* How many bytes from piece.text[at] on are not plain, up to the first that
 * is. */
static size_t before_plain(struct piece piece, const struct plain_view *plain,
                           size_t at)
{
    const struct plain_parts *parts = plain->parts;
    size_t size = piece.size - at, from = plain->at + at;
    for (size_t i = first_ending_behind(parts, from); i < parts->n; i++) {
        const struct text_range *r = &parts->ranges[i];
        if (r->from >= from + size)
            break;
        if (overlaps(r, from, from + size))
            return larger_size(r->from, from) - from;
    }
    return size;
}

/* The longest token at piece.text[at].  Where it is a mark that reaches into a
 * plain part, the longest that does not. */
static uint32_t longest_at(const struct added *a, const struct trie *trie,
                           struct piece piece, const struct plain_view *plain,
                           size_t at, size_t *length)
{
    const char *text = piece.text + at;
    uint32_t which = trie_longest(trie, text, piece.size - at, length);
    if (which == MAP_NONE || !plain || a->tokens[which].blank ||
        !has_plain(plain->parts, plain->at + at, plain->at + at + *length))
        return which;
    return trie_longest(trie, text, before_plain(piece, plain, at), length);
}

int added_split_plain(const struct added *a, const struct trie *trie,
                      struct piece piece, const struct plain_view *plain,
                      added_sink *sink, void *context, struct error *e)
{
    size_t done = 0, at = 0, length = 0;
    while (trie->n_nodes > 0 && at < piece.size) {
        uint32_t which = longest_at(a, trie, piece, plain, at, &length);
        if (which == MAP_NONE) {
            at++;
            continue;
        }
        if (found(&a->tokens[which], piece, at, at + length, &done, sink,
                  context, e))
            return -1;
        at += length;
    }
    if (done == piece.size)
        return 0;
    return sink(context, -1, part_of(piece, done, piece.size), e);
}

int added_split(const struct added *a, const struct trie *trie,
                struct piece piece, added_sink *sink, void *context,
                struct error *e)
{
    return added_split_plain(a, trie, piece, NULL, sink, context, e);
}

/* ---- reading them from the file ---- */

/* Give the token its id: the model's own when the model has it, whatever the
 * list says of it (so does `tokenizers`), and otherwise the next free one. */
static int place(const struct node *n, const char *text, size_t size,
                 struct vocabulary *v, struct added_token *t, struct error *e)
{
    size_t id;
    struct node stated = node_member(n, "id");
    t->id = vocabulary_find(v, text, size);
    if (node_size(&stated, TOKEN_ID_MAX, &id, e))
        return -1;
    if (t->id >= 0)
        return 0;
    if (id != v->n_used)
        return node_fail(&stated, ERROR_INPUT, e,
                         "expected %zu, the number of tokens before it, "
                         "found %zu",
                         v->n_used, id);
    if (id < v->size && v->tokens[id].used)
        return node_fail(&stated, ERROR_INPUT, e,
                         "id %zu is also that of \"%s\"", id,
                         v->spellings.data + v->tokens[id].at);
    t->id = (int)id;
    return vocabulary_add(v, text, size, (uint32_t)id, false, e);
}

/* How the token is found in the text: as it is spelled, or normalized. */
static int set_text(const struct normalizer *n, const char *text, size_t size,
                    bool normalized, struct added_token *t, struct error *e)
{
    struct bytes buffers[2] = {{0}};
    struct piece spelled = {text, size, 0};
    int result = 0;
    if (normalized)
        result = normalize(n, spelled, buffers, &spelled, e);
    if (result == 0) {
        t->text = malloc(spelled.size + 1);
        t->size = spelled.size;
        if (t->text)
            memcpy(t->text, spelled.text ? spelled.text : "", spelled.size);
        else
            result = fail_memory(e, "an added token");
    }
    bytes_free(&buffers[0]);
    bytes_free(&buffers[1]);
    return result;
}

static int read_flags(const struct node *n, struct added_token *t,
                      bool *normalized, struct error *e)
{
    struct node single_word = node_member(n, "single_word");
    struct node lstrip = node_member(n, "lstrip");
    struct node rstrip = node_member(n, "rstrip");
    struct node is_normalized = node_member(n, "normalized");
    struct node special = node_member(n, "special");
    return node_bool(&single_word, &t->single_word, e) ||
                   node_bool(&lstrip, &t->lstrip, e) ||
                   node_bool(&rstrip, &t->rstrip, e) ||
                   node_bool(&is_normalized, normalized, e) ||
                   node_bool(&special, &t->special, e)
               ? -1
               : 0;
}

/* Put the token into the trie in which it will be looked for. */
static int enter(const struct node *n, struct added *a, struct trie *trie,
                 struct error *e)
{
    const struct added_token *t = &a->tokens[a->n_tokens];
    struct node content = node_member(n, "content");
    int result = trie_add(trie, t->text, t->size, (uint32_t)a->n_tokens);
    if (result > 0)
        return node_fail(&content, ERROR_INPUT, e,
                         "two added tokens look like \"%.*s\"", (int)t->size,
                         t->text);
    if (result < 0 ||
        map_put(&a->by_id, (uint64_t)t->id, (uint32_t)a->n_tokens))
        return fail_memory(e, "the added tokens");
    return 0;
}

static int read_token(const struct node *n, const struct normalizer *by,
                      struct vocabulary *v, struct added *a, struct error *e)
{
    const char *text;
    size_t size;
    bool normalized;
    struct added_token *t = &a->tokens[a->n_tokens];
    struct node content = node_member(n, "content");
    if (options_known(n,
                      "id content single_word lstrip rstrip normalized "
                      "special",
                      e) ||
        node_text(&content, &text, &size, e) ||
        read_flags(n, t, &normalized, e) ||
        set_text(by, text, size, normalized, t, e))
        return -1;
    if (t->size == 0)
        return node_fail(&content, ERROR_INPUT, e,
                         size ? "is empty when normalized" : "is empty");
    t->blank = over_spaces_after(t->text, 0, t->size) == t->size;
    if (place(n, text, size, v, t, e))
        return -1;
    return enter(n, a, normalized ? &a->normalized : &a->raw, e);
}

/* Decoding leaves out whatever text equals a special token's own spelling;
 * the text of a normalized token is its normalized one. */
static void set_hidden(struct added *a, const struct vocabulary *v)
{
    for (size_t i = 0; i < a->n_tokens; i++) {
        struct added_token *t = &a->tokens[i];
        int id = vocabulary_find(v, t->text, t->size);
        const struct added_token *same = added_find(a, id);
        t->hidden = same && same->special;
    }
}

int added_read(const struct node *list, const struct normalizer *n,
               struct vocabulary *v, struct added *a, struct error *e)
{
    size_t length = 0;
    if (!node_has(list))
        return 0;
    if (node_array(list, &length, e))
        return -1;
    a->tokens = calloc(length + 1, sizeof *a->tokens);
    if (!a->tokens)
        return fail_memory(e, "the added tokens");
    for (size_t i = 0; i < length; i++) {
        struct node token = node_element(list, i);
        int result = read_token(&token, n, v, a, e);
        a->n_tokens++;
        if (result)
            return -1;
    }
    set_hidden(a, v);
    return 0;
}

void added_free(struct added *a)
{
    for (size_t i = 0; i < a->n_tokens; i++)
        free(a->tokens[i].text);
    free(a->tokens);
    trie_free(&a->raw);
    trie_free(&a->normalized);
    map_free(&a->by_id);
    *a = (struct added){0};
}

const struct added_token *added_find(const struct added *a, int id)
{
    uint32_t which = id < 0 ? MAP_NONE : map_find(&a->by_id, (uint64_t)id);
    return which == MAP_NONE ? NULL : &a->tokens[which];
}
