/* For the tests of what a silent config.json means: the cases of
 * tests/checkpoints/silences.json, which
 * tests/oracle/forward/families_silences.py made. */
#ifndef TEST_SILENCES_H
#define TEST_SILENCES_H

#include "config.h"
#include "test_files.h"
#include "test_run.h"

/* All cases, in a file's object that is to be freed; NULL: the tests' folder
 * is not there. */
static inline json_t *silences_read(const struct scratch *s)
{
    char path[4096];
    const char *folder = test_folder();
    bool whole = *folder == '/';
    snprintf(path, sizeof path, "%s%s%s/checkpoints/silences.json",
             whole ? "" : s->before, whole ? "" : "/", folder);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

static inline json_t *silence_at(const json_t *file, size_t i)
{
    return json_array_get(json_object_get(file, "cases"), i);
}

static inline const char *silence_name(const json_t *one)
{
    return json_string_value(json_object_get(one, "name"));
}

/* What transformers takes a key for. */
static inline const json_t *silence_means(const json_t *one, const char *key)
{
    return json_object_get(json_object_get(one, "means"), key);
}

static inline void silence_write(const json_t *one)
{
    const json_t *config = json_object_get(one, "config");
    assert_int_equal(json_dump_file(config, "config.json", 0), 0);
}

/* Whether the case is one without a key that published files always have:
 * nobody knows what its absence means. */
static inline bool silence_is_refused(const json_t *one)
{
    static const char *const names[] = {"without hidden_size",
                                        "without intermediate_size",
                                        "without num_hidden_layers"};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(silence_name(one), names[i]) == 0)
            return true;
    return false;
}

#endif
