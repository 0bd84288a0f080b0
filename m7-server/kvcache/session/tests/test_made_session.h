/* For the tests of sessions: one that is made by hand. */
#ifndef TEST_MADE_SESSION_H
#define TEST_MADE_SESSION_H

#include "session.h"
#include "test_files.h"
#include "test_numbers.h"

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

enum session_test_sizes {
    WIDTH = 2,
    WINDOW = 3,
    CHUNK = 2,
    CAPACITY = 12,
    LENGTH = 7, /* of which the ring still has 3 .. 6 */
    MOST_BYTES = 1000
};

static const uint64_t model_number = 0x123456789abcdef0;

/* Two layers: the first sees everything, the second a window. */
static inline void open_cache(struct cache *c, size_t capacity, size_t chunk)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}}};
    struct model m = {.config = {.n_layers = 2, .vocab_size = 100},
                      .layers = layers};
    struct error e;
    assert_ok(cache_init(c, &m, capacity, chunk, &e), &e);
}

/* What layer l keeps of position p, number i. */
static inline float key_of(size_t l, size_t p, size_t i)
{
    return (float)(100 * l + 10 * p + i);
}

static inline void fill_cache(struct cache *c, size_t n)
{
    for (size_t p = 0; p < n; p++)
        for (size_t l = 0; l < 2; l++) {
            float key[WIDTH], value[WIDTH];
            for (size_t i = 0; i < WIDTH; i++) {
                key[i] = key_of(l, p, i);
                value[i] = -key[i];
            }
            cache_store(&c->layers[l], p, 1, key, value);
            c->ids[p] = (int)(50 + p);
        }
    c->length = n;
    c->rotated = n + 100;
}

static inline void assert_filled(const struct cache *c, size_t n)
{
    assert_int_equal(c->length, n);
    for (size_t l = 0; l < 2; l++)
        for (size_t p = c->layers[l].first; p < n; p++)
            for (size_t i = 0; i < WIDTH; i++) {
                const struct cache_layer *layer = &c->layers[l];
                assert_true(cache_key(layer, p, NULL)[i] == key_of(l, p, i));
                assert_true(cache_value(layer, p, NULL)[i] ==
                            -key_of(l, p, i));
            }
    for (size_t p = 0; p < n; p++)
        assert_int_equal(c->ids[p], 50 + p);
}

static inline void save_filled(const char *path, size_t n)
{
    struct cache c;
    struct error e;
    open_cache(&c, CAPACITY, CHUNK);
    fill_cache(&c, n);
    assert_ok(session_save(path, &c, model_number, &e), &e);
    cache_free(&c);
}

static inline void load(const char *path, struct session *s)
{
    struct error e;
    assert_ok(session_load(path, s, &e), &e);
}

static inline size_t read_bytes(const char *path, unsigned char *out)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(out, 1, MOST_BYTES, f);
    fclose(f);
    assert_true(size < MOST_BYTES);
    return size;
}

static inline void assert_not_restored(const char *path, struct session *s,
                                       uint64_t model, const char *message)
{
    struct cache c;
    struct error e;
    open_cache(&c, CAPACITY, CHUNK);
    fill_cache(&c, 2);
    assert_int_equal(session_restore(s, path, model, &c, &e), -1);
    assert_string_equal(e.message, message);
    assert_filled(&c, 2);
    cache_free(&c);
    session_free(s);
}

#endif
