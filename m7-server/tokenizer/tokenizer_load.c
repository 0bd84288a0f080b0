/* Loading a tokenizer: its parts, in the order in which they need each
 * other.  See tokenizer.h. */
#include "tokenizer_parts.h"

#include "folder.h"
#include "gguf_files.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

/* An option that this program knows only as null. */
static int refuse(const struct node *root, const char *key, struct error *e)
{
    struct node option = node_member(root, key);
    if (!node_has(&option))
        return 0;
    return node_fail(&option, ERROR_UNSUPPORTED, e,
                     "is not supported: only null");
}

static int check_version(const struct node *root, struct error *e)
{
    const char *text;
    struct node version = node_member(root, "version");
    if (node_string_or(&version, "1.0", &text, e))
        return -1;
    if (strcmp(text, "1.0") != 0)
        return node_fail(&version, ERROR_UNSUPPORTED, e,
                         "expected \"1.0\", found \"%s\"", text);
    return 0;
}

static int check_root(const struct node *root, struct error *e)
{
    return options_known(root,
                         "version truncation padding added_tokens normalizer "
                         "pre_tokenizer post_processor decoder model",
                         e) ||
                   check_version(root, e) || refuse(root, "truncation", e) ||
                   refuse(root, "padding", e)
               ? -1
               : 0;
}

/* Files from before 2020 do not say what kind of model they hold; merges are
 * BPE's alone. */
static int check_model(const struct node *model, struct error *e)
{
    const char *name;
    struct node type = node_member(model, "type");
    struct node merges = node_member(model, "merges");
    if (node_object(model, e))
        return -1;
    if (!type.value && node_has(&merges))
        return 0;
    if (node_string(&type, &name, e))
        return -1;
    if (strcmp(name, "BPE") != 0)
        return node_fail(&type, ERROR_UNSUPPORTED, e,
                         "the model %s is not supported (BPE is)", name);
    return options_known(model,
                         "type dropout unk_token continuing_subword_prefix "
                         "end_of_word_suffix fuse_unk byte_fallback "
                         "ignore_merges vocab merges",
                         e);
}

/* The vocabulary and the merges. */
static int read_model(const struct node *root, struct tokenizer *t,
                      struct error *e)
{
    struct node model = node_member(root, "model");
    struct node vocab = node_member(&model, "vocab");
    return check_model(&model, e) ||
                   vocabulary_read(&vocab, &t->vocabulary, e) ||
                   bpe_read(&model, &t->vocabulary, &t->bpe, e)
               ? -1
               : 0;
}

/* What makes it faster.  A file that spells words has its own rules to cut a
 * text, nearly always into short ones: no cuts are looked for.  And where a
 * whole word may be a token, it must not be cut. */
static int prepare_words(struct tokenizer *t, struct error *e)
{
    pretokenizer_leave_spelling(&t->pretokenizer);
    if (t->pretokenizer.leaves_spelling || t->bpe.ignore_merges)
        return 0;
    return word_cuts_find(&t->cuts, &t->bpe, e);
}

static int read_parts(const struct node *root, struct tokenizer *t,
                      struct error *e)
{
    struct node normalizer = node_member(root, "normalizer");
    struct node pretokenizer = node_member(root, "pre_tokenizer");
    struct node postprocessor = node_member(root, "post_processor");
    struct node decoder = node_member(root, "decoder");
    struct node added = node_member(root, "added_tokens");
    return check_root(root, e) ||
                   normalizer_read(&normalizer, &t->normalizer, e) ||
                   pretokenizer_read(&pretokenizer, &t->pretokenizer, e) ||
                   postprocessor_read(&postprocessor, &t->postprocessor, e) ||
                   decoder_read(&decoder, &t->decoder, e) ||
                   read_model(root, t, e) || prepare_words(t, e) ||
                   added_read(&added, &t->normalizer, &t->vocabulary,
                              &t->added, e)
               ? -1
               : 0;
}

struct tokenizer *tokenizer_read(const struct node *root, struct error *e)
{
    struct tokenizer *t = calloc(1, sizeof *t);
    int result = t ? read_parts(root, t, e) : fail_memory(e, root->file);
    if (result == 0)
        return t;
    tokenizer_free(t);
    return NULL;
}

static struct tokenizer *load_file(const char *path, struct error *e)
{
    json_t *json = json_read_file(path, e);
    if (!json)
        return NULL;
    struct node root = node_root(path, json);
    struct tokenizer *t = tokenizer_read(&root, e);
    json_decref(json);
    if (t)
        t->path = strdup(path);
    return t;
}

/* A GGUF file says the same in other words. */
static struct tokenizer *load_gguf_tokenizer(const char *model,
                                             struct error *e)
{
    char *path;
    json_t *json = gguf_open_tokenizer(model, &path, e);
    if (!json)
        return NULL;
    struct node root = node_root(path, json);
    struct tokenizer *t = tokenizer_read(&root, e);
    json_decref(json);
    free(path);
    return t;
}

struct tokenizer *tokenizer_load(const char *path, struct error *e)
{
    if (gguf_is_model(path))
        return load_gguf_tokenizer(path, e);
    if (!path_is_folder(path) && !path_ends(path, ".safetensors"))
        return load_file(path, e);
    char *file = folder_file(path, "tokenizer.json", e);
    struct tokenizer *t = file ? load_file(file, e) : NULL;
    free(file);
    return t;
}

static bool read_copy(const char *path, struct bytes *out)
{
    struct error e;
    FILE *f = fopen(path, "rb");
    bool whole = f && bytes_read(out, f, path, &e) == 0;
    if (f)
        fclose(f);
    return whole;
}

bool tokenizer_is_of(const struct tokenizer *t, const char *path)
{
    struct bytes its = {0}, other = {0};
    struct error e;
    char *file = t->path && !gguf_is_model(path)
                     ? folder_file(path, "tokenizer.json", &e)
                     : NULL;
    bool same = file && read_copy(t->path, &its) &&
                read_copy(file, &other) && its.size == other.size &&
                memcmp(its.data, other.data, its.size) == 0;
    bytes_free(&its);
    bytes_free(&other);
    free(file);
    return same;
}

void tokenizer_free(struct tokenizer *t)
{
    if (!t)
        return;
    normalizer_free(&t->normalizer);
    pretokenizer_free(&t->pretokenizer);
    postprocessor_free(&t->postprocessor);
    decoder_free(&t->decoder);
    word_cuts_free(&t->cuts);
    bpe_model_free(&t->bpe);
    added_free(&t->added);
    vocabulary_free(&t->vocabulary);
    free(t->path);
    free(t);
}
