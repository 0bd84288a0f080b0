/* Every form stores and reads the heads of golden/cache_forms.safetensors as
 * numpy does, bit for bit: tests/oracle/quant/cache_forms.py.  What has no
 * golden follows below: what is no number, and the table. */
#include "cache_form.h"

#include "test_hash.h"
#include "test_numbers.h"

enum head_sizes {
    MOST_BYTES = 4 * 640
};

/* The ways to store a head, by the names that the goldens have. */
struct named_form {
    const char *name;
    struct head_form form;
};

static const struct named_form ways[] = {
    {"f16", {"f16", 16, plain_bytes, store_half, read_half, PANEL_F16,
             NULL, NULL}},
    {"int8", {"int8", 8, int8_bytes, store_int8, read_int8, PANEL_INT8,
              NULL, NULL}},
    {"codebook2",
     {"codebook", 2, codebook_bytes, store_codebook, read_codebook,
      PANEL_2BITS, turn_codebook, turn_codebook_back}},
    {"codebook3",
     {"codebook", 3, codebook_bytes, store_codebook, read_codebook,
      PANEL_3BITS, turn_codebook, turn_codebook_back}},
    {"codebook4",
     {"codebook", 4, codebook_bytes, store_codebook, read_codebook,
      PANEL_4BITS, turn_codebook, turn_codebook_back}},
};

static const size_t n_ways = sizeof ways / sizeof ways[0];

static const struct tensor *golden_part(const struct checkpoint *c,
                                        const char *form, size_t n,
                                        const char *part)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%zu%s", form, n, part);
    return golden(c, name, "");
}

/* One head x (n,): the same bytes, and the same floats of them; nothing is
 * written behind. */
static void check_head(const struct named_form *way, const float *x, size_t n,
                       const struct tensor *bytes, size_t row, uint64_t hash)
{
    unsigned char stored[MOST_BYTES + 1];
    float found[MOST_BYTES / 4 + 1];
    size_t size = way->form.bytes(way->form.bits, n);
    assert_int_equal(size, bytes->shape[1]);
    memset(stored, 0xa5, sizeof stored);
    found[n] = 0.75f;
    way->form.store(way->form.bits, x, n, stored);
    way->form.read(way->form.bits, stored, n, found);
    bool same_bytes = memcmp(stored, bytes->data + row * size, size) == 0;
    bool same_floats = hash_floats(HASH_START, found, n) == hash;
    if (!same_bytes || !same_floats)
        print_error("%s: head %zu of %zu numbers is %s otherwise\n", way->name,
                    row, n, same_bytes ? "read" : "stored");
    assert_true(same_bytes && same_floats);
    assert_true(stored[size] == 0xa5 && found[n] == 0.75f);
}

static void check_heads(const struct checkpoint *c,
                        const struct named_form *way, size_t n)
{
    const struct tensor *x = golden_part(c, "x", n, "");
    const struct tensor *bytes = golden_part(c, way->name, n, ".bytes");
    const struct tensor *hashes = golden_part(c, way->name, n, ".hashes");
    float *heads = golden_values(x);
    for (size_t i = 0; i < x->shape[0]; i++) {
        uint64_t hash;
        memcpy(&hash, hashes->data + 8 * i, sizeof hash);
        check_head(way, heads + i * n, n, bytes, i, hash);
    }
    free(heads);
}

static void every_head_is_stored_and_read_as_numpy_does(void **state)
{
    (void)state;
    struct checkpoint c;
    struct error e;
    static const size_t sizes[] = {1,  2,  3,  7,   8,   10,  12, 24,
                                   64, 80, 96, 128, 256, 512, 640};
    size_t n_sizes = sizeof sizes / sizeof sizes[0];
    assert_ok(checkpoint_open(&c, "golden/cache_forms.safetensors", &e), &e);
    assert_int_equal(c.n_tensors, n_sizes * (1 + 2 * n_ways));
    for (size_t i = 0; i < n_sizes; i++)
        for (size_t w = 0; w < n_ways; w++)
            check_heads(&c, &ways[w], sizes[i]);
    checkpoint_close(&c);
}

