/* The cache as a store: rows come back as they were put, rings turn, and
 * forgetting says how far it could. */
#include "test_equal.h"
#include "test_small_cache.h"

/* Positions from .. from + n - 1, in both layers; a key is 10 p, a value
 * 10 p + 1. */
static void put(struct cache *c, size_t from, size_t n)
{
    float keys[CHUNK * WIDTH], values[CHUNK * WIDTH];
    for (size_t i = 0; i < n * WIDTH; i++) {
        keys[i] = 10.0f * (float)(from + i / WIDTH);
        values[i] = keys[i] + 1;
    }
    for (size_t l = 0; l < 2; l++)
        cache_store(&c->layers[l], from, n, keys, values);
    c->length = from + n;
}

static void assert_holds(const struct cache_layer *l, size_t first, size_t end)
{
    for (size_t p = first; p < end; p++) {
        assert_equal(cache_key(l, p, NULL)[0], 10.0f * (float)p);
        assert_equal(cache_value(l, p, NULL)[WIDTH - 1], 10.0f * (float)p + 1);
    }
}

static void fill(struct cache *c, size_t n)
{
    for (size_t p = 0; p < n; p += CHUNK)
        put(c, p, n - p < CHUNK ? n - p : CHUNK);
}

static void a_layer_without_window_keeps_everything(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    fill(&c, 31);
    assert_int_equal(c.layers[0].slots, CAPACITY);
    assert_holds(&c.layers[0], 0, 31);
    cache_free(&c);
}

static void a_ring_keeps_a_window_for_the_first_token_of_a_chunk(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    assert_int_equal(c.layers[1].slots, WINDOW + CHUNK - 1);
    for (size_t p = 0; p + CHUNK <= CAPACITY; p += CHUNK) {
        put(&c, p, CHUNK);
        size_t first = p + 1 > WINDOW ? p + 1 - WINDOW : 0;
        assert_holds(&c.layers[1], first, p + CHUNK);
    }
    cache_free(&c);
}

/* Where window, chunk and room are nearly alike: the first token of a chunk
 * finds its window, and nothing is reserved that a text cannot fill. */
static void assert_window_is_held(size_t capacity, size_t chunk)
{
    struct layer layer = {
        .attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}};
    struct model m = {.config = {.n_layers = 1}, .layers = &layer};
    struct cache c;
    struct error e;
    assert_ok(cache_init(&c, &m, capacity, chunk, &e), &e);
    assert_true(c.layers[0].slots <= capacity);
    for (size_t p = 0; p < capacity; p += chunk) {
        size_t n = capacity - p < chunk ? capacity - p : chunk;
        size_t first = p + 1 > WINDOW ? p + 1 - WINDOW : 0;
        for (size_t i = 0; i < n; i++) {
            float key = 10.0f * (float)(p + i);
            const float keys[WIDTH] = {key, key, key};
            const float values[WIDTH] = {key + 1, key + 1, key + 1};
            cache_store(&c.layers[0], p + i, 1, keys, values);
        }
        assert_true(c.layers[0].first <= first);
        assert_holds(&c.layers[0], first, p + n);
    }
    cache_free(&c);
}

static void a_window_is_held_whatever_the_sizes(void **state)
{
    (void)state;
    for (size_t capacity = 1; capacity < 3 * WINDOW; capacity++)
        for (size_t chunk = 1; chunk <= capacity; chunk++)
            assert_window_is_held(capacity, chunk);
}

static void a_short_text_needs_no_ring(void **state)
{
    (void)state;
    struct layer layer = {
        .attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = 100}};
    struct model m = {.config = {.n_layers = 1}, .layers = &layer};
    struct cache c;
    struct error e;
    assert_ok(cache_init(&c, &m, 20, 8, &e), &e);
    assert_int_equal(c.layers[0].slots, 20);
    cache_free(&c);
    layer.attention.window = 13; /* of the first of 8, and 7 behind it */
    assert_ok(cache_init(&c, &m, 21, 8, &e), &e);
    assert_int_equal(c.layers[0].slots, 20);
    cache_free(&c);
}

