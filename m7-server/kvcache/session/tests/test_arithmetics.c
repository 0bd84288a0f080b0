/* A session says by which arithmetic it was computed, and goes on by no
 * other. */
#include "test_made_session.h"

/* The cache of test_made_session.h, as kernels read it. */
static void open_by_kernels(struct cache *c)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}}};
    struct model m = {.config = {.n_layers = 2, .vocab_size = 100},
                      .layers = layers,
                      .set = cpu_set_row(0)};
    struct error e;
    assert_ok(cache_init(c, &m, CAPACITY, CHUNK, &e), &e);
}

static void save_by_kernels(const char *path, size_t n)
{
    struct cache c;
    struct error e;
    open_by_kernels(&c);
    fill_cache(&c, n);
    assert_ok(session_save(path, &c, model_number, &e), &e);
    cache_free(&c);
}

static void assert_taken_over(const struct cache *c, size_t n)
{
    float row[WIDTH];
    assert_int_equal(c->length, n);
    for (size_t l = 0; l < 2; l++)
        for (size_t p = c->layers[l].first; p < n; p++)
            for (size_t i = 0; i < WIDTH; i++) {
                assert_true(cache_key(&c->layers[l], p, row)[i] ==
                            key_of(l, p, i));
                assert_true(cache_value(&c->layers[l], p, row)[i] ==
                            -key_of(l, p, i));
            }
}

static void panels_come_back_as_they_were(void **state)
{
    (void)state;
    for (size_t n = 0; n <= CAPACITY; n++) {
        struct session s;
        struct cache c;
        struct error e;
        save_by_kernels("s", n);
        load("s", &s);
        assert_int_equal(s.cache.arithmetic, ARITHMETIC_KERNELS);
        open_by_kernels(&c);
        fill_cache(&c, 2);
        assert_ok(session_restore(&s, "s", model_number, &c, &e), &e);
        assert_taken_over(&c, n);
        cache_free(&c);
        session_free(&s);
    }
}

static void kernels_go_on_with_no_exact_session(void **state)
{
    (void)state;
    struct session s;
    struct cache c;
    struct error e;
    save_filled("s", LENGTH);
    load("s", &s);
    open_by_kernels(&c);
    assert_int_equal(session_restore(&s, "s", model_number, &c, &e), -1);
    assert_string_equal(e.message, "s: was computed by exact arithmetic, this "
                                   "text is by kernels");
    assert_int_equal(e.code, ERROR_UNSUPPORTED);
    assert_int_equal(c.length, 0);
    cache_free(&c);
    session_free(&s);
}

static void exact_arithmetic_goes_on_with_no_session_of_kernels(void **state)
{
    (void)state;
    struct session s;
    save_by_kernels("s", LENGTH);
    load("s", &s);
    assert_not_restored("s", &s, model_number,
                        "s: was computed by kernels, this text is by exact "
                        "arithmetic");
}

/* The layout of the file is one: only what says the arithmetic differs, the
 * checksum, and how much of a ring is left, since panels are whole. */
static void the_file_has_one_layout(void **state)
{
    (void)state;
    enum places { AT_ARITHMETIC = 40, CHECKSUM_BYTES = 8 };
    unsigned char exact[MOST_BYTES], fast[MOST_BYTES];
    save_filled("s", 3);
    save_by_kernels("t", 3);
    size_t size = read_bytes("s", exact);
    assert_int_equal(read_bytes("t", fast), size);
    assert_int_equal(exact[AT_ARITHMETIC], 1);
    assert_int_equal(fast[AT_ARITHMETIC], 2);
    assert_memory_equal(exact, fast, AT_ARITHMETIC);
    assert_memory_equal(exact + AT_ARITHMETIC + 1, fast + AT_ARITHMETIC + 1,
                        size - CHECKSUM_BYTES - AT_ARITHMETIC - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(panels_come_back_as_they_were),
        SCRATCH(kernels_go_on_with_no_exact_session),
        SCRATCH(exact_arithmetic_goes_on_with_no_session_of_kernels),
        SCRATCH(the_file_has_one_layout),
    };
    return cmocka_run_group_tests_name("arithmetics", tests, NULL, NULL);
}
