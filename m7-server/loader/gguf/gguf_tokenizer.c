/* From tokenizer.ggml.* to tokenizer.json: see gguf_tokenizer.h.
 *
 * Two kinds: "gpt2" has its merges, and a name for what comes before them;
 * "llama" is SentencePiece, whose scores become merges.  The tokens' types say
 * which of them are looked for in a text before all else. */
#include "gguf_tokenizer.h"

#include "gguf_merges.h"
#include "gguf_pre.h"
#include "gguf_steps.h"
#include "json.h"
#include "json_write.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Types of tokens, as the files number them. */
enum gguf_token_type {
    TOKEN_NORMAL = 1,
    TOKEN_UNKNOWN,
    TOKEN_CONTROL,
    TOKEN_USER,
    TOKEN_UNUSED,
    TOKEN_BYTE
};

enum gguf_token_limits {
    GGUF_MOST_TOKENS = 1 << 24,
    MOST_PIECE_BYTES = 4096 /* cutting one takes the square of its length */
};

/* While it is translated. */
struct gguf_speech {
    struct node said; /* the values tokenizer.ggml.*, without that prefix */
    struct node tokens;
    size_t n_tokens;
    bool pieces;                /* SentencePiece */
    const struct gguf_pre *pre; /* NULL: SentencePiece */
    json_t *vocab;              /* {"token": id}; owned */
    json_t *added;              /* owned */
};

/* Types and scores are lists as long as the tokens, or are not there. */
static int check_list(const struct gguf_speech *s, const char *key,
                      struct error *e)
{
    struct node list = node_member(&s->said, key);
    size_t n;
    if (!node_has(&list))
        return 0;
    if (node_array(&list, &n, e))
        return -1;
    if (n != s->n_tokens)
        return node_fail(&list, ERROR_INPUT, e,
                         "has %zu values, but there are %zu tokens", n,
                         s->n_tokens);
    return 0;
}

static int check_scores(const struct gguf_speech *s, struct error *e)
{
    struct node list = node_member(&s->said, "scores");
    for (size_t i = 0; i < s->n_tokens; i++) {
        struct node score = node_element(&list, i);
        double value;
        if (node_number(&score, &value, e))
            return -1;
    }
    return 0;
}

static int type_of(const struct gguf_speech *s, size_t id, long long *type,
                   struct error *e)
{
    struct node list = node_member(&s->said, "token_type");
    struct node n = node_element(&list, id);
    *type = TOKEN_NORMAL;
    if (!node_has(&list))
        return 0;
    if (node_integer(&n, type, e))
        return -1;
    if (*type < TOKEN_NORMAL || *type > TOKEN_BYTE)
        return node_fail(&n, ERROR_UNSUPPORTED, e,
                         "there is no type %lld of tokens", *type);
    return 0;
}

/* Files fill up ids that no token has with these. */
static bool is_filling(const char *text, size_t id, long long type)
{
    char expected[32];
    snprintf(expected, sizeof expected, "[PAD%zu]", id);
    return type == TOKEN_UNUSED && strcmp(text, expected) == 0;
}

/* Note a token, whose value is n. */
static int add_token_of(struct gguf_speech *s, const struct node *n, size_t id,
                        long long type, const char *text, struct error *e)
{
    const json_t *before = json_object_get(s->vocab, text);
    if (before)
        return node_fail(n, ERROR_INPUT, e, "\"%s\" is also token %lld", text,
                         (long long)json_integer_value(before));
    json_put(&s->vocab, text, json_integer((json_int_t)id));
    bool special = type == TOKEN_CONTROL || type == TOKEN_UNKNOWN;
    if (*text && (special || type == TOKEN_USER))
        json_add(&s->added, gguf_added_token(text, id, special));
    return s->vocab && s->added ? 0 : fail_memory(e, "the tokens");
}

/* The pieces that users added have plain spaces where all others have the
 * sign. */
static int add_with_signs(struct gguf_speech *s, const struct node *n,
                          size_t id, const char *text, struct error *e)
{
    struct bytes signs = gguf_with_signs(text);
    int result = signs.failed
                     ? fail_memory(e, "the tokens")
                     : add_token_of(s, n, id, TOKEN_USER, signs.data, e);
    bytes_free(&signs);
    return result;
}

static int take_token_of(struct gguf_speech *s, size_t id, struct error *e)
{
    struct node n = node_element(&s->tokens, id);
    const char *text;
    long long type;
    if (node_string(&n, &text, e) || type_of(s, id, &type, e))
        return -1;
    if (is_filling(text, id, type))
        return 0;
    if (s->pieces && strlen(text) > MOST_PIECE_BYTES)
        return node_fail(&n, ERROR_UNSUPPORTED, e,
                         "a piece of more than %d bytes",
                         (int)MOST_PIECE_BYTES);
    return s->pieces && type == TOKEN_USER
               ? add_with_signs(s, &n, id, text, e)
               : add_token_of(s, &n, id, type, text, e);
}

