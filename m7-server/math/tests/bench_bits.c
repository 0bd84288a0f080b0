/* Prints a hash of what each kernel computes from the same numbers, by a set
 * of instructions.  It needs no library, so that the bits of other machines
 * can be compared where there is but a compiler for them, and an emulator:
 * `make arm`, `make emulated` and `make bits` do.
 *
 *     build/plain/bits            the sets that this machine has
 *     build/plain/bits SET        without asking whether it does
 *     build/plain/bits SET N      of N random shapes and operands for each */
#include "attend.h"
#include "elementary.h"
#include "multiply.h"
#include "queries.h"
#include "test_hash_steps.h"

enum bits_sizes {
    LONGEST = 300,
    FEW_COLS = 400,
    MOST_COLS = 1200, /* more than the inputs of a block */
    MOST_ROWS = 70,
    MANY = 64, /* rows of inputs, which are more than a few in any set */
    MOST_INPUTS = 20 + MANY,
    MOST_TOKENS = 20,
    MOST_DIM = 96,
    DEPTH = 700 /* positions */
};

/* Random shapes of each kernel. */
struct counts {
    size_t products, rows, attentions, steps;
};

/* --- products ------------------------------------------------------------ */

/* With n rows of inputs; the matrix has from `least` to `most` columns. */
static void hash_product(const struct cpu_set *set, enum packed_kind kind,
                         size_t n, size_t least, size_t most)
{
    static float in[MOST_INPUTS * MOST_COLS + 2 * GUARD];
    static float room[MOST_INPUTS * MOST_ROWS + 2 * GUARD];
    size_t rows = 1 + random_below(MOST_ROWS);
    size_t cols = least + random_below(most - least + 1);
    float *x = place_in(in, n * cols), *out = place_in(room, n * rows);
    struct packed p;
    struct engine g;
    struct error e;
    const struct product product = {&p, out};
    check(packed_init(&p, kind, rows, cols, &e), &e);
    check(engine_init(&g, set, NULL, n, cols, &e), &e);
    fill_matrix(&p);
    fill_floats(x, n * cols);
    multiply_all(&g, &product, 1, x, n);
    check_guards("a product", room, out, n * rows);
    add_floats(out, n * rows);
    engine_free(&g);
    packed_free(&p);
}

/* One in eight has many rows of inputs, one in sixteen long ones, too. */
static void hash_products(const struct cpu_set *set, size_t shapes)
{
    static const char *const names[N_PACKED] = {
        [PACKED_INT4] = "product int4", [PACKED_AFFINE4] = "product affine4",
        [PACKED_INT8] = "product int8", [PACKED_F16] = "product f16",
        [PACKED_BF16] = "product bf16", [PACKED_F32] = "product f32"};
    for (enum packed_kind kind = 0; kind < N_PACKED; kind++) {
        begin_hash();
        for (size_t i = 0; i < shapes; i++) {
            size_t n = 1 + random_below(20) + (i % 8 == 0 ? MANY : 0);
            if (i % 16 == 0)
                hash_product(set, kind, n, FEW_COLS, MOST_COLS);
            else
                hash_product(set, kind, n, 1, FEW_COLS);
        }
        print_hash(names[kind], shapes);
    }
}

/* --- rows ---------------------------------------------------------------- */

