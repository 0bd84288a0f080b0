/* A text as one vector agrees with transformers: the reading model's goldens
 * are in tests/models/goldens, those of small random models in
 * tests/checkpoints. */
#include "pool.h"

#include "json.h"
#include "test_numbers.h"
#include "test_small.h"
#include "tokenizer.h"

/* Pool ids (n,); the result is to be freed. */
static float *pool_ids(const struct model *m, const int *ids, size_t n)
{
    float *out = calloc(m->config.hidden_size, sizeof *out);
    struct state s;
    struct error e;
    assert_non_null(out);
    assert_ok(state_init(&s, m, n, &e), &e);
    assert_ok(pool(m, &s, ids, n, out, &e), &e);
    state_free(&s);
    return out;
}

/* One of the checkpoints that have a golden "pooled". */
static void assert_pooled(const struct model *m, const struct checkpoint *c)
{
    size_t n;
    int *ids = golden_ids(c, "", "ids", &n);
    float *expected = golden_floats(c, "", "pooled");
    float *found = pool_ids(m, ids, n);
    assert_row("pooled", "text, dimension", 1, 0, found, expected,
               m->config.hidden_size);
    free(found);
    free(expected);
    free(ids);
}

static void small_models_agree(void **state)
{
    (void)state;
    struct small_models small;
    size_t compared = 0;
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++) {
        struct model m;
        struct checkpoint goldens;
        small_open(small.names[i], &m, &goldens);
        if (checkpoint_find(&goldens, "pooled")) {
            assert_pooled(&m, &goldens);
            compared++;
        }
        checkpoint_close(&goldens);
        model_close(&m);
    }
    if (compared == 0)
        skip_without_models();
}

/* One of embed.json's: its ids, with the end that the tokenizer appends, and
 * its vector, which has seven digits. */
static void assert_golden_text(const struct model *m,
                               const struct tokenizer *t, const json_t *golden)
{
    const char *text = json_string_value(json_object_get(golden, "text"));
    const json_t *expected_ids = json_object_get(golden, "ids");
    const json_t *expected = json_object_get(golden, "embedding");
    struct ids ids = {0};
    struct error e;
    assert_ok(tokenizer_encode(t, text, strlen(text), true, &ids, &e), &e);
    assert_int_equal(ids.size, json_array_size(expected_ids));
    for (size_t i = 0; i < ids.size; i++)
        assert_int_equal(ids.data[i],
                         json_integer_value(json_array_get(expected_ids, i)));
    float *found = pool_ids(m, ids.data, ids.size);
    assert_int_equal(json_array_size(expected), m->config.hidden_size);
    for (size_t i = 0; i < m->config.hidden_size; i++)
        assert_true(fabs((double)found[i] - json_number_value(json_array_get(
                                                expected, i))) < 1e-5);
    free(found);
    ids_free(&ids);
}

static void the_reading_model_agrees(void **state)
{
    (void)state;
    char *path = test_path("models/goldens/embed.json");
    char *model = test_path("models/tiny-embed");
    struct error e;
    if (access(path, R_OK) != 0) {
        free(path);
        free(model);
        skip_without_models();
    }
    json_t *goldens = json_read_file(path, &e);
    struct tokenizer *t = tokenizer_load(model, &e);
    struct model m;
    assert_ok(model_open(&m, model, &e), &e);
    assert_non_null(t);
    assert_true(json_array_size(goldens) > 0);
    for (size_t i = 0; i < json_array_size(goldens); i++)
        assert_golden_text(&m, t, json_array_get(goldens, i));
    model_close(&m);
    tokenizer_free(t);
    json_decref(goldens);
    free(model);
    free(path);
}

/* A vector shorter than 1e-12 is divided by that, as torch's normalize does:
 * here by the norm's weights, 1e-16 each, its length is 1e-15 or so. */
static void a_vector_of_almost_no_length_is_not_blown_up(void **state)
{
    (void)state;
    struct small_models small;
    struct model m;
    struct checkpoint goldens;
    struct state s;
    struct error e;
    small_models_find(&small);
    if (small.n == 0)
        skip_without_models();
    small_open("qwen3-1", &m, &goldens);
    size_t width = m.config.hidden_size;
    float *weights = calloc(width, sizeof *weights);
    float *expected = calloc(width, sizeof *expected);
    for (size_t i = 0; i < width; i++)
        weights[i] = 1e-16f;
    m.norm.weight.data = (const unsigned char *)weights;
    m.norm.weight.dtype = DTYPE_F32;
    float *found = pool_ids(&m, (int[]){3, 1}, 2);
    assert_ok(state_init(&s, &m, 2, &e), &e);
    assert_ok(forward(&m, &s, (int[]){3, 1}, 2, NULL, &e), &e);
    for (size_t i = 0; i < width; i++)
        expected[i] = (float)((double)s.normed[width + i] / 1e-12);
    assert_close("pooled", found, expected, width, 1e-6, 0);
    state_free(&s);
    free(found);
    free(expected);
    free(weights);
    checkpoint_close(&goldens);
    model_close(&m);
}

static void a_text_that_cannot_be_run_has_no_vector(void **state)
{
    (void)state;
    struct small_models small;
    struct model m;
    struct checkpoint goldens;
    struct state s;
    struct error e;
    float out;
    small_models_find(&small);
    if (small.n == 0)
        skip_without_models();
    small_open("qwen3-1", &m, &goldens);
    assert_ok(state_init(&s, &m, 2, &e), &e);
    assert_int_equal(pool(&m, &s, (int[]){0, -1}, 2, &out, &e), -1);
    assert_non_null(strstr(e.message, "token 1 of the text has the id -1"));
    state_free(&s);
    checkpoint_close(&goldens);
    model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_models_agree),
        cmocka_unit_test(the_reading_model_agrees),
        cmocka_unit_test(a_vector_of_almost_no_length_is_not_blown_up),
        cmocka_unit_test(a_text_that_cannot_be_run_has_no_vector),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
