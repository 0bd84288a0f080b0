/* The files of a checkpoint: see shards.h.  Opens none but the index. */
#include "shards.h"

#include "folder.h"
#include "json.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_safetensors(const char *name)
{
    return path_ends(name, ".safetensors");
}

/* Add a path, which *s then owns; NULL is a path there was no memory for. */
static int add_path(struct shards *s, char *path, struct error *e)
{
    char **paths = NULL;
    if (path)
        paths = realloc(s->paths, (s->n + 1) * sizeof *paths);
    if (!paths) {
        free(path);
        return fail_memory(e, "the list of files");
    }
    s->paths = paths;
    s->paths[s->n++] = path;
    return 0;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort the paths, of which there is one, and drop those that occur again. */
static void sort_paths(struct shards *s)
{
    qsort(s->paths, s->n, sizeof *s->paths, by_path);
    size_t kept = 1;
    for (size_t i = 1; i < s->n; i++)
        if (strcmp(s->paths[i], s->paths[kept - 1]) == 0)
            free(s->paths[i]);
        else
            s->paths[kept++] = s->paths[i];
    s->n = kept;
}

/* Add the file that an entry of the index names. */
static int add_indexed_file(struct shards *s, const char *folder,
                            const struct node *entry, struct error *e)
{
    const char *name;
    if (node_string(entry, &name, e))
        return -1;
    if (strchr(name, '/') || !is_safetensors(name))
        return node_fail(entry, ERROR_INPUT, e,
                         "expected a .safetensors file of this folder, found "
                         "\"%s\"",
                         name);
    if (add_path(s, folder_file(folder, name, e), e))
        return -1;
    if (!path_exists(s->paths[s->n - 1]))
        return node_fail(entry, ERROR_INPUT, e,
                         "names %s, which is not in this folder", name);
    return 0;
}

static int read_index(struct shards *s, const char *folder, struct error *e)
{
    s->index = json_read_file(s->index_path, e);
    if (!s->index)
        return -1;
    struct node root = node_root(s->index_path, s->index);
    struct node map = node_member(&root, "weight_map");
    if (node_object(&root, e) || node_object(&map, e))
        return -1;
    if (json_object_size(map.value) == 0)
        return node_fail(&map, ERROR_INPUT, e, "names no tensor");
    const char *tensor;
    json_t *value;
    json_object_foreach(map.value, tensor, value)
    {
        struct node entry = node_member(&map, tensor);
        if (add_indexed_file(s, folder, &entry, e))
            return -1;
    }
    return 0;
}

/* Add every .safetensors file of a folder. */
static int read_folder(struct shards *s, const char *folder, struct error *e)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return fail_errno(e, folder);
    int result = 0;
    struct dirent *entry;
    while (!result && (entry = readdir(directory)))
        if (is_safetensors(entry->d_name))
            result = add_path(s, folder_file(folder, entry->d_name, e), e);
    closedir(directory);
    if (!result && s->n == 0)
        return fail(e, ERROR_INPUT, "%s: no .safetensors file in this folder",
                    folder);
    return result;
}

/* Find the files in a folder: by an index, by name, or all. */
static int search_folder(struct shards *s, const char *folder, struct error *e)
{
    s->index_path = folder_file(folder, "model.safetensors.index.json", e);
    char *single = folder_file(folder, "model.safetensors", e);
    int result;
    if (!s->index_path || !single)
        result = -1;
    else if (path_exists(s->index_path))
        result = read_index(s, folder, e);
    else if (path_exists(single))
        result = add_path(s, strdup(single), e);
    else
        result = read_folder(s, folder, e);
    free(single);
    return result;
}

static int find_paths(struct shards *s, const char *model, struct error *e)
{
    if (!path_exists(model))
        return fail_errno(e, model);
    if (is_safetensors(model) && !path_is_folder(model))
        return add_path(s, strdup(model), e);
    char *folder = folder_of(model, e);
    int result = folder ? search_folder(s, folder, e) : -1;
    free(folder);
    return result;
}

int shards_find(struct shards *s, const char *model, struct error *e)
{
    *s = (struct shards){0};
    if (find_paths(s, model, e)) {
        shards_free(s);
        return -1;
    }
    sort_paths(s);
    return 0;
}

void shards_free(struct shards *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->paths[i]);
    free(s->paths);
    free(s->index_path);
    json_decref(s->index);
    *s = (struct shards){0};
}
