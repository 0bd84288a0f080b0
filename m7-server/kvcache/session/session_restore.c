/* From a session back into a cache: see session.h. */
#include "session.h"

#include <stdbool.h>
#include <string.h>

/* Whether a layer fits another, and has all that the next token looks at. */
static bool layer_fits(const struct cache_layer *from, size_t length,
                       const struct cache_layer *to)
{
    return from->width == to->width && from->key_bytes == to->key_bytes &&
           from->value_bytes == to->value_bytes &&
           from->window == to->window && cache_reaches_back(from, length);
}

/* A text that went on with rows of another form would have other bits than one
 * that was read from its first token. */
static int check_same_form(const struct cache *from, const struct cache *c,
                           const char *path, struct error *e)
{
    if (from->form == c->form)
        return 0;
    return fail(e, ERROR_UNSUPPORTED,
                "%s: its cache is stored as %s, that of this text as %s", path,
                from->form->name, c->form->name);
}

/* What a calculation is called that a number of ops.h stands for. */
static const char *arithmetic_name(enum arithmetic arithmetic)
{
    return arithmetic == ARITHMETIC_KERNELS ? "kernels"
                                            : "exact arithmetic";
}

/* The same of rows that were computed in another way. */
static int check_same_arithmetic(const struct cache *from,
                                 const struct cache *c, const char *path,
                                 struct error *e)
{
    if (from->arithmetic == c->arithmetic)
        return 0;
    return fail(e, ERROR_UNSUPPORTED,
                "%s: was computed by %s, this text is by %s", path,
                arithmetic_name(from->arithmetic),
                arithmetic_name(c->arithmetic));
}

/* The ids may be read again as a text: each must be one of the model's. */
static int check_session_ids(const struct cache *from, const struct cache *c,
                             const char *path, struct error *e)
{
    for (size_t i = 0; i < from->length; i++)
        if (from->ids[i] < 0 || (size_t)from->ids[i] >= c->n_vocab)
            return fail(e, ERROR_INPUT,
                        "%s: token %zu has the id %d; the model has the ids "
                        "0 to %zu",
                        path, i, from->ids[i], c->n_vocab - 1);
    return 0;
}

int session_restore(struct session *s, const char *path, uint64_t model,
                    struct cache *c, struct error *e)
{
    struct cache *from = &s->cache;
    if (s->model != model)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: is of another model: the fingerprint is "
                    "%016llx, that of this one %016llx",
                    path, (unsigned long long)s->model,
                    (unsigned long long)model);
    if (check_same_arithmetic(from, c, path, e) ||
        check_same_form(from, c, path, e))
        return -1;
    bool fits = from->n_layers == c->n_layers;
    for (size_t l = 0; fits && l < c->n_layers; l++)
        fits = layer_fits(&from->layers[l], from->length, &c->layers[l]);
    if (!fits)
        return fail(e, ERROR_INPUT,
                    "%s: the layers are not those of the model", path);
    if (check_session_ids(from, c, path, e))
        return -1;

    cache_truncate(c, 0);
    size_t n = cache_truncate(from, c->capacity);
    for (size_t l = 0; l < c->n_layers; l++)
        cache_copy_layer(&c->layers[l], &from->layers[l], n);
    memcpy(c->ids, from->ids, n * sizeof *c->ids);
    c->length = n;
    c->rotated = from->rotated;
    return 0;
}
