/* The files of a GGUF model: see gguf_files.h.  What is in one of them, gguf.c
 * knows. */
#include "gguf_files.h"

#include "folder.h"
#include "gguf_config.h"
#include "gguf_family.h"
#include "gguf_tokenizer.h"
#include "guard.h"
#include "json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- their names -------------------------------------------------------- */

enum split_name {
    SPLIT_MOST = 99999
};

/* What a split file's name ends with: 5 digits each. */
static const char split_pattern[] = "-00001-of-00001.gguf";

/* Whether the name is that of a part; which one, and of how many. */
static bool is_split(const char *path, int *part, int *parts)
{
    size_t size = strlen(path), tail = strlen(split_pattern);
    if (size <= tail)
        return false;
    const char *end = path + size - tail;
    for (size_t i = 0; i < tail; i++) {
        bool digit = split_pattern[i] >= '0' && split_pattern[i] <= '9';
        if (digit ? end[i] < '0' || end[i] > '9' : end[i] != split_pattern[i])
            return false;
    }
    *part = atoi(end + 1);
    *parts = atoi(end + 10);
    return *part >= 1 && *part <= *parts;
}

/* The path of another part of the same model; the caller frees it. */
static char *split_path(const char *path, int part, struct error *e)
{
    char *other = strdup(path);
    if (!other) {
        fail_memory(e, path);
        return NULL;
    }
    char *digits = other + strlen(other) - strlen(split_pattern) + 1;
    char number[16];
    snprintf(number, sizeof number, "%05d", part % (SPLIT_MOST + 1));
    memcpy(digits, number, 5);
    return other;
}

/* Whether the name is one to begin with: no part but the first. */
static bool begins_gguf(const char *name)
{
    int part = 1, parts;
    return path_ends(name, ".gguf") &&
           (!is_split(name, &part, &parts) || part == 1);
}

/* What a folder holds. */
struct gguf_folder {
    char *first, *second; /* names of models; owned; NULL: none */
    bool safetensors;
};

static int list_folder(const char *folder, struct gguf_folder *f)
{
    *f = (struct gguf_folder){0};
    DIR *directory = opendir(folder);
    if (!directory)
        return -1;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        const char *name = entry->d_name;
        f->safetensors |= path_ends(name, ".safetensors");
        if (begins_gguf(name) && !f->first)
            f->first = strdup(name);
        else if (begins_gguf(name) && !f->second)
            f->second = strdup(name);
    }
    closedir(directory);
    return 0;
}

static void forget_folder(struct gguf_folder *f)
{
    free(f->first);
    free(f->second);
}

bool gguf_is_model(const char *model)
{
    if (!path_is_folder(model))
        return path_ends(model, ".gguf");
    struct gguf_folder f;
    bool found = list_folder(model, &f) == 0 && f.first && !f.safetensors;
    forget_folder(&f);
    return found;
}

/* The path of the first file, or of the only one; the caller frees it. */
static char *first_path(const char *model, struct error *e)
{
    int part, parts;
    if (!path_is_folder(model)) {
        if (is_split(model, &part, &parts))
            return split_path(model, 1, e);
        char *copy = strdup(model);
        if (!copy)
            fail_memory(e, model);
        return copy;
    }
    struct gguf_folder f;
    char *path = NULL;
    if (list_folder(model, &f))
        fail_errno(e, model);
    else if (f.second)
        fail(e, ERROR_INPUT, "%s: holds %s and %s: name the one you mean",
             model, strcmp(f.first, f.second) < 0 ? f.first : f.second,
             strcmp(f.first, f.second) < 0 ? f.second : f.first);
    else if (f.first)
        path = folder_file(model, f.first, e);
    else
        fail(e, ERROR_INPUT, "%s: no .gguf file in this folder", model);
    forget_folder(&f);
    return path;
}

/* --- opening ------------------------------------------------------------ */

static int open_gguf(struct gguf_files *f, const char *path, struct error *e)
{
    struct mapping *map = &f->maps[f->n];
    struct guard guard;
    if (mapping_open(map, path, e))
        return -1;
    guard_begin(&guard, map, 1);
    int result =
        gguf_read(&f->tables[f->n], map->path, map->data, map->size, e);
    guard_end(&guard);
    if (result)
        mapping_close(map);
    else
        f->n++;
    return result;
}

static int open_parts_of(struct gguf_files *f, const char *path,
                         struct error *e)
{
    int part = 1, parts = 1;
    bool split = is_split(path, &part, &parts);
    f->maps = calloc((size_t)parts, sizeof *f->maps);
    f->tables = calloc((size_t)parts, sizeof *f->tables);
    if (!f->maps || !f->tables)
        return fail_memory(e, path);
    for (part = 1; part <= parts; part++) {
        char *other = split ? split_path(path, part, e) : strdup(path);
        if (!other)
            return fail_memory(e, path);
        int result = open_gguf(f, other, e);
        free(other);
        if (result)
            return -1;
    }
    return 0;
}

/* A number that a part says of the whole; 0 where it says nothing. */
static int split_number(const struct gguf *g, const char *key, size_t *value,
                        struct error *e)
{
    json_t *values = gguf_values(g, key, NULL, e);
    if (!values)
        return -1;
    struct node root = node_root(g->path, values);
    struct node n = node_member(&root, key);
    int result = node_size_or(&n, SIZE_MAX, 0, value, e);
    json_decref(values);
    return result;
}

/* Fail unless the file is the part that its name says; a model of one file is
 * part 0 of 0 or of 1. */
static int check_part_of(const struct gguf_files *f, size_t part,
                         struct error *e)
{
    const struct gguf *g = &f->tables[part];
    size_t number, count;
    if (split_number(g, "split.no", &number, e) ||
        split_number(g, "split.count", &count, e))
        return -1;
    if (number == part && (count == f->n || (count == 0 && f->n == 1)))
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: is part %zu of %zu by its split.no and split.count, but "
                "by its name part %zu of %zu",
                g->path, number + 1, count, part + 1, f->n);
}

