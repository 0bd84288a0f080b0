/* For the tests of a cache: a small one. */
#ifndef TEST_SMALL_CACHE_H
#define TEST_SMALL_CACHE_H

#include "kvcache.h"
#include "test_numbers.h"

enum cache_sizes {
    WIDTH = 3,
    WINDOW = 5,
    CHUNK = 3,
    CAPACITY = 40
};

/* Two layers: the first sees everything, the second a window. */
static inline void open_cache(struct cache *c)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}}};
    struct model m = {.config = {.n_layers = 2}, .layers = layers};
    struct error e;
    assert_ok(cache_init(c, &m, CAPACITY, CHUNK, &e), &e);
}

#endif
