/* Attention by kernels: the same bits whatever the instruction set, the
 * threads and the chunks. */
#include "test_trial.h"

/* --- the same bits ------------------------------------------------------- */

static void assert_same_reading(const struct trial *t,
                                const struct numbers_of *x,
                                const float *expected, struct reading how)
{
    size_t n = t->length * out_of(t);
    float *found = read_text(t, x, how);
    for (size_t i = 0; i < n; i++)
        if (memcmp(found + i, expected + i, sizeof *found) != 0) {
            print_error("%s, %zu threads, chunks of %zu, form %s, heads of "
                        "%zu: number %zu of token %zu is %a, not %a\n",
                        how.set->name, how.threads, how.chunk, t->form,
                        t->head_dim, i % out_of(t), i / out_of(t),
                        (double)found[i], (double)expected[i]);
            assert_true(false);
        }
    free(found);
}

static const struct cpu_set *set_here(size_t i)
{
    const struct cpu_set *set = cpu_set_row(i);
    return set && set->is_here() ? set : NULL;
}

static void assert_same_bits(const struct trial *t)
{
    static const size_t chunks[] = {1, 3, 16, 50, 64, 200};
    struct numbers_of x = numbers_of_trial(t);
    struct reading first = {cpu_set_row(0), 1, 64};
    while (!first.set->is_here())
        first.set++;
    float *expected = read_text(t, &x, first);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        assert_same_reading(t, &x, expected,
                            (struct reading){first.set, 1, chunks[i]});
    for (size_t threads = 2; threads <= 3; threads++)
        assert_same_reading(t, &x, expected,
                            (struct reading){first.set, threads, 50});
    for (size_t i = 0; cpu_set_row(i); i++)
        if (set_here(i))
            assert_same_reading(t, &x, expected,
                                (struct reading){set_here(i), 1, 64});
    free(expected);
    free_numbers(&x);
}

static void bits_depend_on_nothing_but_the_text(void **state)
{
    (void)state;
    for (size_t i = 0; attention_trials[i].form; i++)
        assert_same_bits(&attention_trials[i]);
}

/* Whether a number of rows, 1 to 9, is tried: all where time does not matter,
 * else those around the border. */
static bool is_tried(size_t rows)
{
    return rows == 1 || rows >= 8 || is_long() || is_slow();
}

/* Up to 8 rows of one token read panels where they stand; those of many tokens
 * share numbers that were written down before.  A thread alone does its work
 * in two pieces, so that half of the heads are a piece's rows. */
static void few_rows_have_the_bits_of_many(void **state)
{
    static const char *const forms[] = {"f32",  "f16",  "int8",
                                        "k4v4", "k4v3", "k3v2"};
    (void)state;
    for (size_t i = 0; i < 6 * 9; i++) {
        size_t rows = 1 + i / 6;
        if (!is_tried(rows))
            continue;
        struct trial t = {2 * rows, 1, 80, i % 2 ? 70 : 0, 0, forms[i % 6],
                          130};
        struct numbers_of x = numbers_of_trial(&t);
        for (size_t set = 0; cpu_set_row(set); set++) {
            if (!set_here(set))
                continue;
            float *many = read_text(&t, &x,
                                    (struct reading){set_here(set), 1, 50});
            assert_same_reading(&t, &x, many,
                                (struct reading){set_here(set), 1, 1});
            free(many);
        }
        free_numbers(&x);
    }
}

/* Ranges are computed by whichever thread, and in one token at a time. */
static void ranges_are_joined_in_their_order(void **state)
{
    (void)state;
    struct trial t = {3, 1, 32, 0, 0, "f16", 1700};
    struct numbers_of x = numbers_of_trial(&t);
    struct reading how = {cpu_set_row(0), 1, 200};
    while (!how.set->is_here())
        how.set++;
    float *expected = read_text(&t, &x, how);
    for (size_t threads = 1; threads <= 8; threads++)
        assert_same_reading(&t, &x, expected,
                            (struct reading){how.set, threads,
                                             threads % 3 == 1 ? 1 : 200});
    t.window = 700;
    float *windowed = read_text(&t, &x, how);
    assert_same_reading(&t, &x, windowed, (struct reading){how.set, 3, 1});
    free(windowed);
    free(expected);
    free_numbers(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_depend_on_nothing_but_the_text),
        cmocka_unit_test(few_rows_have_the_bits_of_many),
        cmocka_unit_test(ranges_are_joined_in_their_order),
    };
    return cmocka_run_group_tests_name("attend", tests, NULL, NULL);
}
