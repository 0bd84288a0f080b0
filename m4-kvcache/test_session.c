/* A session's file gives back what was put in; whatever is not such a file is
 * refused, with its name and the byte, before anything is believed. */
#include "session.h"

#include "test_files.h"
#include "test_numbers.h"

#include <xxhash.h>

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

enum places { /* of the file: see session.h */
    AT_VERSION = 8,
    AT_LAYERS = 12,
    AT_LENGTH = 24,
    AT_WIDTH = 40,
    AT_WINDOW = 48,
    AT_FIRST = 56,
    AT_SECOND_LAYER = 64,
    AT_IDS = 88
};

static const uint64_t model_number = 0x123456789abcdef0;

/* Two layers: the first sees everything, the second a window. */
static void open_cache(struct cache *c, size_t capacity, size_t chunk)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH}},
        {.attention = {.n_kv_heads = 1, .head_dim = WIDTH, .window = WINDOW}}};
    struct model m = {.config = {.n_layers = 2}, .layers = layers};
    struct error e;
    assert_ok(cache_init(c, &m, capacity, chunk, &e), &e);
}

/* What layer l keeps of position p, number i. */
static float key_of(size_t l, size_t p, size_t i)
{
    return (float)(100 * l + 10 * p + i);
}

static void fill_cache(struct cache *c, size_t n)
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
    c->length = c->rotated = n;
}

static void assert_filled(const struct cache *c, size_t n)
{
    assert_int_equal(c->length, n);
    for (size_t l = 0; l < 2; l++)
        for (size_t p = c->layers[l].first; p < n; p++)
            for (size_t i = 0; i < WIDTH; i++) {
                const struct cache_layer *layer = &c->layers[l];
                size_t at = slot_of(layer->slots, p) * WIDTH + i;
                assert_true(layer->keys[at] == key_of(l, p, i));
                assert_true(layer->values[at] == -key_of(l, p, i));
            }
    for (size_t p = 0; p < n; p++)
        assert_int_equal(c->ids[p], 50 + p);
}

static void save_filled(const char *path, size_t n)
{
    struct cache c;
    struct error e;
    open_cache(&c, CAPACITY, CHUNK);
    fill_cache(&c, n);
    assert_ok(session_save(path, &c, model_number, &e), &e);
    cache_free(&c);
}

static void load(const char *path, struct session *s)
{
    struct error e;
    assert_ok(session_load(path, s, &e), &e);
}

static size_t read_bytes(const char *path, unsigned char *out)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(out, 1, MOST_BYTES, f);
    fclose(f);
    assert_true(size < MOST_BYTES);
    return size;
}

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
        assert_int_equal(s.cache.rotated, n);
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
        assert_int_equal(c.rotated, LENGTH);
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

static void assert_not_restored(const char *path, struct session *s,
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

/* --- what is no session -------------------------------------------------- */

static void assert_refused(const char *message)
{
    struct session s;
    struct error e;
    assert_int_equal(session_load("s", &s, &e), -1);
    assert_null(s.cache.layers);
    if (message)
        assert_string_equal(e.message, message);
    else if (!strstr(e.message, "s: at byte "))
        print_error("no file and byte: %s\n", e.message);
    assert_true(message || strstr(e.message, "s: at byte ") == e.message);
}

static void every_shorter_file_is_refused(void **state)
{
    (void)state;
    unsigned char bytes[MOST_BYTES];
    save_filled("s", LENGTH);
    size_t size = read_bytes("s", bytes);
    write_file("s", bytes, 0);
    assert_refused("s: is empty");
    for (size_t n = 1; n < size; n++) {
        write_file("s", bytes, n);
        assert_refused(NULL);
    }
    write_file("s", bytes, 20);
    assert_refused("s: at byte 20: the file ends in its head; it was cut off");
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    unsigned char bytes[MOST_BYTES];
    save_filled("s", LENGTH);
    size_t size = read_bytes("s", bytes);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] ^= (unsigned char)(1 << bit);
            write_file("s", bytes, size);
            assert_refused(NULL);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
}

static void each_refusal_says_why(void **state)
{
    (void)state;
    unsigned char bytes[MOST_BYTES];
    save_filled("s", 1);
    size_t size = read_bytes("s", bytes);
    assert_int_equal(size, 132);
    bytes[100] ^= 1;
    write_file("s", bytes, size);
    assert_refused("s: at byte 124: the checksum is not that of the bytes "
                   "before; the file is damaged or was cut off");
    bytes[AT_VERSION] = 0;
    write_file("s", bytes, size);
    assert_refused("s: at byte 8: the layout has version 0; this program "
                   "reads version 1");
    bytes[7]++;
    write_file("s", bytes, size);
    assert_refused(
        "s: at byte 0: this is no session, which would begin with RUNGSESS");
    unlink("s");
    assert_refused("s: No such file or directory");
}

