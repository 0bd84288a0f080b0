/* Where the time of a forward pass goes, function by function, and how much
 * memory it needs.
 *
 *     make bench                      the reading model, 128 tokens
 *     build/plain/bench_forward MODEL TOKENS
 */
#include "attention.h"
#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct bench {
    struct model model;
    struct state state;
    int *ids; /* (n,) */
    size_t n;
};

/* One kind of work, done for one layer. */
struct work {
    const char *name;
    void (*run)(struct bench *b, const struct layer *l);
};

static void run_norms(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    const struct attention *a = &l->attention;
    size_t width = b->model.config.hidden_size;
    normalize_rows(&s->compute, &l->mix_norm, s->x, b->n * width, s->normed);
    normalize_rows(&s->compute, &l->feed_norm, s->x, b->n * width, s->normed);
    normalize_rows(&s->compute, &a->q_norm, s->q,
                   b->n * a->n_heads * a->head_dim, s->q);
    normalize_rows(&s->compute, &a->k_norm, s->k,
                   b->n * a->n_kv_heads * a->head_dim, s->k);
}

static void run_projections(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    linear(&s->compute, &l->attention.q, s->normed, b->n, s->q);
    linear(&s->compute, &l->attention.k, s->normed, b->n, s->k);
    linear(&s->compute, &l->attention.v, s->normed, b->n, s->v);
    linear(&s->compute, &l->attention.o, s->heads, b->n, s->out);
}

static void run_rotations(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    const struct attention *a = &l->attention;
    const struct rope *rope = &b->model.ropes[a->rope];
    for (size_t t = 0; t < b->n; t++) {
        rotate(rope, &s->angles[a->rope], t,
               s->q + t * a->n_heads * a->head_dim, a->n_heads, a->head_dim);
        rotate(rope, &s->angles[a->rope], t,
               s->k + t * a->n_kv_heads * a->head_dim, a->n_kv_heads,
               a->head_dim);
    }
}

static void run_attention(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    const struct attention *a = &l->attention;
    size_t width = a->n_heads * a->head_dim;
    size_t bytes = a->n_kv_heads * a->head_dim * sizeof(float);
    const struct cache_form *form = cache_form_row(0);
    struct cache_layer past = {.slots = b->n,
                               .key_form = &form->key,
                               .value_form = &form->value,
                               .key_bytes = bytes,
                               .value_bytes = bytes,
                               .keys = (unsigned char *)s->k,
                               .values = (unsigned char *)s->v};
    for (size_t t = 0; t < b->n; t++) {
        struct visible seen = {&past, 0, t + 1, NULL, s->attention_weights};
        attend(a, s->q + t * width, &seen, 1, s->heads + t * width);
    }
}

static void run_mlp(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    linear(&s->compute, &l->mlp.gate, s->normed, b->n, s->gate);
    linear(&s->compute, &l->mlp.up, s->normed, b->n, s->up);
    linear(&s->compute, &l->mlp.down, s->gate, b->n, s->out);
}

static void run_activation(struct bench *b, const struct layer *l)
{
    struct state *s = &b->state;
    size_t n = b->n * l->mlp.gate.weight.rows;
    l->mlp.activate(s->gate, n);
    multiply(s->gate, s->up, n);
}

static const struct work works[] = {
    {"normalize_rows", run_norms},
    {"linear: q, k, v, o", run_projections},
    {"rotate", run_rotations},
    {"attend", run_attention},
    {"linear: gate, up, down", run_mlp},
    {"activate, multiply", run_activation},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Milliseconds a token, the best of five runs. */
static double time_work(struct bench *b, const struct work *w)
{
    double best = 1e9;
    for (int run = 0; run < 5; run++) {
        double begin = now();
        for (size_t l = 0; l < b->model.config.n_layers; l++)
            w->run(b, &b->model.layers[l]);
        double spent = now() - begin;
        best = spent < best ? spent : best;
    }
    return best * 1e3 / (double)b->n;
}

static double time_forward(struct bench *b)
{
    double best = 1e9;
    struct error e;
    for (int run = 0; run < 5; run++) {
        double begin = now();
        forward(&b->model, &b->state, b->ids, b->n, NULL, &e);
        double spent = now() - begin;
        best = spent < best ? spent : best;
    }
    return best * 1e3 / (double)b->n;
}

static double time_logits(struct bench *b)
{
    double begin = now();
    for (size_t t = 0; t < b->n; t++)
        forward_logits(&b->model, &b->state, t, NULL);
    return (now() - begin) * 1e3 / (double)b->n;
}

static void print_times(struct bench *b)
{
    double all = time_forward(b);
    printf("%zu tokens, milliseconds a token\n\n", b->n);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        double spent = time_work(b, &works[i]);
        printf("  %-24s %8.4f  %4.1f%%\n", works[i].name, spent,
               100 * spent / all);
    }
    printf("  %-24s %8.4f\n", "forward, all in all", all);
    printf("  %-24s %8.4f\n", "forward_logits", time_logits(b));
}

/* How many floats a state has for each token. */
static size_t floats_a_token(const struct model *m)
{
    const struct config *c = &m->config;
    size_t angles = 0;
    for (size_t i = 0; i < m->n_ropes; i++)
        angles += m->ropes[i].dim;
    return 3 * c->hidden_size + 2 * c->n_heads * c->head_dim +
           2 * c->n_kv_heads * c->head_dim + c->n_heads +
           2 * c->intermediate_size + angles;
}

static void print_memory(const struct bench *b)
{
    size_t mapped = 0;
    size_t state = floats_a_token(&b->model) * b->n * sizeof(float);
    for (size_t i = 0; i < b->model.checkpoint.n_files; i++)
        mapped += b->model.checkpoint.files[i].size;
    printf("\nweights, mapped: %.1f MB; the state: %.1f MB\n",
           (double)mapped / 1e6, (double)state / 1e6);
}

static int open_bench(struct bench *b, const char *path, size_t n,
                      struct error *e)
{
    if (model_open(&b->model, path, e))
        return -1;
    b->n = n;
    b->ids = calloc(n, sizeof *b->ids);
    if (!b->ids || state_init(&b->state, &b->model, n, e)) {
        free(b->ids);
        model_close(&b->model);
        return fail_memory(e, "the benchmark");
    }
    for (size_t i = 0; i < n; i++)
        b->ids[i] = (int)(i * 37 % b->model.config.vocab_size);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b;
    struct error e;
    const char *path = argc > 1 ? argv[1] : getenv("RUNG_MODEL");
    size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 128;
    if (open_bench(&b, path ? path : "../tests/models/tiny-chat", n ? n : 1,
                   &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    print_times(&b);
    print_memory(&b);
    state_free(&b.state);
    free(b.ids);
    model_close(&b.model);
    return 0;
}
