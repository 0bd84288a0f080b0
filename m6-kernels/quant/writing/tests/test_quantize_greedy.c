/* The reading model in int8 and int4 writes what transformers writes with the
 * same weights: tests/models/goldens/greedy_quant.json. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "generate.h"
#include "json.h"
#include "test_quantizing.h"

static int take_any(void *context, int id, const float *logits,
                    struct error *e)
{
    (void)context;
    (void)id;
    (void)logits;
    (void)e;
    return 0;
}

/* Let a text go on with `most` tokens, the likeliest ones. */
static void go_on(const struct model *m, struct ids *text, size_t most)
{
    struct sampling how = no_sampling;
    struct sampler s;
    struct error e;
    how.temperature = 0;
    struct generation g = {.most = most, .sampler = &s, .put = take_any};
    assert_ok(sampler_init(&s, &how, m->config.vocab_size, 0, 0, &e), &e);
    assert_true(generate(m, NULL, text, &g, &e) >= 0);
    sampler_free(&s);
}

/* Go on with a prompt, and compare up to where another order of sums could
 * choose another token. */
static void check_prompt(const struct model *m, const json_t *prompt,
                         const json_t *golden)
{
    const json_t *ids = json_object_get(prompt, "prompt_ids");
    const json_t *expected = json_object_get(golden, "ids");
    struct ids text = {0};
    size_t n = json_array_size(ids), compare = (size_t)json_integer_value(
                                         json_object_get(golden, "compare"));
    for (size_t i = 0; i < n; i++)
        ids_add(&text, (int)json_integer_value(json_array_get(ids, i)));
    if (compare > 0)
        go_on(m, &text, compare);
    assert_int_equal(text.size, n + compare);
    for (size_t i = 0; i < compare; i++)
        assert_int_equal(text.data[n + i],
                         json_integer_value(json_array_get(expected, i)));
    ids_free(&text);
}

static json_t *read_goldens(const char *name)
{
    char file[80];
    struct error e;
    snprintf(file, sizeof file, "models/goldens/%s", name);
    json_t *root = json_read_file(path_in_tests(file), &e);
    assert_ok(root ? 0 : -1, &e);
    return root;
}

static void check_format(const char *format)
{
    struct model m;
    struct error e;
    struct quantize_request r =
        request(path_in_tests("models/tiny-chat"), format, format, 128);
    r.choice.keep_embedding = r.choice.keep_head = true;
    do_it(&r);
    assert_ok(model_open(&m, format, &e), &e);
    json_t *prompts = read_goldens("greedy.json");
    json_t *all = read_goldens("greedy_quant.json");
    const char *name;
    json_t *golden;
    size_t n = 0;
    json_object_foreach(json_object_get(all, format), name, golden)
    {
        if (is_long() || n % (is_slow() ? 12 : 3) == 0)
            check_prompt(&m, json_object_get(prompts, name), golden);
        n++;
    }
    assert_int_equal(n, 35);
    json_decref(prompts);
    json_decref(all);
    model_close(&m);
}

static void int8_writes_what_it_writes_elsewhere(void **state)
{
    (void)state;
    check_format("int8");
}

static void int4_writes_what_it_writes_elsewhere(void **state)
{
    (void)state;
    check_format("int4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(int8_writes_what_it_writes_elsewhere),
        SCRATCH(int4_writes_what_it_writes_elsewhere),
    };
    return cmocka_run_group_tests_name("quantize_greedy", tests,
                                       find_tests_folder, NULL);
}
