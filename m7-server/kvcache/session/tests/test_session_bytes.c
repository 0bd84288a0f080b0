/* Sessions that are made by hand, byte for byte by the table of session.h:
 * what is saved is these bytes, and what is barely a session, or barely none,
 * is told from the other. */
#include "test_made_session.h"

#include <xxhash.h>

struct made {
    unsigned char bytes[MOST_BYTES];
    size_t size;
};

/* The lowest `size` bytes of a number, the lowest first. */
static void put(struct made *m, uint64_t value, size_t size)
{
    assert_true(m->size + size <= MOST_BYTES);
    for (size_t i = 0; i < size; i++)
        m->bytes[m->size++] = (unsigned char)(value >> 8 * i);
}

static void put_head(struct made *m, uint64_t n_layers, uint64_t length)
{
    *m = (struct made){0};
    memcpy(m->bytes, "RUNGSESS", 8);
    m->size = 8;
    put(m, 2, 4); /* the version */
    put(m, n_layers, 4);
    put(m, model_number, 8);
    put(m, length, 8);
    put(m, length + 100, 8); /* what it was rotated for */
    put(m, 1, 4);            /* the arithmetic */
    put(m, 1, 4);            /* 32-bit floats */
}

static void put_layer(struct made *m, uint64_t width, uint64_t window,
                      uint64_t first)
{
    put(m, width, 8);
    put(m, window, 8);
    put(m, first, 8);
}

static void put_ids(struct made *m, size_t n)
{
    for (size_t p = 0; p < n; p++)
        put(m, 50 + p, 4);
}

/* The keys of positions first .. end - 1 of layer l; negative, the values. */
static void put_numbers(struct made *m, size_t l, size_t first, size_t end,
                        float sign)
{
    for (size_t p = first; p < end; p++)
        for (size_t i = 0; i < WIDTH; i++) {
            float number = sign * key_of(l, p, i);
            uint32_t bits;
            memcpy(&bits, &number, sizeof bits);
            put(m, bits, 4);
        }
}

static void write_made(struct made *m)
{
    put(m, XXH3_64bits(m->bytes, m->size), 8);
    write_file("s", m->bytes, m->size);
}

/* Of five tokens the ring of four has lost the first. */
static void the_file_is_as_the_table_says(void **state)
{
    (void)state;
    struct made m;
    unsigned char saved[MOST_BYTES];
    put_head(&m, 2, 5);
    put_layer(&m, WIDTH, 0, 0);
    put_layer(&m, WIDTH, WINDOW, 1);
    put_ids(&m, 5);
    for (size_t l = 0; l < 2; l++) {
        put_numbers(&m, l, l, 5, 1);
        put_numbers(&m, l, l, 5, -1);
    }
    write_made(&m);
    save_filled("saved", 5);
    assert_int_equal(read_bytes("saved", saved), m.size);
    for (size_t i = 0; i < m.size; i++)
        if (saved[i] != m.bytes[i])
            print_error("byte %zu: expected %d, got %d\n", i, m.bytes[i],
                        saved[i]);
    assert_memory_equal(saved, m.bytes, m.size);
}

/* --- what is barely a session -------------------------------------------- */

static void a_session_may_have_no_layers(void **state)
{
    (void)state;
    struct made m;
    struct session s;
    put_head(&m, 0, 0);
    write_made(&m);
    assert_int_equal(m.size, 56);
    load("s", &s);
    assert_true(s.model == model_number);
    assert_true(s.cache.n_layers == 0 && s.cache.length == 0);
    session_free(&s);
}

/* Its tokens are all there is behind the layers. */
static void a_layer_may_have_kept_no_rows(void **state)
{
    (void)state;
    struct made m;
    struct session s;
    put_head(&m, 1, 6);
    put_layer(&m, WIDTH, 1, 6);
    put_ids(&m, 6);
    write_made(&m);
    load("s", &s);
    assert_int_equal(s.cache.length, 6);
    assert_int_equal(s.cache.layers[0].first, 6);
    assert_int_equal(s.cache.layers[0].slots, 0);
    assert_int_equal(s.cache.ids[5], 55);
    session_free(&s);
}

