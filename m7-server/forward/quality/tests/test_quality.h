/* For the tests of this room: golden/quality.json, and small models to ask. */
#ifndef TEST_QUALITY_H
#define TEST_QUALITY_H

#include "json.h"
#include "test_numbers.h"
#include "test_run.h"
#include "windows.h"

/* The cases of one kind; json_decref the root afterwards. */
static inline json_t *quality_goldens(const char *kind, const json_t **cases)
{
    struct error e;
    json_t *root = json_read_file("golden/quality.json", &e);
    assert_ok(root ? 0 : -1, &e);
    *cases = json_object_get(root, kind);
    assert_true(json_array_size(*cases) > 0);
    return root;
}

static inline double golden_real(const json_t *one, const char *key)
{
    return json_number_value(json_object_get(one, key));
}

static inline size_t golden_size(const json_t *one, const char *key)
{
    return (size_t)json_integer_value(json_object_get(one, key));
}

/* Sums of the same numbers in another order: within 1e-13 of the larger of
 * the golden and 1. */
static inline void assert_real(const char *what, double found, double expected)
{
    double most = 1e-13 * fmax(1, fabs(expected));
    if (!(fabs(found - expected) <= most))
        print_error("%s: %.17g, not %.17g\n", what, found, expected);
    assert_true(fabs(found - expected) <= most);
}

/* A small model of tests/checkpoints; skips where they are not there. */
static inline void open_checkpoint(struct model *m, const char *name)
{
    char part[80];
    struct error e;
    snprintf(part, sizeof part, "checkpoints/%s", name);
    char *path = test_path(part);
    if (access(path, R_OK) != 0) {
        free(path);
        skip_without_models();
    }
    assert_ok(model_open(m, path, &e), &e);
    free(path);
}

/* Some text (n,) for a model. */
static inline void make_text(const struct model *m, int *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ids[i] = (int)((i * i * 31 + i * 7 + 3) % m->config.vocab_size);
}

#endif
