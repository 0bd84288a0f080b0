/* Models in a folder: see found_models.h. */
#include "found_models.h"

#include "folder.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- all of a folder ----------------------------------------------------- */

static int by_model_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Take a folder's member, if it is a model's folder. */
static int add_model_path(struct found_models *f, const char *folder,
                          const char *name, struct error *e)
{
    char *path = folder_file(folder, name, e);
    char *config = path ? folder_file(path, "config.json", e) : NULL;
    bool is_model = config && name[0] != '.' && path_is_folder(path) &&
                    path_exists(config);
    int result = config ? 0 : -1;
    if (is_model && f->n == MOST_MODELS)
        result = fail(e, ERROR_USAGE,
                      "%s: holds more than %d models: name those to serve",
                      folder, MOST_MODELS);
    else if (is_model) {
        f->paths[f->n++] = path;
        path = NULL;
    }
    free(path);
    free(config);
    return result;
}

static int read_models_folder(struct found_models *f, const char *folder,
                              struct error *e)
{
    DIR *members = opendir(folder);
    if (!members)
        return fail_errno(e, folder);
    struct dirent *member;
    int result = 0;
    while (result == 0 && (member = readdir(members)))
        result = add_model_path(f, folder, member->d_name, e);
    closedir(members);
    qsort(f->paths, f->n, sizeof f->paths[0], by_model_path);
    if (result == 0 && f->n == 0)
        return fail(e, ERROR_INPUT,
                    "%s: holds no model: name one, or say by RUNG_MODELS "
                    "where some are",
                    folder);
    return result;
}

/* --- the draft ----------------------------------------------------------- */

static const char draft_end[] = "-draft";

static bool is_draft(const char *path)
{
    return path_ends(path, draft_end);
}

/* Does a model's path begin as that of NAME-draft, up to the "-"? */
static bool is_drafted(const char *path, const char *draft)
{
    size_t size = strlen(draft) - (sizeof draft_end - 1) + 1;
    return strncmp(path, draft, size) == 0;
}

/* Where the draft of all others is; n: there is none. */
static size_t find_draft(const struct found_models *f)
{
    size_t at = f->n;
    for (size_t i = 0; i < f->n && at == f->n; i++)
        if (is_draft(f->paths[i]))
            at = i;
    for (size_t i = 0; i < f->n && at < f->n; i++)
        if (i != at &&
            (is_draft(f->paths[i]) || !is_drafted(f->paths[i], f->paths[at])))
            return f->n;
    return f->n > 1 ? at : f->n;
}

static void set_draft_apart(struct found_models *f)
{
    size_t at = find_draft(f);
    if (at == f->n)
        return;
    f->draft = f->paths[at];
    f->n--;
    memmove(&f->paths[at], &f->paths[at + 1],
            (f->n - at) * sizeof f->paths[0]);
}

/* --- both ---------------------------------------------------------------- */

int found_models_read(struct found_models *f, struct error *e)
{
    const char *said = getenv("RUNG_MODELS");
    const char *folder = said && *said ? said : own_models();
    *f = (struct found_models){.n = 0};
    if (!folder)
        return fail(e, ERROR_USAGE,
                    "no model is named, and none came with the program: name "
                    "one, or say by RUNG_MODELS where some are");
    if (read_models_folder(f, folder, e)) {
        found_models_free(f);
        return -1;
    }
    set_draft_apart(f);
    return 0;
}

void found_models_free(struct found_models *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->paths[i]);
    free(f->draft);
    *f = (struct found_models){.n = 0};
}
