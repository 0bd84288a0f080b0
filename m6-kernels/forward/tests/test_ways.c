/* The same bits from every set of instructions, from any number of threads and
 * in chunks of any length: what the last norm makes of a text, in a model of
 * every family, when kernels compute. */
#include "forward.h"

#include "test_numbers.h"
#include "test_small.h"

enum sizes {
    MOST_NUMBERS = 1 << 16
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
    int ids[23];
    struct state s;
    struct error e;
    const struct observer o = {keep_norms, r};
    for (size_t i = 0; i < 23; i++)
        ids[i] = (int)((i * 7 + 3) % m->embedding.rows);
    r->n = 0;
    assert_ok(state_init_chunked(&s, m, 23, chunk, &e), &e);
    assert_ok(forward(m, &s, ids, 23, &o, &e), &e);
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

static void assert_way(const char *name, const struct cpu_set *set,
                       size_t threads, struct result *first)
{
    static const size_t chunks[] = {23, 5};
    struct result found = {calloc(MOST_NUMBERS, sizeof(float)), 0};
    struct model m;
    struct threads *pool;
    struct checkpoint goldens;
    struct error e;
    assert_non_null(found.numbers);
    small_open(name, &m, &goldens);
    setenv("RUNG_CPU", set->name, 1);
    assert_ok(threads_open(&pool, threads, &e), &e);
    assert_ok(model_pack(&m, pool, &e), &e);
    unsetenv("RUNG_CPU");
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        read_text(&m, chunks[i], &found);
        assert_result(name, set, threads, chunks[i], &found, first);
    }
    checkpoint_close(&goldens);
    model_close(&m);
    threads_close(pool);
    free(found.numbers);
}

static void small_model(void **state)
{
    struct result first = {calloc(MOST_NUMBERS, sizeof(float)), 0};
    assert_non_null(first.numbers);
    for (size_t i = 0; cpu_set_row(i); i++)
        if (cpu_set_row(i)->is_here()) {
            size_t threads = first.n == 0 ? 3 : 1;
            assert_way(*state, cpu_set_row(i), threads, &first);
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
