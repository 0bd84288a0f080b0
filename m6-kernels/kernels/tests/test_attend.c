/* Attention by kernels: the same bits whatever the instruction set, the
 * threads and the chunks, and near the sums that doubles give. */
#include "attend.h"

#include "kvcache.h"
#include "test_numbers.h"

#include <stdbool.h>

/* A layer, a text, and how the text is read. */
struct trial {
    size_t n_heads, n_kv_heads, head_dim, window;
    float soft_cap;
    const char *form;
    size_t length;
};

struct reading {
    const struct cpu_set *set;
    size_t threads, chunk;
};

struct numbers_of {
    float *q, *k, *v; /* (length, heads, head_dim) */
};

/* From -1 to 1, always the same. */
static float random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(int32_t)(*seed >> 32) / 2147483648.0f;
}

static float *random_numbers(size_t n, uint64_t seed, float size)
{
    float *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = size * random_number(&seed);
    return x;
}

static size_t width_of(const struct trial *t)
{
    return t->n_kv_heads * t->head_dim;
}

static size_t out_of(const struct trial *t)
{
    return t->n_heads * t->head_dim;
}

/* Queries so large that a few positions have most of the weight. */
static struct numbers_of numbers_of_trial(const struct trial *t)
{
    size_t kv = t->length * width_of(t);
    return (struct numbers_of){
        random_numbers(t->length * out_of(t), 1, 6),
        random_numbers(kv, 2, 1), random_numbers(kv, 3, 1)};
}

static void free_numbers(struct numbers_of *x)
{
    free(x->q);
    free(x->k);
    free(x->v);
}

/* A layer's cache, and what reads it. */
struct reader_of {
    struct layer layer;
    struct model model;
    struct cache cache;
    struct threads *threads;
    struct attender attender;
};

static void open_reader(struct reader_of *r, const struct trial *t,
                        const struct reading *how)
{
    struct error e;
    struct attention_limits most = {.positions = t->length};
    r->layer =
        (struct layer){.attention = {.n_heads = t->n_heads,
                                     .n_kv_heads = t->n_kv_heads,
                                     .head_dim = t->head_dim,
                                     .window = t->window}};
    r->model = (struct model){
        .config = {.n_layers = 1}, .layers = &r->layer, .set = how->set};
    assert_ok(cache_init_form(&r->cache, &r->model,
                              cache_form_named(t->form), t->length, how->chunk,
                              &e),
              &e);
    assert_ok(threads_open(&r->threads, how->threads, &e), &e);
    attention_limits_add(&most, t->n_heads, t->n_kv_heads, t->head_dim);
    assert_ok(attender_init(&r->attender, how->set, r->threads, &most, &e),
              &e);
}

static void close_reader(struct reader_of *r)
{
    attender_free(&r->attender);
    threads_close(r->threads);
    cache_free(&r->cache);
}

/* Queries as keys are turned, and results back. */
static void turn_all(head_turn_function *turn, float *x, size_t heads,
                     size_t head_dim)
{
    for (size_t h = 0; turn && h < heads; h++)
        turn(x + h * head_dim, head_dim);
}

/* What the tokens from .. from + n - 1 find. */
static void attend_chunk(struct reader_of *r, const struct trial *t,
                         const struct numbers_of *x, size_t from, size_t n,
                         float *out)
{
    const struct cache_layer *l = r->cache.layers;
    size_t size = out_of(t);
    float *q = malloc(n * size * sizeof *q);
    assert_non_null(q);
    memcpy(q, x->q + from * size, n * size * sizeof *q);
    turn_all(l->key_form->turn, q, n * t->n_heads, t->head_dim);
    struct attention_work w = {.keys = &l->key_panels,
                               .values = &l->value_panels,
                               .n_heads = t->n_heads,
                               .from = from,
                               .n = n,
                               .window = t->window,
                               .scale = 0.3f,
                               .soft_cap = t->soft_cap,
                               .q = q,
                               .out = out + from * size};
    attend_all(&r->attender, &w);
    turn_all(l->value_form->turn_back, w.out, n * t->n_heads, t->head_dim);
    free(q);
}

