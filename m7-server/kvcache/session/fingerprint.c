/* Fingerprints: see fingerprint.h. */
#include "fingerprint.h"

#include "json_write.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The keys in their order, whatever their order and spaces in the file. */
static int add_config(XXH3_state_t *hash, const struct model *m,
                      struct error *e)
{
    char *text =
        json_text(m->config.root.value, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return fail_memory(e, "the configuration");
    XXH3_64bits_update(hash, text, strlen(text) + 1);
    free(text);
    return 0;
}

static void add_tensor(XXH3_state_t *hash, const struct tensor *t)
{
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    XXH3_64bits_update(hash, t->name, strlen(t->name) + 1);
    XXH3_64bits_update(hash, tensor_type(t), strlen(tensor_type(t)));
    XXH3_64bits_update(hash, shape, strlen(shape) + 1);
    XXH3_64bits_update(hash, t->data, t->bytes);
}

int model_fingerprint(const struct model *m, uint64_t *out, struct error *e)
{
    XXH3_state_t *hash = XXH3_createState();
    if (!hash)
        return fail_memory(e, "the fingerprint");
    XXH3_64bits_reset(hash);
    int result = add_config(hash, m, e);
    for (size_t i = 0; i < m->checkpoint.n_tensors; i++)
        add_tensor(hash, &m->checkpoint.tensors[i]);
    *out = XXH3_64bits_digest(hash);
    XXH3_freeState(hash);
    return result;
}