/* Whoever multiplies with such a head gets no number. */
static void what_is_no_number_is_read_as_none(void **state)
{
    (void)state;
    static const float none[] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (size_t w = 0; w < n_ways; w++)
        for (size_t i = 0; i < 4; i++) {
            const struct head_form *f = &ways[w].form;
            float x[12] = {1, 2, 3}, sum = 0;
            unsigned char stored[MOST_BYTES];
            x[5] = none[i];
            f->store(f->bits, x, 12, stored);
            f->read(f->bits, stored, 12, x);
            for (size_t j = 0; j < 12; j++)
                sum += fabsf(x[j]);
            if (f->bits != 8 || i < 3) /* 8 bits hold 1e30 as well as 1 */
                assert_false(isfinite(sum));
            else
                assert_true(fabsf(x[5] / 1e30f - 1) < 1e-6f && x[0] == 0);
        }
}

/* 80 = 64 + 16: as two heads, each with its length, and the codes of both in
 * one stream. */
static void a_head_is_cut_into_powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(codebook_bytes(4, 64), 2 + 32);
    assert_int_equal(codebook_bytes(3, 64), 2 + 24);
    assert_int_equal(codebook_bytes(2, 64), 2 + 16);
    assert_int_equal(codebook_bytes(4, 80), 2 + 2 + 40);
    assert_int_equal(codebook_bytes(3, 96), 2 + 2 + 36);
    assert_int_equal(codebook_bytes(4, 512), 2 + 256);
    assert_int_equal(codebook_bytes(4, 1024), 2 + 2 + 512);
    assert_int_equal(codebook_bytes(3, 7), 2 + 2 + 2 + 3);
    float x[80], whole[80], first[64], rest[16];
    unsigned char stored[44], of_first[34], of_rest[10];
    for (size_t i = 0; i < 80; i++)
        x[i] = (float)(i * 37 % 41) - 20;
    store_codebook(4, x, 80, stored);
    store_codebook(4, x, 64, of_first);
    store_codebook(4, x + 64, 16, of_rest);
    assert_memory_equal(stored, of_first, 2);
    assert_memory_equal(stored + 2, of_rest, 2);
    assert_memory_equal(stored + 4, of_first + 2, 32);
    assert_memory_equal(stored + 36, of_rest + 2, 8);
    read_codebook(4, stored, 80, whole);
    read_codebook(4, of_first, 64, first);
    read_codebook(4, of_rest, 16, rest);
    assert_memory_equal(whole, first, sizeof first);
    assert_memory_equal(whole + 64, rest, sizeof rest);
}

/* A model may say any width; to count its bytes takes no time. */
static void a_wide_head_is_counted_at_once(void **state)
{
    (void)state;
    size_t n = (size_t)1 << 50;
    assert_true(codebook_bytes(4, n) == n / 512 * (2 + 256));
    assert_true(codebook_bytes(4, n + 64) == n / 512 * (2 + 256) + 2 + 32);
}

static void a_form_is_found_by_name_and_by_number(void **state)
{
    (void)state;
    static const char *const names[] = {"f32",  "f16",  "int8",
                                        "k4v4", "k4v3", "k3v2"};
    for (size_t i = 0; i < 6; i++) {
        const struct cache_form *f = cache_form_row(i);
        assert_string_equal(f->name, names[i]);
        assert_int_equal(f->number, i + 1); /* files have it */
        assert_ptr_equal(cache_form_named(names[i]), f);
        assert_ptr_equal(cache_form_numbered(f->number), f);
    }
    assert_ptr_equal(cache_form_named("K4V3"), cache_form_row(4));
    assert_null(cache_form_row(6));
    assert_null(cache_form_named("k4"));
    assert_null(cache_form_numbered(0));
    assert_null(cache_form_numbered(7));
}

static void the_ends_of_a_model_keep_more_of_their_values(void **state)
{
    (void)state;
    const struct cache_form *f = cache_form_named("k4v3");
    static const size_t bits[] = {4, 4, 3, 3, 4, 4};
    for (size_t l = 0; l < 6; l++)
        assert_int_equal(value_form(f, l, 6)->bits, bits[l]);
    for (size_t l = 0; l < 3; l++)
        assert_int_equal(value_form(f, l, 3)->bits, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_head_is_stored_and_read_as_numpy_does),
        cmocka_unit_test(what_is_no_number_is_read_as_none),
        cmocka_unit_test(a_head_is_cut_into_powers_of_two),
        cmocka_unit_test(a_wide_head_is_counted_at_once),
        cmocka_unit_test(a_form_is_found_by_name_and_by_number),
        cmocka_unit_test(the_ends_of_a_model_keep_more_of_their_values),
    };
    return cmocka_run_group_tests_name("cache_forms", tests, NULL, NULL);
}
