/* Attention of one token agrees with torch.
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
                                .slots = n,
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
    struct visible seen = {&past, first, 17};
    size_t behind = a.n_heads * (17 - first);
    found_weights[behind] = found[a.n_heads * a.head_dim] = 0.75f;
    attend(&a, query, &seen, found_weights, found);
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
    struct visible seen = {&past, 0, 1};
    attend(&a, q, &seen, &weight, out);
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
    struct visible seen = {&past, 0, n};
    attend(&a, &q, &seen, weights, out);
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

/* --- a layer that can be worked out by hand ----------------------------- */

enum by_hand_sizes {
    TOKENS = 5,
    HEADS = 6, /* of two numbers */
    KV_HEADS = 3,
    HIDDEN = 2 * HEADS,
    KV_SIZE = 2 * KV_HEADS
};

/* Queries are what comes in, keys its first half, values its second, and what
 * goes out is what the heads found.  The layer is the second of two, and its
 * rope too. */
struct by_hand {
    struct model m;
    struct layer layers[2];
    struct rope ropes[2];
    float q[HIDDEN][HIDDEN], k[KV_SIZE][HIDDEN], v[KV_SIZE][HIDDEN];
    struct state s;
    size_t seen[TOKENS]; /* how many positions each token saw */
    size_t n_seen;
};

static struct linear matrix(float (*rows)[HIDDEN], size_t n)
{
    return (struct linear){.weight = {.data = (unsigned char *)rows,
                                      .dtype = DTYPE_F32,
                                      .rows = n,
                                      .cols = HIDDEN}};
}

static void fill_weights(struct by_hand *b)
{
    for (size_t i = 0; i < HIDDEN; i++)
        b->q[i][i] = 1;
    for (size_t i = 0; i < KV_SIZE; i++)
        b->k[i][i] = b->v[i][KV_SIZE + i] = 1;
    struct attention a = {.n_heads = HEADS,
                          .n_kv_heads = KV_HEADS,
                          .head_dim = 2,
                          .q = matrix(b->q, HIDDEN),
                          .k = matrix(b->k, KV_SIZE),
                          .v = matrix(b->v, KV_SIZE),
                          .o = matrix(b->q, HIDDEN),
                          .scale = 1};
    b->layers[0].attention = b->layers[1].attention = a;
    b->layers[1].attention.rope = 1;
}

/* Token t brings the number (t, i) as its number i; it is turned by t + 1
 * quarters of a circle. */
static float number(size_t t, size_t i)
{
    return (float)(1 + (t * HIDDEN + i) * 7 % 13);
}

static void fill_state(struct by_hand *b)
{
    static const float quarters[] = {1, 0, -1, 0, 1, 0};
    for (size_t t = 0; t < TOKENS; t++) {
        b->s.positions[t] = t;
        for (size_t i = 0; i < HIDDEN; i++)
            b->s.normed[t * HIDDEN + i] = number(t, i);
        if (b->ropes[1].dim > 0) {
            b->s.angles[1].cosines[t] = quarters[t + 1];
            b->s.angles[1].sines[t] = quarters[t];
        }
    }
}

static void note_seen(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct by_hand *b = context;
    (void)data;
    assert_string_equal(name, "attention");
    assert_int_equal(layer, 1);
    assert_int_equal(shape.rows, HEADS);
    b->seen[b->n_seen++] = shape.cols;
}

/* Mix with all that *b says; without a rope where pairs is 0. */
static void mix_by_hand(struct by_hand *b, size_t pairs)
{
    struct error e;
    struct observer o = {note_seen, b};
    struct cache cache;
    struct pass pass = {&cache, 0, TOKENS};
    b->ropes[1] = (struct rope){.dim = 2 * pairs};
    b->m = (struct model){.layers = b->layers,
                          .ropes = b->ropes,
                          .n_ropes = 2,
                          .config = {.n_layers = 2,
                                     .n_heads = HEADS,
                                     .hidden_size = HIDDEN,
                                     .intermediate_size = 1,
                                     .vocab_size = 1}};
    assert_ok(state_init(&b->s, &b->m, TOKENS, &e), &e);
    assert_ok(cache_init(&cache, &b->m, TOKENS, TOKENS, &e), &e);
    fill_state(b);
    mix(&b->m, 1, &b->s, &pass, &o);
    cache_free(&cache);
    assert_int_equal(b->n_seen, TOKENS);
}

/* x (2,) after a quarter of a circle, `times` times. */
static void turn_by_quarters(float *x, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        float first = x[0];
        x[0] = -x[1];
        x[1] = first;
    }
}

/* x (2,) over its root mean square, then times w (2,). */
static void divide_by_size(float *x, const float *w)
{
    float size = sqrtf((x[0] * x[0] + x[1] * x[1]) / 2);
    x[0] *= w[0] / size;
    x[1] *= w[1] / size;
}

/* Queries or keys (TOKENS, n_heads, 2), in which head h of token t is what the
 * token brings, turned and normalized with w. */