static int take_tokens(struct gguf_speech *s, size_t rows, struct error *e)
{
    s->tokens = node_member(&s->said, "tokens");
    if (node_array(&s->tokens, &s->n_tokens, e) ||
        check_list(s, "token_type", e) || check_list(s, "scores", e))
        return -1;
    if (s->n_tokens > GGUF_MOST_TOKENS)
        return node_fail(&s->tokens, ERROR_UNSUPPORTED, e,
                         "%zu tokens, more than %d", s->n_tokens,
                         (int)GGUF_MOST_TOKENS);
    if (rows > 0 && rows != s->n_tokens)
        return node_fail(&s->tokens, ERROR_INPUT, e,
                         "%zu tokens, but token_embd.weight has %zu rows",
                         s->n_tokens, rows);
    s->vocab = json_object();
    s->added = json_array();
    for (size_t id = 0; id < s->n_tokens; id++)
        if (take_token_of(s, id, e))
            return -1;
    return 0;
}

/* The text of the token that tokenizer.ggml.KEY names; NULL: it names none. */
static int named_token(const struct gguf_speech *s, const char *key,
                       const char **text, size_t *id, struct error *e)
{
    struct node n = node_member(&s->said, key);
    *text = NULL;
    if (!node_has(&n))
        return 0;
    if (node_size(&n, s->n_tokens ? s->n_tokens - 1 : 0, id, e))
        return -1;
    struct node token = node_element(&s->tokens, *id);
    return node_string(&token, text, e);
}

/* The scores, but that pieces which users added come first: SentencePiece
 * gives them 0, which is the highest; GGUF files do not say it. */
static json_t *settle_scores(const struct gguf_speech *s, const json_t *scores,
                             struct error *e)
{
    json_t *settled = json_array();
    for (size_t id = 0; id < s->n_tokens; id++) {
        long long type;
        if (type_of(s, id, &type, e)) {
            json_decref(settled);
            return NULL;
        }
        json_add(&settled, type == TOKEN_USER
                               ? json_real(0)
                               : json_incref(json_array_get(scores, id)));
    }
    if (!settled)
        fail_memory(e, "the scores");
    return settled;
}

static json_t *make_merges(const struct gguf_speech *s, struct error *e)
{
    struct node merges = node_member(&s->said, "merges");
    struct node scores = node_member(&s->said, "scores");
    size_t n;
    if (node_has(&merges) || !s->pieces)
        return node_array(&merges, &n, e) ? NULL : json_incref(merges.value);
    if (node_array(&scores, &n, e) || check_scores(s, e))
        return NULL;
    json_t *settled = settle_scores(s, scores.value, e);
    json_t *all = settled ? gguf_merges(s->vocab, settled, e) : NULL;
    json_decref(settled);
    return all;
}

static json_t *make_model(const struct gguf_speech *s, struct error *e)
{
    const char *unknown = NULL;
    size_t id = 0;
    json_t *merges = make_merges(s, e);
    if (!merges)
        return NULL;
    if (s->pieces && named_token(s, "unknown_token_id", &unknown, &id, e)) {
        json_decref(merges);
        return NULL;
    }
    bool ignore = s->pre && s->pre->ignore_merges;
    json_t *model = json_pack("{ss sn sb sb sb sO so}", "type", "BPE",
                              "dropout", "fuse_unk", s->pieces,
                              "byte_fallback", s->pieces, "ignore_merges",
                              ignore, "vocab", s->vocab, "merges", merges);
    if (unknown)
        json_put(&model, "unk_token", json_string(unknown));
    return model;
}

/* --- before and behind it ----------------------------------------------- */

static int prefix_added(const struct gguf_speech *s, bool *added,
                        struct error *e)
{
    struct node prefix = node_member(&s->said, "add_space_prefix");
    return node_bool_or(&prefix, true, added, e);
}

/* The token of `key` where the file, or else `usual`, says that it is added;
 * *text NULL where not. */
static int added_where_said(const struct gguf_speech *s, const char *whether,
                            bool usual, const char *key, const char **text,
                            size_t *id, struct error *e)
{
    struct node n = node_member(&s->said, whether);
    bool add;
    *text = NULL;
    if (node_bool_or(&n, usual, &add, e))
        return -1;
    if (!add)
        return 0;
    if (named_token(s, key, text, id, e))
        return -1;
    if (*text)
        return 0;
    return node_fail(&n, ERROR_INPUT, e, "asks for %s, which is missing", key);
}

