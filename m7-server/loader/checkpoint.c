/* Checkpoints: see checkpoint.h.  Knows neither JSON nor what the tensors are
 * for. */
#include "checkpoint.h"

#include "gguf_files.h"
#include "guard.h"
#include "json.h"
#include "safetensors.h"
#include "shards.h"

#include <stdlib.h>
#include <string.h>

/* Move tensors (n,) behind those of the checkpoint. */
static int append_tensors(struct checkpoint *c, struct tensor *tensors,
                          size_t n, struct error *e)
{
    size_t total = c->n_tensors + n;
    struct tensor *all = realloc(c->tensors, (total + 1) * sizeof *all);
    if (!all) {
        tensors_free(tensors, n);
        return fail_memory(e, "the list of tensors");
    }
    memcpy(all + c->n_tensors, tensors, n * sizeof *all);
    free(tensors);
    c->tensors = all;
    c->n_tensors = total;
    return 0;
}

/* Add the tensors of one file, which must not shrink meanwhile. */
static int read_tensors(struct checkpoint *c, const struct mapping *file,
                        struct error *e)
{
    struct tensor *tensors = NULL;
    size_t n = 0;
    struct guard g;
    guard_begin(&g, file, 1);
    int result = safetensors_read(file, &tensors, &n, e);
    guard_end(&g);
    return result ? -1 : append_tensors(c, tensors, n, e);
}

static int open_files(struct checkpoint *c, const struct shards *s,
                      struct error *e)
{
    c->files = calloc(s->n, sizeof *c->files);
    if (!c->files)
        return fail_memory(e, "the list of files");
    for (; c->n_files < s->n; c->n_files++) {
        struct mapping *file = &c->files[c->n_files];
        if (mapping_open(file, s->paths[c->n_files], e))
            return -1;
        if (read_tensors(c, file, e)) {
            mapping_close(file);
            return -1;
        }
    }
    return 0;
}

static int by_name_and_file(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    int order = tensor_order(x->name, y->name);
    return order ? order : strcmp(x->file->path, y->file->path);
}

/* Fail when two files hold a tensor of one name. */
static int check_unique(const struct checkpoint *c, struct error *e)
{
    for (size_t i = 1; i < c->n_tensors; i++) {
        const struct tensor *t = &c->tensors[i];
        if (strcmp(t[-1].name, t->name) == 0)
            return fail(e, ERROR_INPUT, "%s: tensor %s is also in %s",
                        t->file->path, t->name, t[-1].file->path);
    }
    return 0;
}

/* Fail when the index names a tensor that is not where it says. */
static int check_index(const struct checkpoint *c, const struct shards *s,
                       struct error *e)
{
    struct node root = node_root(s->index_path, s->index);
    struct node map = node_member(&root, "weight_map");
    const char *name;
    json_t *value;
    json_object_foreach(map.value, name, value)
    {
        const struct tensor *t = checkpoint_find(c, name);
        const char *file = json_string_value(value);
        const char *slash = t ? strrchr(t->file->path, '/') : NULL;
        struct node entry = node_member(&map, name);
        if (!t)
            return node_fail(&entry, ERROR_INPUT, e, "%s has no such tensor",
                             file);
        if (slash && strcmp(slash + 1, file) != 0)
            return node_fail(&entry, ERROR_INPUT, e,
                             "the tensor is not in %s, but in %s", file,
                             slash + 1);
    }
    return 0;
}

static int load_files(struct checkpoint *c, const struct shards *s,
                      struct error *e)
{
    if (open_files(c, s, e))
        return -1;
    if (c->n_tensors > 0)
        qsort(c->tensors, c->n_tensors, sizeof *c->tensors, by_name_and_file);
    if (check_unique(c, e))
        return -1;
    return s->index ? check_index(c, s, e) : 0;
}

/* The files of a GGUF model become the checkpoint's. */
static int load_gguf(struct checkpoint *c, const char *path, struct error *e)
{
    struct gguf_files f;
    if (gguf_files_open(&f, path, e))
        return -1;
    struct guard g;
    guard_begin(&g, f.maps, f.n);
    int result = gguf_files_tensors(&f, &c->tensors, &c->n_tensors, e);
    guard_end(&g);
    if (result) {
        gguf_files_close(&f);
        return -1;
    }
    for (size_t i = 0; i < f.n; i++)
        gguf_free(&f.tables[i]);
    free(f.tables);
    c->files = f.maps;
    c->n_files = f.n;
    qsort(c->tensors, c->n_tensors, sizeof *c->tensors, by_name_and_file);
    return check_unique(c, e);
}

int checkpoint_open(struct checkpoint *c, const char *path, struct error *e)
{
    *c = (struct checkpoint){0};
    if (gguf_is_model(path)) {
        if (load_gguf(c, path, e) == 0)
            return 0;
        checkpoint_close(c);
        return -1;
    }
    struct shards s;
    if (shards_find(&s, path, e))
        return -1;
    int result = load_files(c, &s, e);
    shards_free(&s);
    if (result)
        checkpoint_close(c);
    return result;
}

void checkpoint_close(struct checkpoint *c)
{
    tensors_free(c->tensors, c->n_tensors);
    for (size_t i = 0; i < c->n_files; i++)
        mapping_close(&c->files[i]);
    free(c->files);
    *c = (struct checkpoint){0};
}

static int by_name(const void *name, const void *tensor)
{
    return tensor_order(name, ((const struct tensor *)tensor)->name);
}

const struct tensor *checkpoint_find(const struct checkpoint *c,
                                     const char *name)
{
    if (c->n_tensors == 0)
        return NULL;
    return bsearch(name, c->tensors, c->n_tensors, sizeof *c->tensors,
                   by_name);
}

int checkpoint_check(const struct checkpoint *c, struct error *e)
{
    for (size_t i = 0; i < c->n_files; i++)
        if (mapping_check(&c->files[i], e))
            return -1;
    return 0;
}
