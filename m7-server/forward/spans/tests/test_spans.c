/* Texts that are read together: each has the bits of being read alone, of
 * every model of tests/checkpoints and tests/quantized, by math/ and by
 * kernels, whoever comes, goes or waits meanwhile. */
#include "test_crowd.h"
#include "test_run.h"
#include "test_small.h"

enum test_sizes {
    MOST_MODELS = 2 * MAX_SMALL,
    MODEL_NAME = 64
};

static const char *const forms[] = {"f32", "int8", "k4v3"};

/* What a pass reads. */
struct plan {
    struct span spans[TEXTS];
    struct text *texts[TEXTS]; /* whose they are */
    size_t n, rows;
};

/* A slice of its prompt, or a token, as far as there is room. */
static void plan_text(struct crowd *c, struct plan *p, struct text *t)
{
    size_t held = t->cache.length, room = CAPACITY - p->rows;
    size_t rest = held < t->prompt ? t->prompt - held : 1;
    size_t n = 1 + below(c, smaller_size(smaller_size(rest, CHUNK), room));
    p->spans[p->n] =
        (struct span){&t->cache, t->ids + held, n,
                      held < t->prompt ? t->prompt : 0};
    p->texts[p->n++] = t;
    p->rows += n;
}

/* Some of the texts that are there, in another order each time. */
static void plan_pass(struct crowd *c, struct plan *p)
{
    size_t first = below(c, TEXTS);
    *p = (struct plan){.n = 0};
    for (size_t i = 0; i < TEXTS && p->rows < CAPACITY; i++) {
        struct text *t = &c->texts[(first + i) % TEXTS];
        if (t->cache.layers && below(c, 4) > 0)
            plan_text(c, p, t);
    }
}

static void assert_pass(struct crowd *c, struct state *s,
                        const struct plan *p)
{
    size_t row = 0;
    assert_int_equal(s->rows, p->rows);
    for (size_t i = 0; i < p->n; i++) {
        size_t end = p->texts[i]->cache.length, n = p->spans[i].n;
        for (size_t t = 0; t < n; t++)
            assert_alone(c, s, row++, p->texts[i], end - n + t);
        assert_memory_equal(p->texts[i]->cache.ids, p->texts[i]->ids,
                            end * sizeof(int));
    }
}

/* Texts come; they go when they are read, and some earlier, to come again. */
static void come_and_go(struct crowd *c)
{
    struct error e;
    for (size_t i = 0; i < TEXTS; i++) {
        struct text *t = &c->texts[i];
        bool is_here = t->cache.layers;
        t->ended |= t->cache.length == t->n;
        if (is_here && (t->cache.length == t->n || below(c, 60) == 0))
            cache_free(&t->cache);
        else if (!is_here && !t->ended && below(c, 3) == 0)
            assert_ok(cache_init_form(&t->cache, &c->m, c->form, t->n, CHUNK,
                                      &e),
                      &e);
    }
}

static bool all_ended(const struct crowd *c)
{
    size_t n = 0;
    for (size_t i = 0; i < TEXTS; i++)
        n += c->texts[i].ended;
    return n == TEXTS;
}

static void assert_crowd(struct crowd *c, const char *form, uint64_t seed)
{
    struct plan p;
    struct state s;
    struct error e;
    crowd_open(c, cache_form_named(form), seed);
    assert_ok(state_init_chunked(&s, &c->m, LONGEST, CAPACITY, &e), &e);
    for (; !all_ended(c); come_and_go(c)) {
        plan_pass(c, &p);
        if (p.n == 0)
            continue;
        assert_int_equal(read_spans(&c->m, &s, p.spans, p.n, NULL), 0);
        assert_pass(c, &s, &p);
    }
    state_free(&s);
    crowd_close(c);
}

/* By math/, then by kernels; *state is its path.  Of some models, threads
 * share the work: all would wait long for each other on a busy machine. */
static void a_text_in_a_crowd_has_its_own_bits(void **state)
{
    static size_t n_read; /* models */
    struct crowd c;
    struct threads *threads;
    struct error e;
    char *path = test_path(*state);
    assert_ok(model_open(&c.m, path, &e), &e);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        assert_crowd(&c, forms[i], i);
    assert_ok(threads_open(&threads, n_read++ % 8 ? 1 : 2, &e), &e);
    assert_ok(model_pack(&c.m, threads, &e), &e);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        assert_crowd(&c, forms[i], 10 + i);
    model_close(&c.m);
    threads_close(threads);
    free(path);
}

struct model_paths {
    char paths[MOST_MODELS][MODEL_NAME]; /* below tests/ */
    size_t n;
};

/* The folders below tests/FOLDER that hold a model of themselves. */
static void add_models(struct model_paths *m, const char *folder)
{
    char *path = test_path(folder);
    DIR *all = opendir(path);
    struct dirent *entry;
    while (all && (entry = readdir(all)) && m->n < MOST_MODELS) {
        char *at = m->paths[m->n], file[MODEL_NAME + 32];
        static const char *const files[] = {"config.json", "model.gguf"};
        snprintf(at, MODEL_NAME, "%s/%.40s", folder, entry->d_name);
        for (size_t i = 0; i < 2 && entry->d_name[0] != '.'; i++) {
            snprintf(file, sizeof file, "%s/%s", at, files[i]);
            char *there = test_path(file);
            bool is_there = access(there, R_OK) == 0;
            free(there);
            if (is_there) {
                m->n++;
                break;
            }
        }
    }
    if (all)
        closedir(all);
    free(path);
}

static void the_models_are_there(void **state)
{
    const struct model_paths *m = *state;
    if (m->n == 0)
        skip_without_models();
    assert_in_range(m->n, 60, MOST_MODELS - 1);
}

int main(void)
{
    static struct model_paths m;
    struct CMUnitTest tests[1 + MOST_MODELS];
    add_models(&m, "checkpoints");
    add_models(&m, "quantized");
    tests[0] = (struct CMUnitTest){.name = "the_models_are_there",
                                   .test_func = the_models_are_there,
                                   .initial_state = &m};
    for (size_t i = 0; i < m.n; i++)
        tests[1 + i] = (struct CMUnitTest){
            .name = m.paths[i],
            .test_func = a_text_in_a_crowd_has_its_own_bits,
            .initial_state = m.paths[i]};
    return _cmocka_run_group_tests("spans", tests, 1 + m.n, NULL, NULL);
}
