/* A cache in panels holds what one in rows does, byte for byte: whatever the
 * form, the heads, and how often a ring has turned. */
#include "kvcache.h"

#include "test_numbers.h"

enum panel_test_sizes {
    LENGTH = 333,
    CHUNK = 5
};

/* The two orders of one layer. */
struct orders {
    struct layer layer;
    struct model exact, fast; /* the second has kernels */
    struct cache rows, panels;
};

static void open_orders(struct orders *o, const struct cache_form *form,
                        size_t n_heads, size_t head_dim, size_t window)
{
    struct error e;
    o->layer = (struct layer){.attention = {.n_heads = n_heads,
                                            .n_kv_heads = n_heads,
                                            .head_dim = head_dim,
                                            .window = window}};
    o->exact = (struct model){.config = {.n_layers = 1}, .layers = &o->layer};
    o->fast = o->exact;
    o->fast.set = cpu_set_row(0);
    assert_ok(cache_init_form(&o->rows, &o->exact, form, LENGTH, CHUNK, &e),
              &e);
    assert_ok(cache_init_form(&o->panels, &o->fast, form, LENGTH, CHUNK, &e),
              &e);
    assert_false(cache_in_panels(o->rows.layers));
    assert_true(cache_in_panels(o->panels.layers));
    assert_int_equal(o->rows.arithmetic, ARITHMETIC);
    assert_int_equal(o->panels.arithmetic, ARITHMETIC_KERNELS);
    assert_int_equal((uintptr_t)o->panels.layers->key_panels.data % 64, 0);
    assert_int_equal((uintptr_t)o->panels.layers->value_panels.data % 64, 0);
}

static void close_orders(struct orders *o)
{
    cache_free(&o->rows);
    cache_free(&o->panels);
}

static void fill_numbers(float *x, size_t n, size_t seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = sinf((float)(seed * 1013 + i * 7));
}

/* The positions from .. from + n - 1 into both; panels head by head, the last
 * first, as threads may. */
static void store_both(struct orders *o, size_t from, size_t n)
{
    struct cache_layer *rows = o->rows.layers, *panels = o->panels.layers;
    size_t count = n * rows->width, heads = rows->width / rows->head_dim;
    float *keys = malloc(count * sizeof *keys);
    float *values = malloc(count * sizeof *values);
    fill_numbers(keys, count, 2 * from);
    fill_numbers(values, count, 2 * from + 1);
    cache_store(rows, from, n, keys, values);
    for (size_t h = heads; h-- > 0;)
        cache_store_heads(panels, h, h + 1, from, n, keys, values);
    cache_stored(panels, from + n);
    o->rows.length = o->panels.length = from + n;
    free(keys);
    free(values);
}

static void assert_same_positions(const struct cache_layer *a,
                                  const struct cache_layer *b, size_t first,
                                  size_t end)
{
    for (size_t p = first; p < end; p++) {
        assert_memory_equal(stored_key(a, p), stored_key(b, p), a->key_bytes);
        assert_memory_equal(stored_value(a, p), stored_value(b, p),
                            a->value_bytes);
    }
}

/* What both still have, as bytes and as numbers. */
static void assert_same_orders(const struct orders *o)
{
    const struct cache_layer *rows = o->rows.layers;
    const struct cache_layer *panels = o->panels.layers;
    float *a = malloc(rows->width * sizeof *a);
    float *b = malloc(rows->width * sizeof *b);
    size_t bytes = rows->width * sizeof *a;
    assert_true(panels->first <= rows->first);
    assert_same_positions(rows, panels, rows->first, o->rows.length);
    for (size_t p = rows->first; p < o->rows.length; p++) {
        assert_memory_equal(cache_key(rows, p, a), cache_key(panels, p, b),
                            bytes);
        assert_memory_equal(cache_value(rows, p, a), cache_value(panels, p, b),
                            bytes);
    }
    free(a);
    free(b);
}

/* By way of cache_copy_layer, from each order to the other. */
static void assert_copies(struct orders *o, const struct cache_form *form,
                          size_t n_heads, size_t head_dim, size_t window)
{
    struct orders copy;
    size_t n = o->rows.length;
    open_orders(&copy, form, n_heads, head_dim, window);
    cache_copy_layer(copy.rows.layers, o->panels.layers, n);
    cache_copy_layer(copy.panels.layers, o->rows.layers, n);
    copy.rows.length = copy.panels.length = n;
    assert_same_positions(copy.rows.layers, o->rows.layers,
                          o->rows.layers->first, n);
    assert_same_positions(copy.panels.layers, o->rows.layers,
                          o->rows.layers->first, n);
    close_orders(&copy);
}

static void assert_orders(const struct cache_form *form, size_t n_heads,
                          size_t head_dim, size_t window)
{
    struct orders o;
    open_orders(&o, form, n_heads, head_dim, window);
    for (size_t p = 0, n; p < LENGTH; p += n) {
        n = p % 3 + 1 < LENGTH - p ? p % 3 + 1 : LENGTH - p;
        store_both(&o, p, n);
        if (p % 50 < 3)
            assert_same_orders(&o);
    }
    assert_same_orders(&o);
    assert_copies(&o, form, n_heads, head_dim, window);
    size_t left = cache_truncate(&o.rows, LENGTH - 2);
    assert_int_equal(left, LENGTH - 2);
    assert_int_equal(cache_truncate(&o.panels, LENGTH - 2), left);
    store_both(&o, left, 1);
    assert_same_orders(&o);
    close_orders(&o);
}

static void panels_hold_what_rows_do(void **state)
{
    static const size_t dims[] = {1, 2, 7, 12, 64, 80, 96, 130};
    (void)state;
    for (size_t i = 0; cache_form_row(i); i++)
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
            assert_orders(cache_form_row(i), 1 + d % 3, dims[d], 0);
            assert_orders(cache_form_row(i), 1 + d % 3, dims[d], 20);
        }
}

/* Blocks begin at multiples of 64, and no two positions share a place. */
static void blocks_stand_at_absolute_positions(void **state)
{
    (void)state;
    struct panels p = panels_shape(PANEL_F16, false, 3, 64);
    struct error e;
    assert_int_equal(p.bytes, 64 * 16 * 2);
    assert_ok(panels_reserve(&p, 2, &e), &e);
    assert_ptr_equal(panel_of(&p, 0, 0), p.data);
    assert_ptr_equal(panel_of(&p, 15, 0), p.data);
    assert_ptr_equal(panel_of(&p, 16, 0), p.data + p.bytes);
    assert_ptr_equal(panel_of(&p, 63, 2), p.data + 11 * p.bytes);
    assert_ptr_equal(panel_of(&p, 64, 0), p.data + 12 * p.bytes);
    assert_ptr_equal(panel_of(&p, 128, 1), panel_of(&p, 0, 1));
    assert_ptr_equal(panel_of(&p, 191, 2), panel_of(&p, 63, 2));
    assert_int_equal(panels_size(&p), 24 * p.bytes);
    panels_free(&p);
}

static void what_cannot_be_reserved_is_an_error(void **state)
{
    (void)state;
    struct panels p = panels_shape(PANEL_F32, true, 3, 64);
    struct error e;
    assert_int_equal(panels_reserve(&p, SIZE_MAX / 4096, &e), -1);
    panels_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_hold_what_rows_do),
        cmocka_unit_test(blocks_stand_at_absolute_positions),
        cmocka_unit_test(what_cannot_be_reserved_is_an_error),
    };
    return cmocka_run_group_tests_name("cache_panels", tests, NULL, NULL);
}
