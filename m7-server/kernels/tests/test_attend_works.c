/* Works that are done together: each has the bits that it has alone, whatever
 * the others are and however many threads there are. */
#include "test_trial.h"

enum works_sizes {
    LENGTH = 2100,
    MOST_WORKS = 9,
    MOST_TOKENS = 20,
    TRIES = 40
};

/* Works over one text: each sees what is before its own tokens. */
struct works {
    struct attention_work list[MOST_WORKS];
    size_t n;
    float *together, *alone; /* (MOST_WORKS, MOST_TOKENS, heads, head_dim) */
    size_t numbers;
};

static size_t below(uint64_t *seed, size_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*seed >> 33) % n;
}

/* A token or some, late or early. */
static void place_work(struct attention_work *w, uint64_t *seed)
{
    size_t latest = below(seed, 3) ? 100 : LENGTH - MOST_TOKENS;
    w->n = below(seed, 3) ? 1 : 1 + below(seed, MOST_TOKENS);
    w->from = below(seed, 4) ? below(seed, latest) : latest - 1;
}

static void place_works(struct works *w, struct reader_of *r,
                        const struct trial *t, const float *q, uint64_t *seed)
{
    const struct cache_layer *l = r->cache.layers;
    w->n = 1 + below(seed, MOST_WORKS);
    for (size_t i = 0; i < w->n; i++) {
        w->list[i] = (struct attention_work){.keys = &l->key_panels,
                                             .values = &l->value_panels,
                                             .n_heads = t->n_heads,
                                             .window = t->window,
                                             .scale = 0.3f};
        place_work(&w->list[i], seed);
        w->list[i].q = q + w->list[i].from * out_of(t);
    }
}

static void assert_works(struct reader_of *r, struct works *w)
{
    for (size_t i = 0; i < w->numbers; i++)
        w->together[i] = w->alone[i] = 0.75f;
    for (size_t i = 0; i < w->n; i++)
        w->list[i].out = w->together + i * (w->numbers / MOST_WORKS);
    attend_works(&r->attender, w->list, w->n);
    for (size_t i = 0; i < w->n; i++) {
        w->list[i].out = w->alone + i * (w->numbers / MOST_WORKS);
        attend_all(&r->attender, &w->list[i]);
    }
    assert_same("a result", w->together, w->alone, w->numbers);
}

static void assert_trial(const struct trial *t, size_t threads, uint64_t seed)
{
    struct reader_of r;
    struct numbers_of x = numbers_of_trial(t);
    struct works w = {.numbers = MOST_WORKS * MOST_TOKENS * out_of(t)};
    struct reading how = {cpu_set_row(0), threads, LENGTH};
    while (!how.set->is_here())
        how.set++;
    w.together = malloc(w.numbers * sizeof *w.together);
    w.alone = malloc(w.numbers * sizeof *w.alone);
    assert_true(w.together && w.alone);
    open_reader(&r, t, &how);
    store_chunk(&r, t, &x, 0, LENGTH);
    for (size_t i = 0; i < TRIES; i++) {
        place_works(&w, &r, t, x.q, &seed);
        assert_works(&r, &w);
    }
    close_reader(&r);
    free_numbers(&x);
    free(w.together);
    free(w.alone);
}

static const struct trial all = {6, 2, 16, 0, 0, "f32", LENGTH};

static void works_have_the_bits_of_each_alone(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 5; threads++)
        assert_trial(&all, threads, threads);
}

static void so_have_those_with_a_window(void **state)
{
    (void)state;
    struct trial windowed = all;
    windowed.window = 700;
    assert_trial(&windowed, 3, 7);
}

static void and_those_of_codes(void **state)
{
    (void)state;
    struct trial codes = all;
    codes.form = "int8";
    assert_trial(&codes, 2, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_have_the_bits_of_each_alone),
        cmocka_unit_test(so_have_those_with_a_window),
        cmocka_unit_test(and_those_of_codes),
    };
    return cmocka_run_group_tests_name("attend works", tests, NULL, NULL);
}