/* What begins and ends every text. */
static json_t *make_ends(const struct gguf_speech *s, struct error *e)
{
    const char *bos, *eos;
    size_t bos_id = 0, eos_id = 0;
    bool usual = s->pieces || s->pre->adds_bos;
    if (added_where_said(s, "add_bos_token", usual, "bos_token_id", &bos,
                         &bos_id, e) ||
        added_where_said(s, "add_eos_token", false, "eos_token_id", &eos,
                         &eos_id, e))
        return NULL;
    if (!bos && !eos)
        return json_null();
    json_t *places = json_array(), *tokens = json_object();
    gguf_put_place(&places, &tokens, bos, bos_id);
    json_add(&places,
             json_pack("{s{ss si}}", "Sequence", "id", "A", "type_id", 0));
    gguf_put_place(&places, &tokens, eos, eos_id);
    return json_pack("{ss so so}", "type", "TemplateProcessing", "single",
                     places, "special_tokens", tokens);
}

/* --- the whole ---------------------------------------------------------- */

/* Which kind it is. */
static int read_kind_of(struct gguf_speech *s, struct error *e)
{
    struct node model = node_member(&s->said, "model");
    struct node pre = node_member(&s->said, "pre");
    const char *name;
    if (node_name(&model, &name, e))
        return -1;
    s->pieces = strcmp(name, "llama") == 0;
    if (s->pieces)
        return 0;
    if (strcmp(name, "gpt2") != 0)
        return node_fail(&model, ERROR_UNSUPPORTED, e,
                         "this program knows no tokenizer \"%s\"", name);
    if (node_name(&pre, &name, e))
        return -1;
    s->pre = gguf_pre_named(name);
    if (!s->pre)
        return node_fail(&pre, ERROR_UNSUPPORTED, e,
                         "this program does not know how \"%s\" cuts a text "
                         "into words",
                         name);
    return 0;
}

/* What would change the tokens in a way that is not known here. */
static int check_unread(const struct gguf_speech *s, struct error *e)
{
    struct node spaces = node_member(&s->said, "remove_extra_whitespaces");
    struct node map = node_member(&s->said, "precompiled_charsmap");
    bool removes;
    if (node_bool_or(&spaces, false, &removes, e))
        return -1;
    const struct node *unread = removes ? &spaces : &map;
    if (!removes && !node_has(&map))
        return 0;
    return node_fail(unread, ERROR_UNSUPPORTED, e, "is not supported");
}

static json_t *make_tokenizer(struct gguf_speech *s, size_t rows,
                              struct error *e)
{
    bool prefix = false;
    if (read_kind_of(s, e) || check_unread(s, e) || take_tokens(s, rows, e) ||
        (s->pieces && prefix_added(s, &prefix, e)))
        return NULL;
    json_t *model = make_model(s, e);
    json_t *ends = model ? make_ends(s, e) : NULL;
    if (!ends) {
        json_decref(model);
        return NULL;
    }
    json_t *all = json_object();
    json_put(&all, "version", json_string("1.0"));
    json_put(&all, "added_tokens", json_incref(s->added));
    json_put(&all, "normalizer", gguf_normalizer(s->pre, prefix));
    json_put(&all, "pre_tokenizer", gguf_pretokenizer(s->pre));
    json_put(&all, "post_processor", ends);
    json_put(&all, "decoder", gguf_decoder(s->pre, prefix));
    json_put(&all, "model", model);
    if (!all)
        fail_memory(e, "the tokenizer");
    return all;
}

/* The values "tokenizer.ggml.KEY" as "KEY". */
static json_t *speech_values(const struct gguf *g, struct error *e)
{
    static const char prefix[] = "tokenizer.ggml.";
    json_t *all = gguf_values(g, prefix, NULL, e), *out = NULL;
    const char *key;
    json_t *value;
    if (!all)
        return NULL;
    out = json_object();
    json_object_foreach(all, key, value)
    {
        json_put(&out, key + strlen(prefix), json_incref(value));
    }
    json_decref(all);
    if (!out)
        fail_memory(e, g->path);
    return out;
}

/* How many tokens the model has; 0: there is no model, only a tokenizer. */
static size_t embedding_rows(const struct gguf *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct gguf_tensor *t =
            gguf_tensor(&files[i], "token_embd.weight");
        if (t && t->rank == 2)
            return t->shape[0];
    }
    return 0;
}

json_t *gguf_tokenizer(const struct gguf *files, size_t n, struct error *e)
{
    json_t *values = speech_values(&files[0], e);
    if (!values)
        return NULL;
    const struct node root = node_root(files[0].path, NULL);
    struct gguf_speech s = {.said = node_member(&root, "tokenizer.ggml")};
    s.said.value = values;
    json_t *all = make_tokenizer(&s, embedding_rows(files, n), e);
    json_decref(s.vocab);
    json_decref(s.added);
    json_decref(values);
    return all;
}
