/* For the tests of quantizing models: requests, and where the models are.
 * Needs _XOPEN_SOURCE 700. */
#ifndef TEST_QUANTIZING_H
#define TEST_QUANTIZING_H

#include "folder.h"
#include "quantize_model.h"
#include "test_files.h"
#include "test_numbers.h"
#include "test_run.h"

#include <limits.h>

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

/* The tests' folder, by a path that holds in the scratch folder; none: the
 * tests that need it skip. */
static char tests_folder[PATH_MAX];

static inline int find_tests_folder(void **state)
{
    (void)state;
    if (!realpath(test_folder(), tests_folder))
        *tests_folder = 0;
    return 0;
}

/* A path in it, which the next call but three overwrites. */
static inline const char *path_in_tests(const char *name)
{
    static char paths[4][PATH_MAX + 80];
    static size_t at;
    char *path = paths[at++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", tests_folder, name);
    if (!path_exists(path))
        skip_without_models();
    return path;
}

static inline struct quantize_request request(const char *model,
                                              const char *out,
                                              const char *format, size_t group)
{
    return (struct quantize_request){
        .model = model,
        .out = out,
        .choice = {.rounding = {quantize_format(format), group, false}},
        .shard_bytes = SHARD_BYTES};
}

static inline struct quantize_result
do_it(const struct quantize_request *r)
{
    struct quantize_result result;
    struct error e;
    assert_ok(quantize_model(r, &result, &e), &e);
    return result;
}

static inline size_t count_entries(const char *path)
{
    size_t n = 0;
    DIR *directory = opendir(path);
    struct dirent *entry;
    while ((entry = readdir(directory)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..");
    closedir(directory);
    return n;
}

#endif