static void store_chunk(struct reader_of *r, const struct trial *t,
                        const struct numbers_of *x, size_t from, size_t n)
{
    cache_store(r->cache.layers, from, n, x->k + from * width_of(t),
                x->v + from * width_of(t));
    r->cache.length = from + n;
}

/* The text, read so: (length, n_heads, head_dim), to be freed. */
static float *read_text(const struct trial *t, const struct numbers_of *x,
                        struct reading how)
{
    struct reader_of r;
    float *out = calloc(t->length * out_of(t) + 1, sizeof *out);
    assert_non_null(out);
    out[t->length * out_of(t)] = 0.75f;
    open_reader(&r, t, &how);
    for (size_t from = 0, n; from < t->length; from += n) {
        n = t->length - from < how.chunk ? t->length - from : how.chunk;
        store_chunk(&r, t, x, from, n);
        attend_chunk(&r, t, x, from, n, out);
    }
    assert_true(out[t->length * out_of(t)] == 0.75f);
    close_reader(&r);
    return out;
}

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

static const struct trial same_trials[] = {
    {1, 1, 64, 0, 0, "f32", 150},    {3, 1, 64, 0, 0, "f16", 200},
    {8, 2, 32, 0, 0, "int8", 150},   {7, 1, 64, 0, 0, "k4v4", 200},
    {14, 2, 64, 0, 0, "k4v3", 90},   {2, 2, 80, 0, 0, "k3v2", 150},
    {4, 1, 96, 0, 0, "k4v3", 100},   {2, 1, 128, 0, 0, "f16", 100},
    {2, 1, 256, 0, 0, "f32", 90},    {4, 2, 64, 40, 0, "f16", 300},
    {2, 1, 80, 17, 0, "int8", 200},  {3, 1, 64, 64, 30, "k4v4", 300},
    {2, 2, 128, 0, 50, "f32", 130},  {6, 2, 20, 5, 0, "k3v2", 130},
    {2, 1, 12, 0, 0, "k4v4", 130},   {3, 3, 7, 0, 0, "f16", 100},
    {2, 1, 1, 0, 0, "int8", 70},     {60, 1, 8, 0, 0, "f32", 80},
};

static void bits_depend_on_nothing_but_the_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof same_trials / sizeof *same_trials; i++)
        assert_same_bits(&same_trials[i]);
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

/* --- the right numbers --------------------------------------------------- */

/* What one head of a token finds, in doubles, from the numbers that the cache
 * has: out (head_dim,).  Returns the largest magnitude of a value. */
static double attend_in_doubles(const struct trial *t,
                                const struct cache_layer *l, const float *q,
                                size_t head, size_t position, double *out)
{
    size_t first =
        t->window && position >= t->window ? position + 1 - t->window : 0;
    size_t at = head / (t->n_heads / t->n_kv_heads) * t->head_dim;
    double total = 0, largest = 0, *weights = calloc(position + 1, 8);
    float *row = malloc(l->width * sizeof *row);
    memset(out, 0, t->head_dim * sizeof *out);
    for (size_t p = first; p <= position; p++) {
        const float *key = cache_key(l, p, row) + at;
        double score = 0;
        for (size_t i = 0; i < t->head_dim; i++)
            score += (double)q[i] * (double)key[i];
        score *= (double)0.3f;
        if (t->soft_cap > 0)
            score = (double)t->soft_cap * tanh(score / (double)t->soft_cap);
        total += weights[p] = exp(score);
    }
    for (size_t p = first; p <= position; p++) {
        const float *value = cache_value(l, p, row) + at;
        for (size_t i = 0; i < t->head_dim; i++) {
            out[i] += weights[p] / total * (double)value[i];
            largest = fmax(largest, fabs((double)value[i]));
        }
    }
    free(weights);
    free(row);
    return largest;
}

