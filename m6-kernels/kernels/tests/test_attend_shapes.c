/* Attention over panels of any numbers, random shapes of each kind (2,000 with
 * RUNG_LONG=1): all sets of instructions give the bits of portable C, whatever
 * the tails and wherever queries and results stand. */
#include "attend.h"

#include "test_operands.h"

enum attend_shapes {
    MOST_DEPTH = 700, /* positions: more than a range */
    MOST_DIM = 80,
    MOST_SHARING = 9,
    MOST_TOKENS = 12,
    MOST_KV_HEADS = 2,
    MOST_NUMBERS = MOST_TOKENS * MOST_KV_HEADS * MOST_SHARING * MOST_DIM,
    GUARD = 16 /* numbers before and behind a result */
};

/* Small sizes are more likely than large ones. */
static size_t random_size(size_t most)
{
    return 1 + random_below(1 + random_below(most));
}

/* --- operands ------------------------------------------------------------ */

/* Mostly from -1 to 1; some tiny, some large. */
static float any_number(void)
{
    float x = random_number();
    size_t what = random_below(30);
    return what == 0 ? ldexpf(x, -140) : what == 1 ? x * 300 : x;
}

static void fill_with_floats(void *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((float *)at)[i] = any_number();
}

/* Finite halves. */
static void fill_with_halves(unsigned char *at, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t bits = (uint16_t)(random_bits() & 0xbbff);
        memcpy(at + 2 * i, &bits, sizeof bits);
    }
}

/* What codes stand for, over and over. */
static void fill_centroids(struct panels *p)
{
    size_t n = p->kind == PANEL_2BITS ? 4 : p->kind == PANEL_3BITS ? 8 : 16;
    fill_with_floats(p->centroids, n);
    for (size_t i = n; i < MOST_CENTROIDS; i++)
        p->centroids[i] = p->centroids[i - n];
}

/* Panels of any numbers: floats, or codes with scales in front. */
static void fill_panels(struct panels *p)
{
    size_t bytes = panels_size(p);
    fill_centroids(p);
    for (size_t i = 0; i < bytes; i++)
        p->data[i] = (unsigned char)random_bits();
    if (p->kind == PANEL_F32)
        fill_with_floats(p->data, bytes / 4);
    if (p->kind == PANEL_F16)
        fill_with_halves(p->data, bytes / 2);
    for (size_t at = 0; p->n_parts && at < bytes; at += p->bytes)
        if (p->kind == PANEL_INT8)
            fill_with_floats(p->data + at, p->scale_bytes / 4);
        else
            fill_with_halves(p->data + at, p->scale_bytes / 2);
}

