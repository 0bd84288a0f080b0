/* A model opens with its facts, or says why not. */
#include "engine.h"

#include "test_client.h"

#include <sys/stat.h>

static void a_model_tells_what_it_is(void **state)
{
    (void)state;
    struct rung_options o = {.requests = 3, .queue = 5, .context = 500,
                             .cache_form = "k4v3"};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    const struct rung_facts *f = rung_facts(m);
    struct stat file;
    char *path = test_path("models/tiny-chat/model.safetensors");
    assert_int_equal(stat(path, &file), 0);
    assert_string_equal(f->name, "tiny-chat");
    assert_string_equal(f->architecture, "Qwen3ForCausalLM");
    assert_string_equal(f->model_type, "qwen3");
    assert_int_equal(f->created, file.st_mtime);
    assert_int_equal(f->weight_bytes, file.st_size);
    assert_int_equal(f->context, 500);
    assert_true(f->trained_context >= 1024);
    assert_int_equal(f->vocab_size, 4096);
    assert_int_equal(f->requests, 3);
    assert_int_equal(f->queue, 5);
    assert_int_equal(f->cache_tokens, 1500);
    assert_int_equal(f->n_eos, 2);
    assert_int_equal(f->eos[0], 4089);
    assert_false(f->embeds);
    free(path);
    rung_close(m);
}

static void it_may_have_another_name_and_plain_arithmetic(void **state)
{
    (void)state;
    struct rung_options o = {.name = "mine", .exact = true};
    struct rung_model *m =
        open_model("models/tiny-chat/model.safetensors", &o);
    uint64_t one, other;
    assert_string_equal(rung_facts(m)->name, "mine");
    assert_string_equal(rung_facts(m)->kernels, "exact");
    assert_int_equal(rung_fingerprint(m, &one, NULL), 0);
    rung_close(m);
    m = open_model("models/tiny-chat", NULL);
    assert_string_not_equal(rung_facts(m)->kernels, "exact");
    assert_int_equal(rung_fingerprint(m, &other, NULL), 0);
    assert_true(one == other);
    rung_close(m);
}

static void its_makers_advise_how_to_choose(void **state)
{
    (void)state;
    struct rung_sampling s;
    struct rung_model *m = open_model("models/tiny-chat", NULL);
    rung_advised_sampling(m, &s);
    assert_true(s.temperature == 0.6F && s.top_p == 0.95);
    assert_int_equal(s.top_k, 20);
    assert_true(s.repetition == 1 && s.min_p == 0 && s.typical_p == 1);
    rung_close(m);
}

static void expect_refused(const struct rung_options *o, const char *words)
{
    struct rung_error e;
    char *path = test_path("models/tiny-chat");
    if (access(path, R_OK)) {
        free(path);
        skip_without_models();
    }
    assert_null(rung_open(path, o, &e));
    assert_int_equal(e.code, RUNG_INPUT);
    assert_string_equal(e.message, words);
    free(path);
}

static void options_that_cannot_be_are_refused(void **state)
{
    (void)state;
    expect_refused(&(struct rung_options){.requests = 33},
                   "33 requests at once are more than the possible 32");
    expect_refused(&(struct rung_options){.cache_tokens = 99, .context = 100},
                   "caches of 99 tokens are smaller than a context of 100");
    expect_refused(&(struct rung_options){.cache_form = "f8"},
                   "no form of a cache is called \"f8\"");
    expect_refused(&(struct rung_options){.step_tokens = 4, .requests = 5},
                   "a step of 4 tokens is too small for 5 places");
    expect_refused(&(struct rung_options){.exact = true, .keep_packed = true},
                   "exact arithmetic packs nothing that could be kept");
}

static void what_is_no_model_is_refused(void **state)
{
    (void)state;
    struct rung_error e;
    assert_null(rung_open("/none", NULL, &e));
    assert_int_equal(e.code, RUNG_SYSTEM);
    assert_non_null(strstr(e.message, "/none"));
    assert_null(rung_open("/none", NULL, NULL));
    rung_close(NULL);
}

/* What a step read is told afterwards. */
static void steps_are_counted_and_kept(void **state)
{
    (void)state;
    struct rung_part parts[100];
    struct rung_stats s;
    static struct client c;
    struct rung_options o = {.step_tokens = 16};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    client_init(&c, m, "The", 5);
    while (c.prompt.size < 20)
        ids_add(&c.prompt, 9);
    c.asks.ignore_eos = true;
    client_submit(&c, m);
    assert_int_equal(rung_number(c.ticket), 1);
    client_wait(&c);
    assert_int_equal(rung_timeline(m, parts, 100), 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(parts[i].step, i + 1);
        assert_int_equal(parts[i].request, 1);
        assert_int_equal(parts[i].tokens, i == 0 ? 16 : i == 1 ? 4 : 1);
        assert_int_equal(parts[i].decodes, i > 1);
        assert_true(parts[i].from >= (i ? parts[i - 1].end : 0));
        assert_true(parts[i].end > parts[i].from);
    }
    rung_stats(m, &s);
    assert_int_equal(s.steps, 6);
    assert_int_equal(s.prefilled, 20);
    assert_int_equal(s.decoded, 4);
    assert_int_equal(s.prompt_tokens, 20);
    assert_int_equal(s.cached_tokens, 0);
    assert_int_equal(s.at_length, 1);
    assert_int_equal(s.cache_tokens_used, 24);
    assert_int_equal(s.cache_bytes_used, 24 * m->facts.cache_token_bytes);
    assert_true(s.busy > 0);
    client_free(&c);
    rung_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_tells_what_it_is),
        cmocka_unit_test(it_may_have_another_name_and_plain_arithmetic),
        cmocka_unit_test(its_makers_advise_how_to_choose),
        cmocka_unit_test(options_that_cannot_be_are_refused),
        cmocka_unit_test(what_is_no_model_is_refused),
        cmocka_unit_test(steps_are_counted_and_kept),
    };
    return cmocka_run_group_tests_name("rung_open", tests, NULL, NULL);
}
