/* The same bits from every set of instructions, from any number of threads and
 * in chunks of any length: what the last norm makes of a text, in a model of
 * every family, when kernels compute. */
#include "forward.h"

#include "test_numbers.h"
#include "test_small.h"

enum sizes {
    MOST_NUMBERS = 1 << 16,
    TOKENS = 23,
    MOST_THREADS = 8
};

struct result {
    float *numbers; /* (tokens, hidden_size) */
    size_t n;
};

static void keep_norms(void *context, const char *name, int layer,
                       const float *data, struct shape shape)
{
    struct result *r = context;
    size_t count = shape.rows * shape.cols;
    (void)layer;
    if (strcmp(name, "norm") != 0)
        return;
    assert_true(r->n + count <= MOST_NUMBERS);
    memcpy(r->numbers + r->n, data, count * sizeof *data);
    r->n += count;
}

/* Read a text, of ids that follow from their places, in chunks. */
static void read_text(const struct model *m, size_t chunk, struct result *r)
{
    int ids[TOKENS];
    struct state s;
    struct error e;
    const struct observer o = {keep_norms, r};
    for (size_t i = 0; i < TOKENS; i++)
        ids[i] = (int)((i * 7 + 3) % m->embedding.rows);
    r->n = 0;
    assert_ok(state_init_chunked(&s, m, TOKENS, chunk, &e), &e);
    assert_ok(forward(m, &s, ids, TOKENS, &o, &e), &e);
    state_free(&s);
}

/* The first result is what the others are held to. */
static void assert_result(const char *name, const struct cpu_set *set,
                          size_t threads, size_t chunk,
                          const struct result *found, struct result *first)
{
    if (first->n == 0) {
        memcpy(first->numbers, found->numbers, found->n * sizeof(float));
        first->n = found->n;
    }
    assert_int_equal(found->n, first->n);
    if (memcmp(found->numbers, first->numbers, found->n * sizeof(float)))
        print_error("%s: %s, %zu threads, chunks of %zu differ\n", name,
                    set->name, threads, chunk);
    assert_memory_equal(found->numbers, first->numbers,
                        found->n * sizeof(float));
}

/* A way to compute: it reads in chunks of `least` tokens, of `step` more, and
 * so on. */
struct way {
    const struct cpu_set *set;
    size_t threads, least, step;
};

static void assert_way(const char *name, const struct way *w,
                       struct result *first)
{
    struct result found = {calloc(MOST_NUMBERS, sizeof(float)), 0};
    struct model m;
    struct threads *pool;
    struct checkpoint goldens;
    struct error e;
    assert_non_null(found.numbers);
    small_open(name, &m, &goldens);
    setenv("RUNG_CPU", w->set->name, 1);
    assert_ok(threads_open(&pool, w->threads, &e), &e);
    assert_ok(model_pack(&m, pool, &e), &e);
    unsetenv("RUNG_CPU");
    for (size_t chunk = w->least; chunk <= TOKENS; chunk += w->step) {
        read_text(&m, chunk, &found);
        assert_result(name, w->set, w->threads, chunk, &found, first);
    }
    checkpoint_close(&goldens);
    model_close(&m);
    threads_close(pool);
    free(found.numbers);
}

/* Each set, and the fastest in chunks of any length and by any number of
 * threads. */
static void small_model(void **state)
{
    struct result first = {calloc(MOST_NUMBERS, sizeof(float)), 0};
    struct way way;
    bool is_fastest = true;
    assert_non_null(first.numbers);
    for (size_t i = 0; (way.set = cpu_set_row(i)); i++) {
        if (!way.set->is_here())
            continue;
        for (size_t n = 1; n <= (is_fastest ? MOST_THREADS : 1); n++) {
            way.threads = n;
            way.least = n == 1 ? 1 : 7;
            way.step = n == 1 && is_fastest ? 1 : 11;
            assert_way(*state, &way, &first);
        }
        is_fastest = false;
    }
    free(first.numbers);
}

static void there_are_models(void **state)
{
    struct small_models small;
    (void)state;
    small_models_find(&small);
    if (small.n == 0)
        skip_without_models();
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[1 + MAX_SMALL] = {
        cmocka_unit_test(there_are_models),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[1 + i] = (struct CMUnitTest){.name = small.names[i],
                                           .test_func = small_model,
                                           .initial_state = small.names[i]};
    return _cmocka_run_group_tests("ways", tests, 1 + small.n, NULL, NULL);
}