/* The ring has 7 slots: after 31 tokens it holds 24 .. 30, and the token at
 * position 28 looks at 24 .. 28. */
static void forgetting_ends_where_the_ring_has_lost_the_past(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    fill(&c, 31);
    assert_int_equal(cache_truncate(&c, 31), 31);
    assert_int_equal(cache_truncate(&c, 50), 31);
    assert_int_equal(cache_truncate(&c, 29), 29);
    assert_int_equal(cache_truncate(&c, 28), 28);
    assert_int_equal(c.length, 28);
    assert_int_equal(cache_truncate(&c, 27), 0);
    assert_int_equal(c.length, 0);
    cache_free(&c);
}

static void a_ring_that_was_never_full_forgets_to_any_length(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    fill(&c, 7);
    for (size_t n = 7; n > 0; n--)
        assert_int_equal(cache_truncate(&c, n), n);
    fill(&c, 8);
    assert_int_equal(cache_truncate(&c, 5), 5);
    assert_int_equal(cache_truncate(&c, 4), 0);
    cache_free(&c);
}

/* Positions 28 .. 30 are written again; 24 .. 27 must still be there, and
 * nothing is held that was lost before. */
static void what_is_written_again_counts_as_new(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    fill(&c, 31);
    assert_int_equal(cache_truncate(&c, 28), 28);
    put(&c, 28, 2);
    assert_holds(&c.layers[1], 24, 30);
    assert_int_equal(cache_truncate(&c, 28), 28);
    assert_int_equal(cache_truncate(&c, 27), 0);
    fill(&c, 7);
    assert_int_equal(cache_truncate(&c, 2), 2);
    cache_free(&c);
}

static void bytes_are_counted_by_layer(void **state)
{
    (void)state;
    struct cache c;
    open_cache(&c);
    assert_int_equal(cache_position_bytes(&c), 2 * 2 * WIDTH * sizeof(float));
    assert_int_equal(cache_bytes(&c), 2 * (CAPACITY + WINDOW + CHUNK - 1) *
                                          WIDTH * sizeof(float));
    cache_free(&c);
}

/* The token at position n sees as many positions as the window has, itself
 * included. */
static void a_layer_reaches_back_by_its_window(void **state)
{
    (void)state;
    struct cache_layer l = {.window = 5, .first = 3};
    assert_false(cache_reaches_back(&l, 3));
    assert_false(cache_reaches_back(&l, 6));
    assert_true(cache_reaches_back(&l, 7));
    l.first = 1;
    assert_false(cache_reaches_back(&l, 4));
    assert_true(cache_reaches_back(&l, 5));
    l.window = 0;
    assert_false(cache_reaches_back(&l, 100));
    l = (struct cache_layer){.window = 1, .first = 7};
    assert_false(cache_reaches_back(&l, 6));
    assert_true(cache_reaches_back(&l, 7));
}

static void a_position_is_a_key_and_a_value(void **state)
{
    (void)state;
    const struct cache_layer l = {.key_bytes = 8, .value_bytes = 12};
    assert_int_equal(cache_layer_bytes(&l), 20);
}

/* A ring in the first layer has lost what position 10 sees. */
static void a_cache_knows_its_sizes_and_forgets_in_each_layer(void **state)
{
    (void)state;
    struct layer layer = {
        .attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}};
    struct model m = {.config = {.n_layers = 1, .vocab_size = 77},
                      .layers = &layer};
    struct cache c;
    struct error e;
    assert_ok(cache_init(&c, &m, CAPACITY, CHUNK, &e), &e);
    assert_int_equal(c.capacity, CAPACITY);
    assert_int_equal(c.chunk, CHUNK);
    assert_int_equal(c.n_vocab, 77);
    assert_string_equal(c.form->name, "f32");
    c.length = 20;
    c.layers[0].first = 9;
    assert_int_equal(cache_truncate(&c, 20), 20);
    assert_int_equal(cache_truncate(&c, 10), 0);
    assert_int_equal(c.layers[0].first, 0);
    cache_free(&c);
}

