/* The room that a cache reserves: there is enough of it, each layer has its
 * own, and where there is none, that is said. */
#include "test_small_cache.h"

#include <stdlib.h>
#include <string.h>

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    const size_t huge = (size_t)1 << 58;
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}}};
    struct model m = {.config = {.n_layers = 2}, .layers = layers};
    struct cache c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(cache_init(&c, &m, huge, CHUNK, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_true(!c.ids && !c.layers && c.n_layers == 0 && c.capacity == 0);
    layers[1].attention.head_dim = huge;
    assert_int_equal(cache_init(&c, &m, CAPACITY, CHUNK, &e), -1);
    assert_true(!c.ids && !c.layers && c.n_layers == 0);
    m.config.n_layers = huge;
    assert_int_equal(cache_init(&c, &m, CAPACITY, CHUNK, &e), -1);
    assert_true(!c.ids && !c.layers && c.n_layers == 0);
}

/* Give a layer the rows for `slots` positions, and no others. */
static void reserve_anew(struct cache_layer *l, size_t slots)
{
    struct error e = {ERROR_NONE, ""};
    free(l->keys);
    free(l->values);
    l->slots = slots;
    assert_ok(cache_reserve(l, &e), &e);
    assert_true(l->keys && l->values);
}

/* A layer for texts of no token has rows all the same, though nothing may be
 * put there. */
static void no_positions_are_no_error(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    struct cache_layer *l = &c.layers[0];
    reserve_anew(l, 0);
    assert_int_equal(l->key_bytes, WIDTH * sizeof(float));
    assert_int_equal(l->value_bytes, WIDTH * sizeof(float));
    cache_free(&c);
}

/* What is written into one layer changes nothing in the others, from the first
 * slot to the last. */
static void layers_do_not_touch(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    for (size_t l = 0; l < 2; l++)
        reserve_anew(&c.layers[l], c.layers[l].slots);
    for (size_t l = 0; l < 2; l++) {
        struct cache_layer *own = &c.layers[l];
        memset(own->keys, 2 * (int)l + 1, own->slots * own->key_bytes);
        memset(own->values, 2 * (int)l + 2, own->slots * own->value_bytes);
    }
    memset(c.ids, 9, CAPACITY * sizeof *c.ids);
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < WIDTH * 4 * c.layers[l].slots; i++) {
            assert_int_equal(c.layers[l].keys[i], 2 * l + 1);
            assert_int_equal(c.layers[l].values[i], 2 * l + 2);
        }
    cache_free(&c);
    assert_true(!c.layers && !c.ids && c.n_layers == 0);
}

/* One slot, of four megabytes: more than stands behind it by chance. */
static void one_position_has_room(void **state)
{
    (void)state;
    const size_t bytes = (size_t)4 << 20;
    struct cache_layer l = {
        .slots = 1, .key_bytes = bytes, .value_bytes = bytes};
    struct error e = {ERROR_NONE, ""};
    assert_ok(cache_reserve(&l, &e), &e);
    memset(l.keys, 1, bytes);
    memset(l.values, 2, bytes);
    assert_int_equal(l.keys[bytes - 1], 1);
    free(l.keys);
    free(l.values);
}

/* cache_truncate() forgets what its layers hold, and of no other. */
static void no_other_layer_is_forgotten(void **state)
{
    (void)state;
    struct cache_layer layers[3] = {
        {.slots = 9, .first = 1}, {.slots = 9, .first = 2}, {.first = 3}};
    struct cache c = {.layers = layers, .n_layers = 2, .length = 9};
    assert_int_equal(cache_truncate(&c, 0), 0);
    assert_int_equal(layers[0].first, 0);
    assert_int_equal(layers[1].first, 0);
    assert_int_equal(layers[2].first, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_position_has_room),
        cmocka_unit_test(no_other_layer_is_forgotten),
        cmocka_unit_test(what_cannot_be_had_is_said),
        cmocka_unit_test(no_positions_are_no_error),
        cmocka_unit_test(layers_do_not_touch),
    };
    return cmocka_run_group_tests_name("kvcache, its room", tests, NULL, NULL);
}