/* Scores have errors of a few times 2^-24 of their size, here up to 20, and
 * so have the weights; 1e-5 is four times the largest error found. */
static void assert_right(const struct trial *t, const struct cpu_set *set)
{
    struct reader_of r;
    struct reading how = {set, 1, 1};
    struct numbers_of x = numbers_of_trial(t);
    float *out = calloc(t->length * out_of(t), sizeof *out);
    double *expected = calloc(t->head_dim, sizeof *expected);
    open_reader(&r, t, &how);
    for (size_t p = 0; p < t->length; p++) {
        store_chunk(&r, t, &x, p, 1);
        attend_chunk(&r, t, &x, p, 1, out);
        for (size_t h = 0; h < t->n_heads; h++) {
            size_t at = p * out_of(t) + h * t->head_dim;
            double size = attend_in_doubles(t, r.cache.layers, x.q + at, h, p,
                                            expected);
            for (size_t i = 0; i < t->head_dim; i++)
                assert_true(fabs((double)out[at + i] - expected[i]) <=
                            1e-5 * size);
        }
    }
    close_reader(&r);
    free(out);
    free(expected);
    free_numbers(&x);
}

static void results_are_those_of_the_cache_s_numbers(void **state)
{
    (void)state;
    const struct cpu_set *set = cpu_set_row(0);
    while (!set->is_here())
        set++;
    for (size_t i = 0; i < sizeof same_trials / sizeof *same_trials; i++)
        assert_right(&same_trials[i], set);
    assert_right(&(struct trial){2, 1, 16, 0, 0, "f16", 1100}, set);
}

/* --- what is not seen ---------------------------------------------------- */

/* Numbers that are none, where nobody looks: behind the text, where a longer
 * one stood, and in the tokens of a chunk that come later. */
static void assert_no_trace(const struct trial *t)
{
    struct reading how = {cpu_set_row(0), 1, t->length};
    while (!how.set->is_here())
        how.set++;
    struct numbers_of x = numbers_of_trial(t);
    size_t bad = t->length / 2, width = width_of(t);
    float *expected = read_text(t, &x, how);
    for (size_t i = bad * width; i < t->length * width; i++)
        x.k[i] = x.v[i] = i % 2 ? NAN : INFINITY;
    float *found = read_text(t, &x, how);
    assert_memory_equal(found, expected, bad * out_of(t) * sizeof *found);
    for (size_t i = bad * out_of(t); i < t->length * out_of(t); i++)
        assert_false(isfinite(found[i]));
    free(found);

    struct numbers_of good = numbers_of_trial(t);
    struct reader_of r;
    open_reader(&r, t, &how);
    store_chunk(&r, t, &x, 0, t->length);
    assert_int_equal(cache_truncate(&r.cache, bad), bad);
    found = calloc(t->length * out_of(t), sizeof *found);
    for (size_t p = bad; p < t->length; p++) {
        store_chunk(&r, t, &good, p, 1);
        attend_chunk(&r, t, &good, p, 1, found);
    }
    size_t at = bad * out_of(t);
    assert_memory_equal(found + at, expected + at,
                        (t->length * out_of(t) - at) * sizeof *found);
    close_reader(&r);
    free(found);
    free(expected);
    free_numbers(&x);
    free_numbers(&good);
}

static void what_is_not_seen_leaves_no_trace(void **state)
{
    static const char *const forms[] = {"f32", "f16", "int8", "k4v4", "k3v2"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct trial t = {3, 1, 32, 0, 0, forms[i], 150};
        assert_no_trace(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_depend_on_nothing_but_the_text),
        cmocka_unit_test(ranges_are_joined_in_their_order),
        cmocka_unit_test(results_are_those_of_the_cache_s_numbers),
        cmocka_unit_test(what_is_not_seen_leaves_no_trace),
    };
    return cmocka_run_group_tests_name("attend", tests, NULL, NULL);
}
