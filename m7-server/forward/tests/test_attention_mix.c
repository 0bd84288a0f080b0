/* The attention of a layer small enough to be worked out by hand: which query
 * meets which keys, and how they are turned. */
#include "attention.h"

#include "test_numbers.h"

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
    struct span span = {&cache, NULL, TOKENS, 0};
    struct pass pass = {&span, 1, TOKENS};
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
        cmocka_unit_test(heads_are_turned_by_where_their_token_stands),
        cmocka_unit_test(heads_may_be_turned_before_the_norm),
        cmocka_unit_test(a_token_sees_itself_and_those_before),
        cmocka_unit_test(a_window_ends_what_a_token_sees),
        cmocka_unit_test(each_head_asks_for_its_own_token),
    };
    return cmocka_run_group_tests_name("by hand", tests, NULL, NULL);
}
