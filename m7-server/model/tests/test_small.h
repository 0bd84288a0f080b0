/* For the tests over all small random models: which there are.  A folder of
 * tests/checkpoints counts that has a golden file of its name. */
#ifndef TEST_SMALL_H
#define TEST_SMALL_H

#include "model.h"
#include "test_numbers.h"
#include "test_run.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum small_limits {
    MAX_SMALL = 64,
    SMALL_NAME = 40
};

struct small_models {
    char names[MAX_SMALL][SMALL_NAME];
    size_t n; /* 0: the tests' folder is not there */
};

static inline int compare_small(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Those whose goldens are in the folder `path`. */
static inline void small_models_find_in(struct small_models *s,
                                        const char *path)
{
    static const char end[] = ".safetensors";
    DIR *folder = opendir(path);
    struct dirent *entry;
    s->n = 0;
    while (folder && (entry = readdir(folder)) && s->n < MAX_SMALL) {
        size_t length = strlen(entry->d_name), tail = strlen(end);
        if (length <= tail || length - tail >= SMALL_NAME ||
            strcmp(entry->d_name + length - tail, end) != 0)
            continue;
        memcpy(s->names[s->n], entry->d_name, length - tail);
        s->names[s->n++][length - tail] = 0;
    }
    if (folder)
        closedir(folder);
    qsort(s->names, s->n, sizeof s->names[0], compare_small);
}

static inline void small_models_find(struct small_models *s)
{
    char *path = test_path("checkpoints/goldens");
    small_models_find_in(s, path);
    free(path);
}

/* Open one of them, and its goldens. */
static inline void small_open(const char *name, struct model *m,
                              struct checkpoint *goldens)
{
    char part[2 * SMALL_NAME + 40];
    struct error e;
    snprintf(part, sizeof part, "checkpoints/%s", name);
    char *model_path = test_path(part);
    snprintf(part, sizeof part, "checkpoints/goldens/%s.safetensors", name);
    char *goldens_path = test_path(part);
    assert_ok(model_open(m, model_path, &e), &e);
    assert_ok(checkpoint_open(goldens, goldens_path, &e), &e);
    free(goldens_path);
    free(model_path);
}

#endif