/* --- a liar with the right checksum -------------------------------------- */

struct lie {
    size_t at, size; /* which bytes of the file */
    uint64_t value;
    const char *message;
};

static const char no_layers[] =
    "s: at byte 40: there are more layers than bytes";
static const char no_tokens[] =
    "s: at byte 40: there are more tokens than bytes";
static const char no_rows[] =
    "s: at byte 64: a layer's rows are larger than the file";
static const char no_rows_2[] =
    "s: at byte 88: a layer's rows are larger than the file";
static const char no_sizes[] = "s: at byte 64: a layer's sizes are impossible";

static const struct lie lies[] = {
    {AT_LAYERS, 4, 0xffffffff, no_layers},
    {AT_LAYERS, 4, 50, no_layers},
    {AT_LAYERS, 4, 1, "s: at byte 64: there are bytes that belong to nothing"},
    {AT_LENGTH, 8, UINT64_MAX, no_tokens},
    {AT_LENGTH, 8, (uint64_t)1 << 62, no_tokens},
    {AT_LENGTH, 8, LENGTH + 1, no_rows_2},
    {AT_LENGTH, 8, LENGTH - 1,
     "s: at byte 88: there are bytes that belong to nothing"},
    {AT_WIDTH, 8, 0, no_sizes},
    {AT_WIDTH, 8, UINT64_MAX, no_rows},
    {AT_WIDTH, 8, (uint64_t)1 << 61, no_rows},
    {AT_WIDTH, 8, (uint64_t)1 << 32, no_rows},
    {AT_WIDTH, 8, 20, no_rows},
    {AT_WIDTH, 8, WIDTH + 1, no_rows_2},
    {AT_FIRST, 8, LENGTH + 1, no_sizes},
    {AT_FIRST, 8, UINT64_MAX, no_sizes},
    {AT_FIRST, 8, 1, "s: at byte 88: there are bytes that belong to nothing"},
    {AT_SECOND_LAYER, 8, (uint64_t)1 << 60, no_rows_2},
};

static void forge(unsigned char *bytes, size_t size, const struct lie *lie)
{
    memcpy(bytes + lie->at, &lie->value, lie->size);
    uint64_t sum = XXH3_64bits(bytes, size - 8);
    memcpy(bytes + size - 8, &sum, 8);
    write_file("s", bytes, size);
}

static void sizes_are_not_believed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        unsigned char bytes[MOST_BYTES];
        save_filled("s", LENGTH);
        forge(bytes, read_bytes("s", bytes), &lies[i]);
        assert_refused(lies[i].message);
    }
}

/* Its own sizes agree with each other, but not with the model's. */
static void a_session_must_have_the_models_layers(void **state)
{
    (void)state;
    static const struct lie other_window = {AT_WINDOW, 8, 9, NULL};
    static const struct lie other_ring = {AT_SECOND_LAYER + 8, 8, 5, NULL};
    const struct lie *other[] = {&other_window, &other_ring};
    for (size_t i = 0; i < 2; i++) {
        unsigned char bytes[MOST_BYTES];
        struct session s;
        save_filled("s", LENGTH);
        forge(bytes, read_bytes("s", bytes), other[i]);
        load("s", &s);
        assert_not_restored("s", &s, model_number,
                            "s: the layers are not those of the model");
    }
}

/* Ids are never looked up: they only say where two texts begin to differ. */
static void an_id_may_be_any_number(void **state)
{
    (void)state;
    static const struct lie wrong_id = {AT_IDS, 4, 0xffffffff, NULL};
    unsigned char bytes[MOST_BYTES];
    const int text[] = {50, 51};
    struct session s;
    save_filled("s", LENGTH);
    forge(bytes, read_bytes("s", bytes), &wrong_id);
    load("s", &s);
    assert_int_equal(s.cache.ids[0], -1);
    assert_int_equal(cache_common(&s.cache, text, 2), 0);
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
        SCRATCH(every_shorter_file_is_refused),
        SCRATCH(every_damaged_byte_is_noticed),
        SCRATCH(each_refusal_says_why),
        SCRATCH(sizes_are_not_believed),
        SCRATCH(a_session_must_have_the_models_layers),
        SCRATCH(an_id_may_be_any_number),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
