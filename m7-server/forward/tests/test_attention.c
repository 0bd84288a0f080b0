/* Attention of one token agrees with torch, and that of neighbours with one.
 *
 * golden/ops.safetensors is made by tests/oracle/forward/forward_ops.py. */
#include "attention.h"

#include "test_numbers.h"

static int open_attentions(void **state)
{
    static struct checkpoint c;
    struct error e;
    *state = &c;
    assert_ok(checkpoint_open(&c, "golden/ops.safetensors", &e), &e);
    return 0;
}

static int close_attentions(void **state)
{
    checkpoint_close(*state);
    return 0;
}

/* The goldens have a column for each position; what is before the window must
 * have no weight there, and has no column here. */
static void drop_unseen(float *weights, size_t n_heads, size_t first)
{
    size_t n = 17 - first;
    for (size_t h = 0; h < n_heads; h++) {
        for (size_t p = 0; p < first; p++)
            assert_true(weights[h * 17 + p] == 0);
        memmove(weights + h * n, weights + h * 17 + first,
                n * sizeof *weights);
    }
}

/* These keys and values (n, n_kv_heads, head_dim) as a cache has them; nobody
 * frees it. */
static struct cache_layer stored(const struct attention *a, float *keys,
                                 float *values, size_t n)
{
    size_t width = a->n_kv_heads * a->head_dim;
    return (struct cache_layer){.width = width,
                                .head_dim = a->head_dim,
                                .slots = n,
                                .key_form = &cache_form_row(0)->key,
                                .value_form = &cache_form_row(0)->value,
                                .key_bytes = width * sizeof *keys,
                                .value_bytes = width * sizeof *values,
                                .keys = (unsigned char *)keys,
                                .values = (unsigned char *)values};
}

/* The 17th token looks back, at positions `first` ... 16. */
static void assert_attends(const struct checkpoint *c, const char *name,
                           float scale, float soft_cap, size_t first)
{
    const struct tensor *q = golden(c, name, "q");
    const struct tensor *k = golden(c, name, "k");
    struct attention a = {.n_heads = q->shape[0],
                          .n_kv_heads = k->shape[1],
                          .head_dim = q->shape[1],
                          .scale = scale,
                          .soft_cap = soft_cap};
    float *query = golden_values(q), *keys = golden_values(k);
    float *values = golden_floats(c, name, "v");
    float *weights = golden_floats(c, name, "weights");
    float *out = golden_floats(c, name, "out");
    float found_weights[6 * 17 + 1], found[6 * 12 + 1];

    struct cache_layer past = stored(&a, keys, values, 17);
    struct visible seen = {&past, first, 17, NULL, found_weights};
    size_t behind = a.n_heads * (17 - first);
    found_weights[behind] = found[a.n_heads * a.head_dim] = 0.75f;
    attend(&a, query, &seen, 1, found);
    assert_true(found_weights[behind] == 0.75f);
    assert_true(found[a.n_heads * a.head_dim] == 0.75f);
    drop_unseen(weights, a.n_heads, first);
    assert_rows(name, "head, position", found_weights, weights, a.n_heads,
                17 - first);
    assert_rows(name, "head, dimension", found, out, a.n_heads, a.head_dim);

    float *const owned[] = {query, keys, values, weights, out};
    for (size_t i = 0; i < 5; i++)
        free(owned[i]);
}

static void a_head_averages_values_by_how_well_keys_match(void **state)
{
    assert_attends(*state, "attend.plain", 1 / sqrtf(12), 0, 0);
}

static void heads_share_keys_and_values(void **state)
{
    assert_attends(*state, "attend.shared", 1 / sqrtf(10), 0, 0);
    assert_attends(*state, "attend.one_kv", 0.3f, 0, 0);
}

static void positions_before_the_window_do_not_count(void **state)
{
    assert_attends(*state, "attend.window", 1 / sqrtf(12), 0, 17 - 6);
}

static void scores_can_be_capped(void **state)
{
    assert_attends(*state, "attend.cap", 1 / sqrtf(12), 9, 0);
}

static void scores_may_be_left_as_they_are(void **state)
{
    assert_attends(*state, "attend.unscaled", 1, 0, 0);
}

