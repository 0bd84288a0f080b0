/* Reading a model: the vocabulary's symbols and the list of merges.
 * See bpe_model.h. */
#include "bpe_model.h"

#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- symbols: the tokens that a word starts from ---- */

static uint32_t model_token(const struct bpe_model *m, const char *text,
                            size_t size)
{
    int id = vocabulary_find_model(m->vocabulary, text, size);
    return id < 0 ? NO_TOKEN : (uint32_t)id;
}

/* Every token that is one character. */
static int list_characters(struct bpe_model *m, struct error *e)
{
    const struct vocabulary *v = m->vocabulary;
    for (size_t id = 0; id < v->size; id++) {
        size_t size = 0, length;
        const char *text = vocabulary_text(v, (int)id, &size);
        if (size == 0)
            continue;
        uint32_t code = utf8_decode(text, &length);
        if (length == size && map_put(&m->characters, code, (uint32_t)id))
            return fail_memory(e, "the model");
    }
    return 0;
}

static void list_fallback(struct bpe_model *m)
{
    char name[8];
    for (int i = 0; i < 256; i++) {
        snprintf(name, sizeof name, "<0x%02X>", i);
        m->fallback[i] = model_token(m, name, strlen(name));
    }
}

/* ---- merges ---- */

/* A half of a merge: its text, its size and its token. */
struct half {
    const char *text;
    size_t size;
    uint32_t id;
};

static int find_half(const struct bpe_model *m, const struct node *n,
                     struct half *h, struct error *e)
{
    h->id = model_token(m, h->text, h->size);
    if (h->id == NO_TOKEN || h->size == 0)
        return node_fail(n, ERROR_INPUT, e,
                         "\"%.*s\" is not in the vocabulary", (int)h->size,
                         h->text);
    return 0;
}

/* A merge is "left right" or ["left", "right"]. */
static int read_halves(const struct bpe_model *m, const struct node *n,
                       struct half halves[2], struct error *e)
{
    size_t length = 0;
    if (json_is_string(n->value)) {
        const char *text = json_string_value(n->value);
        const char *space = strchr(text, ' ');
        if (!space || strchr(space + 1, ' '))
            return node_fail(n, ERROR_INPUT, e,
                             "expected two tokens with a space between");
        halves[0].text = text;
        halves[0].size = (size_t)(space - text);
        halves[1].text = space + 1;
        halves[1].size = json_string_length(n->value) - halves[0].size - 1;
    } else {
        if (node_array(n, &length, e))
            return -1;
        for (size_t i = 0; i < 2 && i < length; i++) {
            struct node half = node_element(n, i);
            if (node_text(&half, &halves[i].text, &halves[i].size, e))
                return -1;
        }
        if (length != 2)
            return node_fail(n, ERROR_INPUT, e,
                             "expected two tokens, found %zu", length);
    }
    return find_half(m, n, &halves[0], e) || find_half(m, n, &halves[1], e)
               ? -1
               : 0;
}

static int read_merge(struct bpe_model *m, const struct node *n,
                      struct bytes *joined, struct error *e)
{
    struct half h[2];
    if (read_halves(m, n, h, e))
        return -1;
    joined->size = 0;
    bytes_add(joined, h[0].text, h[0].size);
    bytes_add(joined, h[1].text, h[1].size);
    if (joined->failed)
        return fail_memory(e, "the merges");
    uint32_t merged = model_token(m, joined->data, joined->size);
    if (merged == NO_TOKEN)
        return node_fail(n, ERROR_INPUT, e,
                         "the merged \"%.*s\" is not in the vocabulary",
                         (int)joined->size, joined->data);
    uint64_t pair = (uint64_t)h[0].id << 32 | h[1].id;
    m->merged[m->n_merges] = merged;
    if (map_put(&m->ranks, pair, (uint32_t)m->n_merges))
        return fail_memory(e, "the merges");
    m->n_merges++;
    return 0;
}

/* The old text format begins with a line that names its version. */
static bool is_version(const struct node *n)
{
    const char *text = json_string_value(n->value);
    return text && strncmp(text, "#version", 8) == 0;
}

static int read_merges(struct bpe_model *m, const struct node *list,
                       struct error *e)
{
    size_t length = 0;
    struct bytes joined = {0};
    if (node_array(list, &length, e))
        return -1;
    m->merged = malloc((length + 1) * sizeof *m->merged);
    if (!m->merged || map_reserve(&m->ranks, length))
        return fail_memory(e, "the merges");
    int result = 0;
    for (size_t i = 0; i < length && result == 0; i++) {
        struct node merge = node_element(list, i);
        if (!is_version(&merge))
            result = read_merge(m, &merge, &joined, e);
    }
    bytes_free(&joined);
    return result;
}

/* ---- options ---- */

/* An option that would change the ids in a way that is not known here. */
static int refuse_text(const struct node *model, const char *key,
                       struct error *e)
{
    const char *text;
    struct node option = node_member(model, key);
    if (node_string_or(&option, "", &text, e))
        return -1;
    if (*text)
        return node_fail(&option, ERROR_UNSUPPORTED, e,
                         "\"%s\" is not supported: only null or \"\"", text);
    return 0;
}

static int refuse_dropout(const struct node *model, struct error *e)
{
    double dropout;
    struct node option = node_member(model, "dropout");
    if (node_number_or(&option, 0, &dropout, e))
        return -1;
    if (dropout != 0)
        return node_fail(&option, ERROR_UNSUPPORTED, e,
                         "%g is not supported: it makes ids random", dropout);
    return 0;
}

static int read_unk(const struct node *model, struct bpe_model *m,
                    struct error *e)
{
    const char *text;
    struct node unk = node_member(model, "unk_token");
    m->has_unk = node_has(&unk);
    if (!m->has_unk)
        return 0;
    if (node_string(&unk, &text, e))
        return -1;
    m->unk = model_token(m, text, strlen(text));
    return 0;
}

static int read_switches(const struct node *model, struct bpe_model *m,
                         struct error *e)
{
    struct node byte_fallback = node_member(model, "byte_fallback");
    struct node ignore_merges = node_member(model, "ignore_merges");
    struct node fuse_unk = node_member(model, "fuse_unk");
    return node_bool_or(&byte_fallback, false, &m->byte_fallback, e) ||
                   node_bool_or(&ignore_merges, false, &m->ignore_merges, e) ||
                   node_bool_or(&fuse_unk, false, &m->fuse_unk, e)
               ? -1
               : 0;
}

int bpe_read(const struct node *model, const struct vocabulary *v,
             struct bpe_model *m, struct error *e)
{
    struct node merges = node_member(model, "merges");
    m->vocabulary = v;
    if (refuse_dropout(model, e) || read_switches(model, m, e) ||
        refuse_text(model, "continuing_subword_prefix", e) ||
        refuse_text(model, "end_of_word_suffix", e) || read_unk(model, m, e) ||
        list_characters(m, e))
        return -1;
    list_fallback(m);
    return read_merges(m, &merges, e);
}

void bpe_model_free(struct bpe_model *m)
{
    map_free(&m->ranks);
    map_free(&m->characters);
    free(m->merged);
    *m = (struct bpe_model){0};
}
