/* For the tests of the loader: golden/safetensors.json, which
 * tests/oracle/loader/safetensors_goldens.py made. */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include "tensor.h"
#include "test_hash.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

/* A member of the goldens, "patterns", "dtypes" or "models"; free with
 * json_decref. */
static inline json_t *golden_part(const char *part)
{
    json_t *root = json_load_file("golden/safetensors.json",
                                  JSON_REJECT_DUPLICATES, NULL);
    json_t *value = json_incref(json_object_get(root, part));
    json_decref(root);
    return value;
}

/* A hash as the goldens spell it, in text (17,). */
static inline void spell_hash(uint64_t hash, char *text)
{
    snprintf(text, 17, "%016" PRIx64, hash);
}

/* The hash of a whole tensor, in text (17,). */
static inline void hash_tensor(const struct tensor *t, char *text)
{
    float block[1000];
    uint64_t hash = HASH_START;
    for (size_t at = 0; at < t->count; at += 1000) {
        size_t n = t->count - at < 1000 ? t->count - at : 1000;
        tensor_read(t, at, n, block);
        hash = hash_floats(hash, block, n);
    }
    spell_hash(hash, text);
}

#endif