/* --- what is barely none ------------------------------------------------- */

static void assert_made_refused(struct made *m, const char *message)
{
    struct session s;
    struct error e;
    write_made(m);
    assert_int_equal(session_load("s", &s, &e), -1);
    assert_string_equal(e.message, message);
    assert_true(!s.cache.layers && !s.cache.ids && s.model == 0);
}

/* Eight rows of a key and a value are 64 bytes. */
static void rows_may_not_lack_a_byte(void **state)
{
    (void)state;
    struct made m;
    put_head(&m, 1, 8);
    put_layer(&m, 1, 0, 0);
    put_ids(&m, 8);
    for (int i = 0; i < 63; i++)
        put(&m, 0, 1);
    assert_made_refused(
        &m, "s: at byte 72: a layer's rows are larger than the file");
}

static void ids_may_not_lack_one(void **state)
{
    (void)state;
    struct made m;
    put_head(&m, 1, 8);
    put_layer(&m, WIDTH, 1, 8);
    put_ids(&m, 7);
    assert_made_refused(&m, "s: at byte 48: there are more tokens than bytes");
}

static void a_layers_head_may_not_lack_a_byte(void **state)
{
    (void)state;
    struct made m;
    put_head(&m, 1, 0);
    put_layer(&m, WIDTH, 0, 0);
    m.size--;
    assert_made_refused(&m, "s: at byte 48: there are more layers than bytes");
}

/* The head is 48 bytes, and 8 more are the checksum. */
static void what_ends_in_its_head_says_so(void **state)
{
    (void)state;
    struct made m;
    struct session s;
    struct error e;
    char message[80];
    put_head(&m, 0, 0);
    put(&m, XXH3_64bits(m.bytes, m.size), 8);
    for (size_t size = 8; size < m.size; size++) {
        write_file("s", m.bytes, size);
        snprintf(message, sizeof message,
                 "s: at byte %zu: the file ends in its head; it was cut off",
                 size);
        assert_int_equal(session_load("s", &s, &e), -1);
        assert_string_equal(e.message, message);
    }
}

struct place {
    size_t at, row; /* of the file: a number, and the row that it is in */
};

/* take_row: any of its numbers, in any row, of keys or of values. */
static void each_number_must_be_one(void **state)
{
    (void)state;
    static const struct place none[] = {{128, 124}, {172, 172}, {180, 180},
                                        {232, 228}, {236, 236}, {268, 268},
                                        {296, 292}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct made m = {0};
        char message[80];
        save_filled("s", LENGTH);
        m.size = read_bytes("s", m.bytes) - 8;
        assert_int_equal(m.size, 300);
        memcpy(m.bytes + none[i].at, "\0\0\xc0\x7f", 4);
        snprintf(message, sizeof message,
                 "s: at byte %zu: a key or value is no number", none[i].row);
        assert_made_refused(&m, message);
    }
}

static void what_is_not_there_leaves_nothing(void **state)
{
    (void)state;
    struct session s;
    struct error e;
    memset(&s, 1, sizeof s);
    assert_int_equal(session_load("none", &s, &e), -1);
    assert_string_equal(e.message, "none: No such file or directory");
    assert_true(!s.cache.layers && !s.cache.ids && s.model == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(the_file_is_as_the_table_says),
        SCRATCH(a_session_may_have_no_layers),
        SCRATCH(a_layer_may_have_kept_no_rows),
        SCRATCH(rows_may_not_lack_a_byte),
        SCRATCH(ids_may_not_lack_one),
        SCRATCH(a_layers_head_may_not_lack_a_byte),
        SCRATCH(what_ends_in_its_head_says_so),
        SCRATCH(each_number_must_be_one),
        SCRATCH(what_is_not_there_leaves_nothing),
    };
    return cmocka_run_group_tests_name("session, byte by byte", tests, NULL,
                                       NULL);
}