static void assert_turned(const char *what, const float *found, size_t n_heads,
                          bool turns_first, const float *w)
{
    for (size_t t = 0; t < TOKENS; t++) {
        float expected[HIDDEN];
        for (size_t h = 0; h < n_heads; h++) {
            float *x = expected + 2 * h;
            x[0] = number(t, 2 * h);
            x[1] = number(t, 2 * h + 1);
            turn_by_quarters(x, turns_first ? t + 1 : 0);
            divide_by_size(x, w);
            turn_by_quarters(x, turns_first ? 0 : t + 1);
        }
        char name[40];
        snprintf(name, sizeof name, "%s of token %zu", what, t);
        assert_rows(name, "head, dimension", found + t * n_heads * 2, expected,
                    n_heads, 2);
    }
}

static struct norm norm_of_heads(const float *w)
{
    return (struct norm){.kind = NORM_RMS,
                         .width = 2,
                         .weight = {.data = (const unsigned char *)w,
                                    .dtype = DTYPE_F32,
                                    .rows = 2,
                                    .cols = 1}};
}

static void assert_heads(bool turns_first)
{
    static const float of_q[] = {1, 3}, of_k[] = {5, 2}, of_v[] = {1, 1};
    struct by_hand b = {0};
    fill_weights(&b);
    struct attention *a = &b.layers[1].attention;
    a->q_norm = norm_of_heads(of_q);
    a->k_norm = norm_of_heads(of_k);
    a->v_norm = norm_of_heads(of_v);
    a->turns_first = turns_first;
    mix_by_hand(&b, 1);
    assert_turned("queries", b.s.q, HEADS, turns_first, of_q);
    assert_turned("keys", b.s.k, KV_HEADS, turns_first, of_k);
    for (size_t t = 0; t < TOKENS; t++)
        for (size_t h = 0; h < KV_HEADS; h++) {
            float x[] = {number(t, KV_SIZE + 2 * h),
                         number(t, KV_SIZE + 2 * h + 1)};
            divide_by_size(x, of_v);
            assert_rows("values", "head, dimension",
                        b.s.v + t * KV_SIZE + 2 * h, x, 1, 2);
        }
    state_free(&b.s);
}

/* What turn_heads is for. */
static void heads_are_turned_by_where_their_token_stands(void **state)
{
    (void)state;
    assert_heads(false);
}

/* The same for turn_heads where a family turns first. */
static void heads_may_be_turned_before_the_norm(void **state)
{
    (void)state;
    assert_heads(true);
}

/* All keys are 0, so that each token averages all that it sees; one head of
 * keys is for all. */
static void assert_sees(size_t window)
{
    struct by_hand b = {0};
    fill_weights(&b);
    memset(b.k, 0, sizeof b.k);
    struct attention *a = &b.layers[1].attention;
    a->window = window;
    a->n_kv_heads = 1;
    a->k.weight.rows = a->v.weight.rows = 2;
    mix_by_hand(&b, 0);
    for (size_t t = 0; t < TOKENS; t++) {
        size_t n = window > 0 && window <= t ? window : t + 1;
        float expected[HIDDEN] = {0};
        for (size_t p = t + 1 - n; p <= t; p++)
            for (size_t i = 0; i < HIDDEN; i++)
                expected[i] += number(p, KV_SIZE + i % 2) / (float)n;
        assert_int_equal(b.seen[t], n);
        assert_row("mixed", "token, dimension", TOKENS, t,
                   b.s.out + t * HIDDEN, expected, HIDDEN);
    }
    state_free(&b.s);
}

/* What visible_from is for. */
static void a_token_sees_itself_and_those_before(void **state)
{
    (void)state;
    assert_sees(0);
}

/* What visible_from does with a window. */
static void a_window_ends_what_a_token_sees(void **state)
{
    (void)state;
    assert_sees(1);
    assert_sees(3);
    assert_sees(TOKENS);
}

/* What head h of token t finds where the keys that match best, of equal ones
 * each, have all the weight: x (2,). */
static void best_values(size_t t, size_t h, float *x)
{
    float most = 0, n = 0;
    for (size_t p = 0; p <= t; p++) {
        size_t at = h / 2 * 2;
        float score = number(t, 2 * h) * number(p, at) +
                      number(t, 2 * h + 1) * number(p, at + 1);
        if (score > most) {
            most = score;
            n = x[0] = x[1] = 0;
        }
        for (size_t i = 0; i < 2 && score == most; i++)
            x[i] += number(p, KV_SIZE + at + i);
        n += score == most;
    }
    x[0] /= n;
    x[1] /= n;
}

static void each_head_asks_for_its_own_token(void **state)
{
    (void)state;
    struct by_hand b = {0};
    fill_weights(&b);
    b.layers[1].attention.scale = 1000; /* nearly all goes to the best */
    mix_by_hand(&b, 0);
    for (size_t t = 0; t < TOKENS; t++) {
        float expected[HIDDEN];
        for (size_t h = 0; h < HEADS; h++)
            best_values(t, h, expected + 2 * h);
        assert_row("mixed", "token, dimension", TOKENS, t,
                   b.s.out + t * HIDDEN, expected, HIDDEN);
    }
    state_free(&b.s);
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
        cmocka_unit_test(heads_are_turned_by_where_their_token_stands),
        cmocka_unit_test(heads_may_be_turned_before_the_norm),
        cmocka_unit_test(a_token_sees_itself_and_those_before),
        cmocka_unit_test(a_window_ends_what_a_token_sees),
        cmocka_unit_test(each_head_asks_for_its_own_token),
    };
    return cmocka_run_group_tests_name("attention", tests, open_attentions,
                                       close_attentions);
}
