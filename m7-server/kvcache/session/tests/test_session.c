/* A session's file gives back what was put in, to a cache of the same
 * model. */
#include "test_made_session.h"

#include <signal.h>
#include <sys/resource.h>

/* --- there and back ------------------------------------------------------ */

static void what_is_saved_is_loaded(void **state)
{
    (void)state;
    struct session s;
    for (size_t n = 0; n <= CAPACITY; n++) {
        save_filled("s", n);
        load("s", &s);
        assert_int_equal(s.model, model_number);
        assert_int_equal(s.cache.n_layers, 2);
        assert_int_equal(s.cache.rotated, n + 100);
        assert_int_equal(s.cache.layers[0].first, 0);
        assert_int_equal(s.cache.layers[1].first, n > 4 ? n - 4 : 0);
        assert_int_equal(s.cache.layers[1].window, WINDOW);
        assert_filled(&s.cache, n);
        session_free(&s);
    }
}

/* A ring of another size holds what it has room for, or all there is. */
static void a_cache_of_any_chunk_takes_it_over(void **state)
{
    (void)state;
    save_filled("s", LENGTH);
    for (size_t chunk = 1; chunk <= CAPACITY; chunk++) {
        struct session s;
        struct cache c;
        struct error e;
        load("s", &s);
        open_cache(&c, CAPACITY, chunk);
        fill_cache(&c, 2);
        assert_ok(session_restore(&s, "s", model_number, &c, &e), &e);
        assert_int_equal(c.layers[1].first, chunk == 1 ? 4 : 3);
        assert_int_equal(c.rotated, LENGTH + 100);
        assert_filled(&c, LENGTH);
        cache_free(&c);
        session_free(&s);
    }
}

/* Position 6 needs what the ring has from 4 on, position 5 from 3 on; position
 * 4 would need 2, which is gone. */
static void a_smaller_cache_takes_the_beginning(void **state)
{
    (void)state;
    static const size_t expected[] = {0, 0, 0, 0, 0, 5, 6, 7, 7};
    save_filled("s", LENGTH);
    for (size_t capacity = 1; capacity <= 8; capacity++) {
        struct session s;
        struct cache c;
        struct error e;
        load("s", &s);
        open_cache(&c, capacity, CHUNK);
        assert_ok(session_restore(&s, "s", model_number, &c, &e), &e);
        assert_filled(&c, expected[capacity]);
        cache_free(&c);
        session_free(&s);
    }
}

static void a_session_can_be_saved_again(void **state)
{
    (void)state;
    unsigned char once[MOST_BYTES], twice[MOST_BYTES];
    struct session s;
    struct error e;
    save_filled("s", LENGTH);
    load("s", &s);
    assert_ok(session_save("t", &s.cache, s.model, &e), &e);
    session_free(&s);
    size_t size = read_bytes("s", once);
    assert_int_equal(read_bytes("t", twice), size);
    assert_memory_equal(once, twice, size);
}

static void another_models_session_is_refused(void **state)
{
    (void)state;
    struct session s;
    save_filled("s", LENGTH);
    load("s", &s);
    assert_not_restored("s", &s, 0xff,
                        "s: is of another model: the fingerprint is "
                        "123456789abcdef0, that of this one "
                        "00000000000000ff");
}

/* A session of 7 tokens, and a cache that could take it. */
static void open_both(struct session *s, struct cache *c)
{
    save_filled("s", LENGTH);
    load("s", s);
    open_cache(c, CAPACITY, CHUNK);
}

static void there_must_be_as_many_layers(void **state)
{
    (void)state;
    struct session s;
    struct cache c;
    struct error e;
    open_both(&s, &c);
    c.n_layers = 1;
    assert_int_equal(session_restore(&s, "s", model_number, &c, &e), -1);
    assert_string_equal(e.message, "s: the layers are not those of the model");
    assert_int_equal(c.length, 0);
    c.n_layers = 2;
    cache_free(&c);
    session_free(&s);
}

/* Of layer 1 the next token needs position 5. */
static void a_ring_must_reach_back(void **state)
{
    (void)state;
    struct session s;
    save_filled("s", LENGTH);
    load("s", &s);
    s.cache.layers[1].first = 6;
    assert_not_restored("s", &s, model_number,
                        "s: the layers are not those of the model");
}

static void layers_must_be_as_wide(void **state)
{
    (void)state;
    for (size_t l = 0; l < 2; l++) {
        struct session s;
        save_filled("s", LENGTH);
        load("s", &s);
        s.cache.layers[l].width = WIDTH + 1;
        assert_not_restored("s", &s, model_number,
                            "s: the layers are not those of the model");
    }
}

static void rows_must_be_of_one_form(void **state)
{
    (void)state;
    struct session s;
    save_filled("s", LENGTH);
    load("s", &s);
    s.cache.form++;
    assert_not_restored(
        "s", &s, model_number,
        "s: its cache is stored as f16, that of this text as f32");
}

/* Of 100 ids. */
static void the_first_and_the_last_id_are_ids(void **state)
{
    (void)state;
    struct session s;
    struct cache c;
    struct error e;
    open_both(&s, &c);
    s.cache.ids[0] = 0;
    s.cache.ids[LENGTH - 1] = 99;
    assert_ok(session_restore(&s, "s", model_number, &c, &e), &e);
    assert_int_equal(c.ids[0], 0);
    assert_int_equal(c.ids[LENGTH - 1], 99);
    cache_free(&c);
    session_free(&s);
}

/* --- what cannot be saved ------------------------------------------------ */

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct cache c;
    struct error e;
    open_cache(&c, CAPACITY, CHUNK);
    fill_cache(&c, LENGTH);
    assert_int_equal(session_save("none/s", &c, model_number, &e), -1);
    assert_string_equal(e.message, "none/s: No such file or directory");
    cache_free(&c);
}

/* A limit on the size of files stands for a disk that is full; the session is
 * larger than what a FILE keeps back. */
static void a_session_that_does_not_fit_changes_nothing(void **state)
{
    (void)state;
    enum sizes { LONG = 10000 };
    struct rlimit before, small;
    struct cache c;
    struct error e;
    save_filled("s", LENGTH);
    open_cache(&c, LONG, CHUNK);
    fill_cache(&c, LONG);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){10000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    int result = session_save("s", &c, model_number, &e);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    cache_free(&c);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, "s: File too large; nothing was changed");
    struct session s;
    load("s", &s);
    assert_filled(&s.cache, LENGTH);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(what_is_saved_is_loaded),
        SCRATCH(a_cache_of_any_chunk_takes_it_over),
        SCRATCH(a_smaller_cache_takes_the_beginning),
        SCRATCH(a_session_can_be_saved_again),
        SCRATCH(another_models_session_is_refused),
        SCRATCH(there_must_be_as_many_layers),
        SCRATCH(a_ring_must_reach_back),
        SCRATCH(layers_must_be_as_wide),
        SCRATCH(rows_must_be_of_one_form),
        SCRATCH(the_first_and_the_last_id_are_ids),
        SCRATCH(a_folder_that_is_not_there_is_an_error),
        SCRATCH(a_session_that_does_not_fit_changes_nothing),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