static void everything_works_together(void **state)
{
    assert_attends(*state, "attend.all", 0.4f, 7, 17 - 5);
}

static void a_token_alone_takes_its_own_value(void **state)
{
    (void)state;
    struct attention a = {
        .n_heads = 1, .n_kv_heads = 1, .head_dim = 2, .scale = 1};
    float q[] = {100, 100}, k[] = {100, 100}, v[] = {7, -3};
    float weight, out[2];
    struct cache_layer past = stored(&a, k, v, 1);
    struct visible seen = {&past, 0, 1, NULL, &weight};
    attend(&a, q, &seen, 1, out);
    assert_true(weight == 1 && out[0] == 7 && out[1] == -3);
}

/* One head of one number looks at n positions. */
static void attend_to(float *keys, float *values, size_t n, float *weights,
                      float *out)
{
    struct attention a = {
        .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1};
    float q = -1;
    struct cache_layer past = stored(&a, keys, values, n);
    struct visible seen = {&past, 0, n, NULL, weights};
    attend(&a, &q, &seen, 1, out);
}

/* exp of it alone would be infinite. */
static void the_largest_score_may_be_of_any_position(void **state)
{
    (void)state;
    for (size_t at = 0; at < 3; at++) {
        float keys[] = {0, 0, 0}, values[] = {5, 6, 7}, weights[3], out;
        float expected[] = {0, 0, 0};
        keys[at] = -1000;
        expected[at] = 1;
        attend_to(keys, values, 3, weights, &out);
        assert_same("weights", weights, expected, 3);
        assert_same("the value", &out, &values[at], 1);
    }
}

static size_t n_read; /* heads, from a cache that is not of floats */

static void read_and_count(size_t bits, const unsigned char *in, size_t n,
                           float *x)
{
    (void)bits;
    n_read++;
    memcpy(x, in, n * sizeof *x);
}

enum neighbours {
    NEIGHBOURS = 5,
    WINDOW = 3
};

/* Of a text of NEIGHBOURS tokens the last n attend, each to WINDOW
 * positions. */
static void attend_as_neighbours(const struct attention *a, float *keys,
                                 float *values, size_t n, float *out)
{
    struct cache_layer past = stored(a, keys, values, NEIGHBOURS);
    struct head_form counted = {.read = read_and_count};
    struct visible seen[NEIGHBOURS];
    float q[NEIGHBOURS] = {1, -2, 0.5f, 3, -1}, row;
    float weights[NEIGHBOURS][WINDOW];
    past.key_form = past.value_form = &counted;
    for (size_t i = 0; i < n; i++) {
        size_t end = NEIGHBOURS - n + i + 1;
        size_t first = end > WINDOW ? end - WINDOW : 0;
        seen[i] = (struct visible){&past, first, end, &row, weights[i]};
    }
    attend(a, q + NEIGHBOURS - n, seen, n, out);
}

static void neighbours_share_what_is_read(void **state)
{
    (void)state;
    struct attention a = {
        .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1};
    float keys[] = {0.1f, -0.7f, 1.3f, 0.4f, -0.2f};
    float values[] = {3, 1, 4, 1.5f, 9}, together[NEIGHBOURS], last;
    n_read = 0;
    attend_as_neighbours(&a, keys, values, NEIGHBOURS, together);
    assert_int_equal(n_read, 2 * NEIGHBOURS);
    n_read = 0;
    attend_as_neighbours(&a, keys, values, 1, &last);
    assert_int_equal(n_read, 2 * WINDOW);
    assert_same("the last token", &together[NEIGHBOURS - 1], &last, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_averages_values_by_how_well_keys_match),
        cmocka_unit_test(heads_share_keys_and_values),
        cmocka_unit_test(positions_before_the_window_do_not_count),
        cmocka_unit_test(scores_can_be_capped),
        cmocka_unit_test(scores_may_be_left_as_they_are),
        cmocka_unit_test(everything_works_together),
        cmocka_unit_test(a_token_alone_takes_its_own_value),
        cmocka_unit_test(the_largest_score_may_be_of_any_position),
        cmocka_unit_test(neighbours_share_what_is_read),
    };
    return cmocka_run_group_tests_name("attention", tests, open_attentions,
                                       close_attentions);
}