/* --- from one cache to another ------------------------------------------ */

static void two_texts_have_a_beginning_in_common(void **state)
{
    (void)state;
    int held[] = {5, 6, 7, 8}, longer[] = {5, 6, 7, 8, 9}, other[] = {5, 6, 9};
    const struct cache c = {.ids = held, .length = 4, .capacity = 4};
    assert_int_equal(cache_common(&c, longer, 5), 4);
    assert_int_equal(cache_common(&c, longer, 3), 3);
    assert_int_equal(cache_common(&c, longer, 0), 0);
    assert_int_equal(cache_common(&c, other, 3), 2);
    assert_int_equal(cache_common(&c, other + 2, 1), 0);
    const struct cache none = {.ids = held, .capacity = 4};
    assert_int_equal(cache_common(&none, longer, 5), 0);
}

static void what_is_kept_begins_at_the_first_or_ends(void **state)
{
    (void)state;
    const struct cache_layer l = {.first = 13};
    assert_int_equal(cache_first_kept(&l, 20), 13);
    assert_int_equal(cache_first_kept(&l, 13), 13);
    assert_int_equal(cache_first_kept(&l, 5), 5);
}

/* From a layer that has all of 20 positions into a ring of 7 slots: the
 * newest that are asked for stay. */
static void a_copy_in_a_ring_keeps_the_newest(void **state)
{
    (void)state;
    struct cache from, to;
    open_cache(&from);
    open_cache(&to);
    fill(&from, 20);
    cache_copy_layer(&to.layers[1], &from.layers[0], 18);
    assert_int_equal(to.layers[1].first, 11);
    assert_holds(&to.layers[1], 11, 18);
    cache_free(&from);
    cache_free(&to);
}

/* A row that nobody has written is 0. */
static void assert_untouched(const struct cache_layer *l, size_t p)
{
    for (size_t i = 0; i < l->key_bytes; i++)
        assert_int_equal(key_row(l, p)[i], 0);
    for (size_t i = 0; i < l->value_bytes; i++)
        assert_int_equal(value_row(l, p)[i], 0);
}

/* From a ring, which has lost all before position 13. */
static void a_copy_of_a_ring_has_what_the_ring_had(void **state)
{
    (void)state;
    struct cache from, to;
    open_cache(&from);
    open_cache(&to);
    fill(&from, 20);
    cache_copy_layer(&to.layers[0], &from.layers[1], 18);
    assert_int_equal(to.layers[0].first, 13);
    assert_holds(&to.layers[0], 13, 18);
    assert_untouched(&to.layers[0], 12);
    assert_untouched(&to.layers[0], 18);
    cache_copy_layer(&to.layers[0], &from.layers[1], 5);
    assert_int_equal(to.layers[0].first, 5); /* nothing is left */
    cache_free(&from);
    cache_free(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_without_window_keeps_everything),
        cmocka_unit_test(a_ring_keeps_a_window_for_the_first_token_of_a_chunk),
        cmocka_unit_test(a_window_is_held_whatever_the_sizes),
        cmocka_unit_test(a_short_text_needs_no_ring),
        cmocka_unit_test(forgetting_ends_where_the_ring_has_lost_the_past),
        cmocka_unit_test(a_ring_that_was_never_full_forgets_to_any_length),
        cmocka_unit_test(what_is_written_again_counts_as_new),
        cmocka_unit_test(bytes_are_counted_by_layer),
        cmocka_unit_test(a_layer_reaches_back_by_its_window),
        cmocka_unit_test(a_position_is_a_key_and_a_value),
        cmocka_unit_test(a_cache_knows_its_sizes_and_forgets_in_each_layer),
        cmocka_unit_test(two_texts_have_a_beginning_in_common),
        cmocka_unit_test(what_is_kept_begins_at_the_first_or_ends),
        cmocka_unit_test(a_copy_in_a_ring_keeps_the_newest),
        cmocka_unit_test(a_copy_of_a_ring_has_what_the_ring_had),
    };
    return cmocka_run_group_tests_name("kvcache", tests, NULL, NULL);
}