static int check_parts(const struct gguf_files *f, struct error *e)
{
    size_t total = 0, said;
    for (size_t i = 0; i < f->n; i++) {
        if (check_part_of(f, i, e))
            return -1;
        total += f->tables[i].n_tensors;
    }
    if (split_number(&f->tables[0], "split.tensors.count", &said, e))
        return -1;
    if (said == 0 || said == total)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: split.tensors.count: says %zu, but the files have %zu "
                "tensors",
                f->tables[0].path, said, total);
}

int gguf_files_open(struct gguf_files *f, const char *model, struct error *e)
{
    *f = (struct gguf_files){0};
    char *path = first_path(model, e);
    int result =
        path && open_parts_of(f, path, e) == 0 ? check_parts(f, e) : -1;
    free(path);
    if (result)
        gguf_files_close(f);
    return result;
}

void gguf_files_close(struct gguf_files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        gguf_free(&f->tables[i]);
        mapping_close(&f->maps[i]);
    }
    free(f->tables);
    free(f->maps);
    *f = (struct gguf_files){0};
}

/* --- tensors ------------------------------------------------------------ */

/* How many rows a head of q or k has, of `rows`; 0 where the tensor is not
 * stored in pairs, or has no such heads, which its user will see. */
static size_t paired_rows(const struct gguf_family *f, const char *name,
                          size_t rows, size_t n_heads, size_t n_kv_heads)
{
    char which = gguf_is_paired(f, name);
    size_t heads = which == 'q' ? n_heads : n_kv_heads;
    return which && heads > 0 && rows / heads % 2 == 0 && rows % heads == 0
               ? rows / heads
               : 0;
}

/* What all tensors of a model need to know. */
struct gguf_heads {
    const struct gguf_family *family; /* NULL: not known; its tensors keep
                                         their names */
    size_t n_heads, n_kv_heads;
};

static int take_tensor_of(const struct gguf_heads *h,
                          const struct mapping *map,
                          const struct gguf_tensor *from, struct tensor *t,
                          struct error *e)
{
    char name[GGUF_NAME + 100];
    snprintf(name, sizeof name, "%s", from->name);
    if (h->family)
        gguf_tensor_name(h->family, from->name, name);
    *t = (struct tensor){.rank = from->rank,
                         .count = from->count,
                         .bytes = from->bytes,
                         .file = map,
                         .offset = from->offset,
                         .data = map->data + from->offset};
    memcpy(t->shape, from->shape, sizeof from->shape);
    if (!dtype_find(from->kind->name, &t->dtype)) {
        t->dtype = DTYPE_BLOCKS;
        t->block = from->kind->name;
    }
    if (h->family) {
        t->added = gguf_added(h->family, from->name);
        t->stacked = h->family->stacked;
        t->paired = paired_rows(h->family, from->name, t->shape[0], h->n_heads,
                                h->n_kv_heads);
    }
    t->name = strdup(name);
    return t->name ? 0 : fail_memory(e, map->path);
}

/* The family, and how many heads it has, which config.json would say.  A model
 * that cannot be run, because this is not known, can still be looked at. */
static int find_heads(const struct gguf_files *f, struct gguf_heads *h,
                      struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    *h = (struct gguf_heads){.family = gguf_family_find(f->tables, &why)};
    json_t *config = h->family ? gguf_config(f->tables, f->n, &why) : NULL;
    if (why.code == ERROR_MEMORY) {
        *e = why;
        return -1;
    }
    h->n_heads = (size_t)json_integer_value(
        json_object_get(config, "num_attention_heads"));
    h->n_kv_heads = (size_t)json_integer_value(
        json_object_get(config, "num_key_value_heads"));
    json_decref(config);
    return 0;
}

int gguf_files_tensors(const struct gguf_files *f, struct tensor **tensors,
                       size_t *n, struct error *e)
{
    struct gguf_heads heads;
    size_t most = 0;
    if (find_heads(f, &heads, e))
        return -1;
    for (size_t i = 0; i < f->n; i++)
        most += f->tables[i].n_tensors;
    *n = 0;
    *tensors = calloc(most + 1, sizeof **tensors);
    if (!*tensors)
        return fail_memory(e, "the list of tensors");
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->tables[i].n_tensors; j++)
            if (take_tensor_of(&heads, &f->maps[i], &f->tables[i].tensors[j],
                               &(*tensors)[(*n)++], e)) {
                tensors_free(*tensors, *n);
                *tensors = NULL;
                *n = 0;
                return -1;
            }
    return 0;
}

/* --- what else is in them ----------------------------------------------- */

typedef json_t *gguf_translation(const struct gguf *files, size_t n,
                                 struct error *e);

static json_t *open_translated(const char *model, char **path,
                               gguf_translation *of, struct error *e)
{
    struct gguf_files f;
    *path = NULL;
    if (gguf_files_open(&f, model, e))
        return NULL;
    struct guard guard;
    guard_begin(&guard, f.maps, f.n);
    json_t *value = of(f.tables, f.n, e);
    guard_end(&guard);
    if (value)
        *path = strdup(f.maps[0].path);
    if (value && !*path) {
        fail_memory(e, model);
        json_decref(value);
        value = NULL;
    }
    gguf_files_close(&f);
    return value;
}

json_t *gguf_open_config(const char *model, char **path, struct error *e)
{
    return open_translated(model, path, gguf_config, e);
}

json_t *gguf_open_tokenizer(const char *model, char **path, struct error *e)
{
    return open_translated(model, path, gguf_tokenizer, e);
}