/* In place and, as numbers that were not there, somewhere else. */
static void hash_normalize(const struct row_kernels *k, float *x, float *y,
                           size_t n)
{
    float room[LONGEST + 2 * GUARD], *out = place_in(room, n);
    struct row_norm norm = {.width = n, .eps = 1e-6f, .weights = y};
    k->normalize(&norm, x, 1, x);
    norm.centred = true;
    norm.offset = 1;
    norm.biases = y + LONGEST;
    k->normalize(&norm, x, 1, out);
    check_guards("a norm", room, out, n);
    memcpy(x, out, n * sizeof *x);
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

static void hash_rows(const struct cpu_set *set, size_t shapes)
{
    static float in[LONGEST + 2 * GUARD], more[2 * LONGEST + 2 * GUARD];
    for (size_t t = 0; t < sizeof row_trials / sizeof *row_trials; t++) {
        begin_hash();
        for (size_t i = 0; i < shapes; i++) {
            size_t n = 1 + random_below(LONGEST);
            float *x = place_in(in, n), *y = place_in(more, 2 * LONGEST);
            fill_floats(x, n);
            fill_floats(y, 2 * LONGEST);
            row_trials[t].run(set->rows, x, y, n);
            check_guards(row_trials[t].name, in, x, n);
            add_floats(x, n);
        }
        print_hash(row_trials[t].name, shapes);
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
    static float in[MOST_TOKENS * 16 * MOST_DIM + 2 * GUARD];
    static float room[MOST_TOKENS * 16 * MOST_DIM + 2 * GUARD];
    size_t head_dim = 1 + random_below(MOST_DIM);
    size_t from = random_below(DEPTH - n), count = n * 2 * sharing * head_dim;
    float *q = place_in(in, count), *out = place_in(room, count);
    struct panels keys, values;
    struct attender a;
    struct attention_limits most = {.positions = DEPTH};
    struct error e;
    open_panels(&keys, kind, false, 2, head_dim);
    open_panels(&values, kind, true, 2, head_dim);
    attention_limits_add(&most, 2 * sharing, 2, head_dim);
    check(attender_init(&a, set, NULL, &most, &e), &e);
    fill_floats(q, count);
    size_t window = random_below(3) ? 0 : 100;
    float soft_cap = random_below(3) ? 0 : 30;
    const struct attention_work w = {
        .keys = &keys, .values = &values, .n_heads = 2 * sharing,
        .from = from, .n = n, .window = window,
        .scale = 0.125f, .soft_cap = soft_cap,
        .q = q, .out = out};
    attend_all(&a, &w);
    check_guards("attention", room, out, count);
    add_floats(out, count);
    attender_free(&a);
    panels_free(&keys);
    panels_free(&values);
}

/* One token and several in turn, with 1 to 8 heads of queries. */
static void hash_attentions(const struct cpu_set *set, size_t shapes)
{
    static const char *const names[N_PANEL_KINDS] = {
        "attention f32",    "attention f16",    "attention int8",
        "attention 4 bits", "attention 3 bits", "attention 2 bits"};
    for (enum panel_kind kind = 0; kind < N_PANEL_KINDS; kind++) {
        begin_hash();
        for (size_t i = 0; i < shapes; i++)
            hash_attention(set, kind, 1 + i / 2 % 8,
                           i % 2 ? 1 + random_below(MOST_TOKENS) : 1);
        print_hash(names[kind], shapes);
    }
}

/* --- angles -------------------------------------------------------------- */

/* What is computed in 64 bits, once for all sets. */
static void hash_elementary(size_t n)
{
    begin_hash();
    for (size_t i = 0; i < n; i++) {
        double x = (double)next_bits() * 0x1p-12;
        struct turned turned = turned_by(x);
        double power = fixed_power(x + 1, (double)random_number());
        const float found[] = {
            (float)turned.cosine, (float)turned.sine, (float)fixed_log(x + 1),
            (float)fixed_exp((double)random_number()), (float)power};
        add_floats(found, sizeof found / sizeof *found);
    }
    print_hash("angles and powers", n);
}

/* --- all of it ----------------------------------------------------------- */

/* The set of that name, without asking whether the machine has it. */
static const struct cpu_set *set_named(const char *name)
{
    for (size_t i = 0; cpu_set_row(i); i++)
        if (strcmp(cpu_set_row(i)->name, name) == 0)
            return cpu_set_row(i);
    fprintf(stderr, "no set of instructions is named %s\n", name);
    exit(1);
}

static void print_sets_here(void)
{
    const struct cpu_set *set;
    for (size_t i = 0; (set = cpu_set_row(i)); i++)
        if (set->is_here())
            puts(set->name);
}

int main(int argc, char **argv)
{
    struct counts n = {100, 400, 16, 20};
    if (argc < 2) {
        print_sets_here();
        return 0;
    }
    const struct cpu_set *set = set_named(argv[1]);
    if (argc > 2)
        n.products = n.rows = n.attentions = n.steps =
            strtoul(argv[2], NULL, 10);
    set->is_here(); /* tiles are only for a program that has asked */
    place_of_set = strlen(set->name);
    hash_products(set, n.products);
    hash_rows(set, n.rows);
    hash_attentions(set, n.attentions);
    hash_steps(set, n.steps);
    hash_elementary(100 * n.products);
    return 0;
}
