/* The table of forms: see cache_form.h. */
#include "cache_form.h"

#include <strings.h>

#define F32 {"f32", 32, plain_bytes, store_float, NULL, PANEL_F32, NULL, NULL}
#define F16 {"f16", 16, plain_bytes, store_half, read_half, PANEL_F16, NULL, \
             NULL}
#define INT8 {"int8", 8, int8_bytes, store_int8, read_int8, PANEL_INT8, NULL, \
              NULL}
#define CODEBOOK(bits) {"codebook", bits, codebook_bytes, store_codebook, \
                        read_codebook, PANEL_##bits##BITS, turn_codebook, \
                        turn_codebook_back}

/* The numbers are never given to another form: files have them. */
static const struct cache_form forms[] = {
    {"f32", 1, F32, F32, F32},
    {"f16", 2, F16, F16, F16},
    {"int8", 3, INT8, INT8, INT8},
    {"k4v4", 4, CODEBOOK(4), CODEBOOK(4), CODEBOOK(4)},
    {"k4v3", 5, CODEBOOK(4), CODEBOOK(3), CODEBOOK(4)},
    {"k3v2", 6, CODEBOOK(3), CODEBOOK(2), CODEBOOK(3)},
};

const struct cache_form *cache_form_row(size_t i)
{
    return i < sizeof forms / sizeof forms[0] ? &forms[i] : NULL;
}

const struct cache_form *cache_form_named(const char *name)
{
    const struct cache_form *f;
    for (size_t i = 0; (f = cache_form_row(i)); i++)
        if (strcasecmp(f->name, name) == 0)
            return f;
    return NULL;
}

const struct cache_form *cache_form_numbered(uint32_t number)
{
    const struct cache_form *f;
    for (size_t i = 0; (f = cache_form_row(i)); i++)
        if (f->number == number)
            return f;
    return NULL;
}

const struct head_form *value_form(const struct cache_form *f, size_t l,
                                   size_t n_layers)
{
    return l < EDGE_LAYERS || l + EDGE_LAYERS >= n_layers ? &f->edge
                                                          : &f->value;
}
