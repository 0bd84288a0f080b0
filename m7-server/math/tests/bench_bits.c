/* Prints a hash of what each kernel computes from the same numbers, by a set
 * of instructions.  It needs no library, so that the bits of other machines
 * can be compared where there is but a compiler for them, and an emulator:
 * `make arm` and `make emulated` do.
 *
 *     build/plain/bits [SET]      without asking whether the machine has it */
#include "attend.h"
#include "elementary.h"
#include "multiply.h"
#include "queries.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum bits_sizes {
    SHAPES = 100, /* of each kernel */
    LONGEST = 300,
    MOST_COLS = 400,
    MOST_ROWS = 70,
    DEPTH = 700 /* positions */
};

/* --- numbers ------------------------------------------------------------- */

/* Random numbers, the same in every run (Marsaglia's xorshift). */
static uint32_t next_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static size_t random_below(size_t n)
{
    return next_bits() % n;
}

/* From -1 to 1; now and then of any size. */
static float random_number(void)
{
    float x = (float)(int32_t)next_bits() * 0x1p-31f;
    size_t what = random_below(40);
    return what == 0 ? ldexpf(x, -130) : what == 1 ? x * 300 : x;
}

static void fill_floats(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = random_number();
}

/* Halves, finite and less than 2 in size. */
static void fill_halves(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = next_bits() & 0xbbff;
        bytes[2 * i] = (unsigned char)bits;
        bytes[2 * i + 1] = (unsigned char)(bits >> 8);
    }
}

static void fill_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)next_bits();
}

/* --- hashes -------------------------------------------------------------- */

static uint64_t hash;

/* Fowler, Noll and Vo's, over the bytes of x (n,) as little-endian machines
 * have them.  Of what is no number the bits say nothing. */
static void add_floats(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float number = isnan(x[i]) ? 0 : x[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        for (size_t b = 0; b < 32; b += 8)
            hash = (hash ^ (bits >> b & 0xff)) * 0x100000001b3u;
    }
}

static void begin_hash(void)
{
    hash = 0xcbf29ce484222325u;
}

static void print_hash(const char *what)
{
    printf("%-28s %016llx\n", what, (unsigned long long)hash);
}

/* Whoever cannot go on says so. */
static void check(int result, const struct error *e)
{
    if (result == 0)
        return;
    fprintf(stderr, "%s\n", e->message);
    exit(1);
}

/* --- products ------------------------------------------------------------ */

static void fill_matrix(struct packed *p)
{
    size_t bytes = packed_panels(p) * p->panel_bytes;
    size_t scales = p->kind == PACKED_AFFINE4 ? 64 : 32;
    if (p->kind == PACKED_F32)
        fill_floats((float *)(void *)p->bytes, bytes / 4);
    else if (packed_is_float(p))
        fill_halves(p->bytes, bytes / 2);
    else
        fill_bytes(p->bytes, bytes);
    if (packed_is_float(p))
        return;
    for (size_t i = 0; i < bytes; i += pair_bytes(p->kind))
        fill_halves(p->bytes + i, scales);
    for (size_t i = 0; i < packed_panels(p) * PANEL_ROWS; i++)
        p->factors[i] = 0.5f;
}

static void hash_product(const struct cpu_set *set, enum packed_kind kind)
{
    static float x[20 * MOST_COLS], out[20 * MOST_ROWS];
    size_t rows = 1 + random_below(MOST_ROWS);
    size_t cols = 1 + random_below(MOST_COLS), n = 1 + random_below(20);
    struct packed p;
    struct engine g;
    struct error e;
    const struct product product = {&p, out};
    check(packed_init(&p, kind, rows, cols, &e), &e);
    check(engine_init(&g, set, NULL, n, cols, &e), &e);
    fill_matrix(&p);
    fill_floats(x, n * cols);
    multiply_all(&g, &product, 1, x, n);
    add_floats(out, n * rows);
    engine_free(&g);
    packed_free(&p);
}

