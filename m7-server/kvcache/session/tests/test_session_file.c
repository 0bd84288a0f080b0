/* Whatever is no session's file is refused, with its name and the byte, before
 * anything is believed. */
#include "test_made_session.h"

#include <xxhash.h>

enum places { /* of the file: see session.h */
    AT_VERSION = 8,
    AT_LAYERS = 12,
    AT_LENGTH = 24,
    AT_ROTATED = 32,
    AT_ARITHMETIC = 40,
    AT_FORM = 44,
    AT_WIDTH = 48,
    AT_WINDOW = 56,
    AT_FIRST = 64,
    AT_SECOND_LAYER = 72,
    AT_IDS = 96
};

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
    assert_int_equal(size, 140);
    bytes[100] ^= 1;
    write_file("s", bytes, size);
    assert_refused("s: at byte 132: the checksum is not that of the bytes "
                   "before; the file is damaged or was cut off");
    bytes[AT_VERSION] = 0;
    write_file("s", bytes, size);
    assert_refused("s: at byte 8: the layout has version 0; this program "
                   "reads version 2");
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
    "s: at byte 48: there are more layers than bytes";
static const char no_tokens[] =
    "s: at byte 48: there are more tokens than bytes";
static const char no_rows[] =
    "s: at byte 72: a layer's rows are larger than the file";
static const char no_rows_2[] =
    "s: at byte 96: a layer's rows are larger than the file";
static const char no_sizes[] = "s: at byte 72: a layer's sizes are impossible";

static const struct lie lies[] = {
    {AT_LAYERS, 4, 0xffffffff, no_layers},
    {AT_LAYERS, 4, 50, no_layers},
    {AT_LAYERS, 4, 1, "s: at byte 72: there are bytes that belong to nothing"},
    {AT_LENGTH, 8, UINT64_MAX,
     "s: at byte 40: the keys were rotated for a shorter text"},
    {AT_LENGTH, 8, LENGTH + 100, no_tokens},
    {AT_ROTATED, 8, LENGTH - 1,
     "s: at byte 40: the keys were rotated for a shorter text"},
    {AT_ARITHMETIC, 4, 3,
     "s: at byte 40: was computed by arithmetic 3; this program has 1 and 2"},
    {AT_FORM, 4, 7,
     "s: at byte 44: its rows have form 7, which this program does not know"},
    {AT_VERSION, 4, 1,
     "s: at byte 8: the layout has version 1, which does not say by which "
     "arithmetic it was computed; this program reads version 2"},
    {AT_LENGTH, 8, LENGTH + 1, no_rows_2},
    {AT_LENGTH, 8, LENGTH - 1,
     "s: at byte 96: there are bytes that belong to nothing"},
    {AT_WIDTH, 8, 0, no_sizes},
    {AT_WIDTH, 8, UINT64_MAX, no_rows},
    {AT_WIDTH, 8, (uint64_t)1 << 61, no_rows},
    {AT_WIDTH, 8, (uint64_t)1 << 32, no_rows},
    {AT_WIDTH, 8, 20, no_rows},
    {AT_WIDTH, 8, WIDTH + 1, no_rows_2},
    {AT_FIRST, 8, LENGTH + 1, no_sizes},
    {AT_FIRST, 8, UINT64_MAX, no_sizes},
    {AT_FIRST, 8, 1, "s: at byte 96: there are bytes that belong to nothing"},
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

/* A width whose bytes cannot be counted, where no position is held. */
static void an_empty_session_has_sizes_that_can_be(void **state)
{
    (void)state;
    unsigned char bytes[MOST_BYTES];
    const struct lie lie = {AT_WIDTH, 8, (uint64_t)1 << 61, no_sizes};
    save_filled("s", 0);
    forge(bytes, read_bytes("s", bytes), &lie);
    assert_refused(lie.message);
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

/* As the checksum is right, whoever wrote it meant it. */
static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const uint32_t none[] = {0x7f800000, 0xff800000, 0x7fc00001};
    static const struct lie key = {
        124, 4, 0, "s: at byte 124: a key or value is no number"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        unsigned char bytes[MOST_BYTES];
        struct lie lie = key;
        lie.value = none[i];
        save_filled("s", LENGTH);
        forge(bytes, read_bytes("s", bytes), &lie);
        assert_refused(lie.message);
    }
}

/* A text may be read again from a session's ids, so none may lead out of the
 * embedding. */
static void an_id_must_be_one_of_the_models(void **state)
{
    (void)state;
    static const struct lie wrong[] = {
        {AT_IDS, 4, 0xffffffff,
         "s: token 0 has the id -1; the model has the ids 0 to 99"},
        {AT_IDS + 8, 4, 100,
         "s: token 2 has the id 100; the model has the ids 0 to 99"},
        {AT_IDS, 4, 0x7fffffff,
         "s: token 0 has the id 2147483647; the model has the ids 0 to 99"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned char bytes[MOST_BYTES];
        struct session s;
        save_filled("s", LENGTH);
        forge(bytes, read_bytes("s", bytes), &wrong[i]);
        load("s", &s);
        assert_not_restored("s", &s, model_number, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(every_shorter_file_is_refused),
        SCRATCH(every_damaged_byte_is_noticed),
        SCRATCH(each_refusal_says_why),
        SCRATCH(sizes_are_not_believed),
        SCRATCH(an_empty_session_has_sizes_that_can_be),
        SCRATCH(what_is_no_number_is_refused),
        SCRATCH(a_session_must_have_the_models_layers),
        SCRATCH(an_id_must_be_one_of_the_models),
    };
    return cmocka_run_group_tests_name("session_file", tests, NULL, NULL);
}