static struct panels any_panels(enum panel_kind kind, bool is_values,
                                size_t n_heads, size_t head_dim, size_t depth)
{
    struct panels p = panels_shape(kind, is_values, n_heads, head_dim);
    struct error e;
    size_t blocks = (depth + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS;
    assert_ok(panels_reserve(&p, blocks, &e), &e);
    fill_panels(&p);
    return p;
}

/* A number that is none, or infinite, among keys or values that are floats. */
static void spoil(struct panels *p)
{
    static const float bad[] = {INFINITY, -INFINITY, NAN};
    static const uint16_t bad_halves[] = {0x7c00, 0xfc00, 0x7e00};
    size_t what = random_below(3), bytes = panels_size(p);
    if (p->kind == PANEL_F32)
        memcpy(p->data + 4 * random_below(bytes / 4), &bad[what], 4);
    if (p->kind == PANEL_F16)
        memcpy(p->data + 2 * random_below(bytes / 2), &bad_halves[what], 2);
}

/* What is attended to, and room for queries. */
struct attended {
    struct panels keys, values;
    struct attention_work work;
    size_t numbers; /* of the queries, and of the result */
    float q[MOST_NUMBERS + GUARD];
};

static void make_attended(struct attended *a, enum panel_kind kind)
{
    size_t kv_heads = 1 + random_below(MOST_KV_HEADS);
    size_t heads = kv_heads * random_size(MOST_SHARING);
    size_t dim = random_size(MOST_DIM), n = random_size(MOST_TOKENS);
    size_t from = random_size(MOST_DEPTH - MOST_TOKENS) - 1;
    a->keys = any_panels(kind, false, kv_heads, dim, from + n);
    a->values = any_panels(kind, true, kv_heads, dim, from + n);
    if (random_below(12) == 0)
        spoil(random_below(2) ? &a->keys : &a->values);
    a->numbers = n * heads * dim;
    float *q = a->q + random_below(GUARD);
    fill_with_floats(q, a->numbers);
    a->work = (struct attention_work){
        .keys = &a->keys, .values = &a->values, .n_heads = heads,
        .from = from, .n = n, .q = q,
        .window = random_below(3) ? 0 : random_size(MOST_DEPTH),
        .scale = random_below(2) ? 0.125f : 1,
        .soft_cap = random_below(3) ? 0 : 30};
}

static void free_attended(struct attended *a)
{
    panels_free(&a->keys);
    panels_free(&a->values);
}

/* --- comparing ----------------------------------------------------------- */

/* What a set computes, `at` numbers behind the beginning of `room`; nothing is
 * written before or behind. */
static void attend_with(const struct cpu_set *set, struct attended *a,
                        size_t at, float *room)
{
    struct attender attender;
    struct error e;
    struct attention_limits most = {.positions = a->work.from + a->work.n};
    attention_limits_add(&most, a->work.n_heads, a->keys.n_heads,
                         a->keys.head_dim);
    assert_ok(attender_init(&attender, set, NULL, &most, &e), &e);
    for (size_t i = 0; i < a->numbers + 2 * GUARD; i++)
        room[i] = 0.75f;
    a->work.out = room + at;
    attend_all(&attender, &a->work);
    attender_free(&attender);
    for (size_t i = 0; i < at; i++)
        assert_true(room[i] == 0.75f);
    for (size_t i = at + a->numbers; i < a->numbers + 2 * GUARD; i++)
        assert_true(room[i] == 0.75f);
}

/* The same bits; of numbers that are none the bits say nothing. */
static void assert_bits_of(const char *set, const struct attended *a,
                           const float *found, const float *expected)
{
    const struct attention_work *w = &a->work;
    for (size_t i = 0; i < a->numbers; i++) {
        if (isnan(found[i]) && isnan(expected[i]))
            continue;
        if (memcmp(&found[i], &expected[i], sizeof *found) == 0)
            continue;
        print_error("%s, kind %d, %zu heads of %zu for %zu, tokens %zu to "
                    "%zu, window %zu, cap %g: number %zu is %a, not %a\n",
                    set, a->keys.kind, w->n_heads, a->keys.head_dim,
                    a->keys.n_heads, w->from, w->from + w->n - 1, w->window,
                    (double)w->soft_cap, i, (double)found[i],
                    (double)expected[i]);
        assert_true(false);
    }
}

static const struct cpu_set *portable_set(void)
{
    size_t i = 0;
    while (strcmp(cpu_set_row(i)->name, "portable") != 0)
        i++;
    return cpu_set_row(i);
}

static void check_attention(enum panel_kind kind)
{
    static struct attended a;
    static float expected[MOST_NUMBERS + 2 * GUARD];
    static float found[MOST_NUMBERS + 2 * GUARD];
    const struct cpu_set *set;
    make_attended(&a, kind);
    attend_with(portable_set(), &a, 0, expected);
    for (size_t i = 0; (set = cpu_set_row(i)); i++)
        if (set->is_here() && set != portable_set()) {
            size_t at = random_below(GUARD);
            attend_with(set, &a, at, found);
            assert_bits_of(set->name, &a, found + at, expected);
        }
    free_attended(&a);
}

static void sets_give_the_bits_of_portable_c(void **state)
{
    const enum panel_kind *kind = *state;
    size_t n = N_SHAPES / (is_long() ? 1 : is_slow() ? 10 : 4);
    for (size_t i = 0; i < n; i++)
        check_attention(*kind);
}

int main(void)
{
    static const char *const names[N_PANEL_KINDS] = {
        "floats",          "halves",          "codes_of_8_bits",
        "codes_of_4_bits", "codes_of_3_bits", "codes_of_2_bits"};
    static enum panel_kind kinds[N_PANEL_KINDS];
    struct CMUnitTest tests[N_PANEL_KINDS];
    for (size_t i = 0; i < N_PANEL_KINDS; i++) {
        kinds[i] = (enum panel_kind)i;
        tests[i] = (struct CMUnitTest){
            names[i], sets_give_the_bits_of_portable_c, NULL, NULL, &kinds[i]};
    }
    return cmocka_run_group_tests_name("attend_shapes", tests, NULL, NULL);
}