static void hash_products(const struct cpu_set *set)
{
    static const char *const names[N_PACKED] = {
        [PACKED_INT4] = "product int4", [PACKED_AFFINE4] = "product affine4",
        [PACKED_INT8] = "product int8", [PACKED_F16] = "product f16",
        [PACKED_BF16] = "product bf16", [PACKED_F32] = "product f32"};
    for (enum packed_kind kind = 0; kind < N_PACKED; kind++) {
        begin_hash();
        for (size_t i = 0; i < SHAPES; i++)
            hash_product(set, kind);
        print_hash(names[kind]);
    }
}

/* --- rows ---------------------------------------------------------------- */

static void hash_normalize(const struct row_kernels *k, float *x, float *y,
                           size_t n)
{
    struct row_norm norm = {.width = n, .eps = 1e-6f, .weights = y};
    k->normalize(&norm, x, 1, x);
    norm.centred = true;
    norm.offset = 1;
    norm.biases = y + LONGEST;
    k->normalize(&norm, x, 1, x);
}

static void hash_silu(const struct row_kernels *k, float *x, float *y,
                      size_t n)
{
    k->activate(ACTIVATION_SILU, x, y, n);
}

static void hash_gelu(const struct row_kernels *k, float *x, float *y,
                      size_t n)
{
    k->activate(ACTIVATION_GELU, x, y, n);
}

static void hash_gelu_tanh(const struct row_kernels *k, float *x, float *y,
                           size_t n)
{
    k->activate(ACTIVATION_GELU_TANH, x, y, n);
}

static void hash_soft_cap(const struct row_kernels *k, float *x, float *y,
                          size_t n)
{
    k->soft_cap(x, 1 + y[0] * y[0], n);
    k->scale(x, y[1], n);
    k->add_scaled(x, y, y[2], n);
}

static void hash_exponentials(const struct row_kernels *k, float *x, float *y,
                              size_t n)
{
    k->exponentials(x, y[0], n);
}

static void hash_turn(const struct row_kernels *k, float *x, float *y,
                      size_t n)
{
    struct row_turn t = {n, n / 2, false, y, y + LONGEST};
    k->turn(&t, x, 1);
    t.neighbours = true;
    k->turn(&t, x, 1);
}

typedef void row_trial(const struct row_kernels *k, float *x, float *y,
                       size_t n);

static const struct named_row_trial {
    const char *name;
    row_trial *run;
} row_trials[] = {
    {"norms", hash_normalize},       {"silu", hash_silu},
    {"gelu", hash_gelu},             {"gelu_tanh", hash_gelu_tanh},
    {"cap and sums", hash_soft_cap}, {"exponentials", hash_exponentials},
    {"turned heads", hash_turn},
};

static void hash_rows(const struct cpu_set *set)
{
    static float x[LONGEST], y[2 * LONGEST];
    for (size_t t = 0; t < sizeof row_trials / sizeof *row_trials; t++) {
        begin_hash();
        for (size_t i = 0; i < 4 * SHAPES; i++) {
            size_t n = 1 + random_below(LONGEST);
            fill_floats(x, n);
            fill_floats(y, 2 * LONGEST);
            row_trials[t].run(set->rows, x, y, n);
            add_floats(x, n);
        }
        print_hash(row_trials[t].name);
    }
}

/* --- attention ----------------------------------------------------------- */

/* What codes stand for, over and over. */
static void fill_centroids(struct panels *p)
{
    size_t n = p->kind == PANEL_2BITS ? 4 : p->kind == PANEL_3BITS ? 8 : 16;
    fill_floats(p->centroids, n);
    for (size_t i = n; i < MOST_CENTROIDS; i++)
        p->centroids[i] = p->centroids[i - n];
}

/* Panels of any numbers: those of floats as such, and scales as each kind has
 * them. */
