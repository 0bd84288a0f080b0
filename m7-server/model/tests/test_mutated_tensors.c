/* A tensor that is not what config.json says it is, is refused by its name.
 *
 * Each tensor of each small random model in turn gets another shape or type,
 * is taken away, or gets a companion that nothing uses.  What the tables of
 * safetensors files say is tested with the loader, in test_safetensors.c; here
 * it is changed after it has been read. */
#include "bind.h"
#include "family.h"
#include "test_numbers.h"
#include "test_small.h"

/* --- shapes and types ---------------------------------------------------- */

/* A change of one tensor; false: this one cannot have it. */
typedef bool change_tensor(struct tensor *t);

static bool add_a_row(struct tensor *t)
{
    t->shape[0]++;
    return true;
}

static bool drop_a_row(struct tensor *t)
{
    t->shape[0]--;
    return true;
}

static bool add_a_column(struct tensor *t)
{
    t->shape[1]++;
    return t->rank == 2;
}

static bool transpose(struct tensor *t)
{
    size_t rows = t->shape[0];
    t->shape[0] = t->shape[1];
    t->shape[1] = rows;
    return t->rank == 2 && t->shape[0] != rows;
}

static bool flatten(struct tensor *t)
{
    bool changes = t->rank == 2;
    t->shape[0] = t->count;
    t->rank = 1;
    return changes;
}

static bool begin_with_one(struct tensor *t)
{
    memmove(&t->shape[1], t->shape, (size_t)t->rank * sizeof t->shape[0]);
    t->shape[0] = 1;
    t->rank++;
    return true;
}

static bool end_with_one(struct tensor *t)
{
    t->shape[t->rank++] = 1;
    return true;
}

static bool lose_all_dimensions(struct tensor *t)
{
    t->rank = 0;
    return true;
}

static change_tensor *const changes[] = {
    add_a_row, drop_a_row,     add_a_column, transpose,
    flatten,   begin_with_one, end_with_one, lose_all_dimensions,
};

/* --- one tensor of a model ----------------------------------------------- */

/* Look for the weights again, as if for the first time. */
static int bind_again(struct model *m, const struct family *f, struct error *e)
{
    m->n_ignored = m->n_quantized = 0;
    free(m->quantized);
    for (size_t l = 0; l < m->config.n_layers; l++) {
        struct attention *a = &m->layers[l].attention;
        if (a->v.weight.data == a->k.weight.data &&
            a->v.weight.first == a->k.weight.first)
            a->v = (struct linear){0};
    }
    return bind_weights(m, f, e);
}

/* An embedding that is not there is called as in most models. */
static const char *name_in_messages(const struct tensor *t, bool missing)
{
    const char *embedding = strstr(t->name, "embed_");
    return missing && embedding ? embedding : t->name;
}

static void assert_refused(struct model *m, const struct family *f,
                           const char *name, const char *what)
{
    struct error e = {0};
    int result = bind_again(m, f, &e);
    if (result == 0 || !strstr(e.message, name))
        print_error("%s, %s: %s\n", name, what,
                    result ? e.message : "not refused");
    assert_int_equal(result, -1);
    assert_non_null(strstr(e.message, name));
}

static void assert_shapes_refused(struct model *m, const struct family *f,
                                  struct tensor *t)
{
    const struct tensor before = *t;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (changes[i](t))
            assert_refused(m, f, t->name, "another shape");
        *t = before;
    }
}

static void assert_types_refused(struct model *m, const struct family *f,
                                 struct tensor *t)
{
    const enum dtype before = t->dtype;
    for (int type = 0; type < N_DTYPES; type++) {
        t->dtype = (enum dtype)type;
        if (!weight_type_is_known(t->dtype))
            assert_refused(m, f, t->name, dtype_name(t->dtype));
    }
    t->dtype = before;
}

/* Without tensor i. */
static void assert_missed(struct model *m, const struct family *f, size_t i)
{
    struct checkpoint *c = &m->checkpoint;
    struct tensor *t = &c->tensors[i], taken = *t;
    size_t after = (--c->n_tensors - i) * sizeof *t;
    memmove(t, t + 1, after);
    assert_refused(m, f, name_in_messages(&taken, true), "taken away");
    memmove(t + 1, t, after);
    *t = taken;
    c->n_tensors++;
}

/* With another that is like tensor i, but has a longer name. */
static void assert_not_ignored(struct model *m, const struct family *f,
                               size_t i)
{
    struct checkpoint *c = &m->checkpoint;
    struct tensor *before = c->tensors;
    char name[300];
    snprintf(name, sizeof name, "%s_too", before[i].name);
    c->tensors = calloc(c->n_tensors + 1, sizeof *before);
    assert_non_null(c->tensors);
    memcpy(c->tensors, before, (i + 1) * sizeof *before);
    memcpy(c->tensors + i + 1, before + i,
           (c->n_tensors++ - i) * sizeof *before);
    c->tensors[i + 1].name = name;
    assert_refused(m, f, name, "added");
    free(c->tensors);
    c->tensors = before;
    c->n_tensors--;
}

/* --- all of them --------------------------------------------------------- */

/* Tensors of parts that are not for texts, which any reader may leave. */
static bool is_for_texts(const struct tensor *t)
{
    return !strstr(t->name, "vision") && !strstr(t->name, "multi_modal");
}

static void small_model(void **state)
{
    struct model m;
    struct checkpoint goldens;
    struct error e;
    size_t n_others = 0;
    small_open(*state, &m, &goldens);
    const struct family *f = family_find(&m.config, &e);
    for (size_t i = 0; i < m.checkpoint.n_tensors; i++) {
        if (!is_for_texts(&m.checkpoint.tensors[i])) {
            n_others++;
            continue;
        }
        assert_shapes_refused(&m, f, &m.checkpoint.tensors[i]);
        assert_types_refused(&m, f, &m.checkpoint.tensors[i]);
        assert_missed(&m, f, i);
        assert_not_ignored(&m, f, i);
    }
    assert_ok(bind_again(&m, f, &e), &e);
    assert_int_equal(m.n_ignored, n_others);
    if (n_others > 0)
        assert_false(is_for_texts(checkpoint_find(&m.checkpoint, m.ignored)));
    checkpoint_close(&goldens);
    model_close(&m);
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[MAX_SMALL];
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[i] = (struct CMUnitTest){.name = small.names[i],
                                       .test_func = small_model,
                                       .initial_state = small.names[i]};
    return _cmocka_run_group_tests("mutated tensors", tests, small.n, NULL,
                                   NULL);
}