static void fill_panels(struct panels *p)
{
    size_t bytes = panels_size(p);
    fill_centroids(p);
    fill_bytes(p->data, bytes);
    if (p->kind == PANEL_F32)
        fill_floats((float *)(void *)p->data, bytes / 4);
    if (p->kind == PANEL_F16)
        fill_halves(p->data, bytes / 2);
    for (size_t at = 0; p->n_parts && at < bytes; at += p->bytes)
        if (p->kind == PANEL_INT8)
            fill_floats((float *)(void *)(p->data + at), p->scale_bytes / 4);
        else
            fill_halves(p->data + at, p->scale_bytes / 2);
}

static void open_panels(struct panels *p, enum panel_kind kind,
                        bool is_values, size_t n_heads, size_t head_dim)
{
    struct error e;
    *p = panels_shape(kind, is_values, n_heads, head_dim);
    check(panels_reserve(p, DEPTH / BLOCK_POSITIONS + 1, &e), &e);
    fill_panels(p);
}

/* n tokens with `sharing` heads of queries to each of two of keys. */
static void hash_attention(const struct cpu_set *set, enum panel_kind kind,
                           size_t sharing, size_t n)
{
    static float q[20 * 16 * 96], out[20 * 16 * 96];
    size_t head_dim = 8 + random_below(89), from = random_below(DEPTH - n);
    size_t count = n * 2 * sharing * head_dim;
    struct panels keys, values;
    struct attender a;
    struct attention_limits most = {.positions = DEPTH};
    struct error e;
    open_panels(&keys, kind, false, 2, head_dim);
    open_panels(&values, kind, true, 2, head_dim);
    attention_limits_add(&most, 2 * sharing, 2, head_dim);
    check(attender_init(&a, set, NULL, &most, &e), &e);
    fill_floats(q, count);
    const struct attention_work w = {
        .keys = &keys, .values = &values, .n_heads = 2 * sharing,
        .from = from, .n = n, .window = random_below(3) ? 0 : 100,
        .scale = 0.125f, .soft_cap = random_below(3) ? 0 : 30,
        .q = q, .out = out};
    attend_all(&a, &w);
    add_floats(out, count);
    attender_free(&a);
    panels_free(&keys);
    panels_free(&values);
}

static void hash_attentions(const struct cpu_set *set)
{
    static const char *const names[N_PANEL_KINDS] = {
        "attention f32",    "attention f16",    "attention int8",
        "attention 4 bits", "attention 3 bits", "attention 2 bits"};
    for (enum panel_kind kind = 0; kind < N_PANEL_KINDS; kind++) {
        begin_hash();
        for (size_t sharing = 1; sharing <= 8; sharing++) {
            hash_attention(set, kind, sharing, 1);
            hash_attention(set, kind, sharing, 1 + random_below(20));
        }
        print_hash(names[kind]);
    }
}

/* --- angles -------------------------------------------------------------- */

/* What is computed in 64 bits, once for all sets. */
static void hash_elementary(void)
{
    begin_hash();
    for (size_t i = 0; i < 100 * SHAPES; i++) {
        double x = (double)next_bits() * 0x1p-12;
        struct turned turned = turned_by(x);
        double power = fixed_power(x + 1, (double)random_number());
        const float found[] = {
            (float)turned.cosine, (float)turned.sine, (float)fixed_log(x + 1),
            (float)fixed_exp((double)random_number()), (float)power};
        add_floats(found, sizeof found / sizeof *found);
    }
    print_hash("angles and powers");
}

/* The set of that name, without asking whether the machine has it. */
static const struct cpu_set *set_named(const char *name)
{
    for (size_t i = 0; cpu_set_row(i); i++)
        if (strcmp(cpu_set_row(i)->name, name) == 0)
            return cpu_set_row(i);
    fprintf(stderr, "no set of instructions is named %s\n", name);
    exit(1);
}

int main(int argc, char **argv)
{
    const struct cpu_set *set = NULL;
    struct error e;
    if (argc > 1)
        set = set_named(argv[1]);
    else
        check(cpu_choose(&set, &e), &e);
    hash_products(set);
    hash_rows(set);
    hash_attentions(set);
    hash_elementary();
    return 0;
}
