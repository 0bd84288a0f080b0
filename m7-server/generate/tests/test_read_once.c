/* Each token is read once, by the machine that is for it: what a prompt has
 * and the cache has not by prefill, what is new by decode.
 *
 * And no step looks at the text from its beginning to find that out.  To show
 * it, the cache's first id is made another one while a text grows: whoever
 * compared would now read all of it again, and so put the right one back. */
#include "forward.h"
#include "speculate.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum text_sizes {
    N_PROMPT = 11, /* tokens */
    N_NEW = 9,
    CHUNK = 4,
    N_DRAFT = 3,
    OTHER = 50 /* an id that does not stand in the text */
};

static const int prompt[N_PROMPT] = {5, 40, 17, 23, 8, 31, 12, 44, 9, 27, 36};

/* A model that writes, and what its state was each time that a token came. */
struct writer {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    struct ids ids;
    size_t n_put;
    bool decodes[N_NEW];
    size_t rows[N_NEW], lengths[N_NEW];
    struct cache *changed; /* its first id becomes another one when the first
                              token comes; NULL: none */
};

static int note_token(void *context, int id, const float *logits,
                      struct error *e)
{
    struct writer *w = context;
    (void)id;
    (void)logits;
    (void)e;
    assert_true(w->n_put < N_NEW);
    w->decodes[w->n_put] = w->reader.state.decodes;
    w->rows[w->n_put] = w->reader.state.rows;
    w->lengths[w->n_put] = w->reader.cache.length;
    if (w->n_put++ == 0 && w->changed)
        w->changed->ids[0] = OTHER;
    return 0;
}

static void open_writer(struct writer *w)
{
    char *path = test_path("checkpoints/llama-1");
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 0;
    *w = (struct writer){.n_put = 0};
    assert_ok(model_open(&w->m, path, &e), &e);
    free(path);
    w->m.config.eos.size = 0;
    reader_open(&w->reader, &w->m, N_PROMPT + N_NEW, CHUNK);
    assert_ok(
        sampler_init(&w->sampler, &how, w->m.config.vocab_size, 1, 0, &e), &e);
}

static void close_writer(struct writer *w)
{
    ids_free(&w->ids);
    sampler_free(&w->sampler);
    reader_close(&w->reader);
    model_close(&w->m);
}

/* Go on with the first n_prompt tokens; spec NULL: without guesses. */
static void write_text(struct writer *w, size_t n_prompt,
                       struct speculation *spec)
{
    struct error e;
    struct generation g = {.most = N_NEW,
                           .sampler = &w->sampler,
                           .put = note_token,
                           .context = w,
                           .state = &w->reader.state,
                           .cache = &w->reader.cache};
    w->n_put = 0;
    w->ids.size = 0;
    for (size_t i = 0; i < n_prompt; i++)
        ids_add(&w->ids, prompt[i]);
    assert_ok(spec ? speculate(&w->m, NULL, &w->ids, &g, spec, &e)
                   : generate(&w->m, NULL, &w->ids, &g, &e),
              &e);
    assert_int_equal(w->n_put, N_NEW);
}

/* --- which machine ------------------------------------------------------- */

/* Prefill for the prompt, whose last chunk has so many rows, and decode for
 * each new token behind it. */
static void assert_machines(const struct writer *w, size_t n_prompt,
                            size_t last_rows)
{
    for (size_t i = 0; i < N_NEW; i++) {
        assert_int_equal(w->decodes[i], i > 0);
        assert_int_equal(w->rows[i], i > 0 ? 1 : last_rows);
        assert_int_equal(w->lengths[i], n_prompt + i);
    }
}

static void a_prompt_is_prefilled_and_each_token_decoded(void **state)
{
    (void)state;
    struct writer w;
    open_writer(&w);
    write_text(&w, N_PROMPT, NULL);
    assert_machines(&w, N_PROMPT, N_PROMPT % CHUNK);
    close_writer(&w);
}

static void a_prompt_of_one_token_is_prefilled_too(void **state)
{
    (void)state;
    struct writer w;
    open_writer(&w);
    write_text(&w, 1, NULL);
    assert_machines(&w, 1, 1);
    close_writer(&w);
}

/* Also when a single token of it is left to read. */
static void the_rest_of_a_prompt_is_prefilled(void **state)
{
    (void)state;
    struct writer w;
    open_writer(&w);
    write_text(&w, N_PROMPT, NULL);
    write_text(&w, N_PROMPT, NULL);
    assert_machines(&w, N_PROMPT, 1);
    write_text(&w, N_PROMPT - 2, NULL);
    assert_machines(&w, N_PROMPT - 2, 1);
    close_writer(&w);
}

/* --- how often a text is compared ---------------------------------------- */

/* As many texts begin here as are written: each is compared then, and never
 * while it grows. */
static void assert_compared_once(struct writer *w, struct speculation *spec,
                                 struct cache *c)
{
    int first[N_NEW];
    w->changed = NULL;
    write_text(w, N_PROMPT, spec);
    memcpy(first, w->ids.data + N_PROMPT, sizeof first);
    for (size_t i = 0; i < 2; i++) {
        w->changed = c;
        write_text(w, N_PROMPT, spec);
        assert_int_equal(c->ids[0], OTHER);
        assert_memory_equal(w->ids.data + N_PROMPT, first, sizeof first);
    }
    w->changed = NULL;
    write_text(w, N_PROMPT, spec);
    assert_int_equal(c->ids[0], prompt[0]);
    assert_memory_equal(w->ids.data + N_PROMPT, first, sizeof first);
}

static void generating_compares_where_a_text_begins(void **state)
{
    (void)state;
    struct writer w;
    open_writer(&w);
    assert_compared_once(&w, NULL, &w.reader.cache);
    close_writer(&w);
}

/* Proposes the same token again and again, which is hardly ever right. */
static int propose_one_token(void *context, const struct history *t,
                             struct draft *d, struct error *e)
{
    (void)context;
    (void)t;
    (void)e;
    for (d->n = 0; d->n < d->most; d->n++)
        d->ids[d->n] = OTHER;
    return 0;
}

static void refused_guesses_do_not_compare(void **state)
{
    (void)state;
    struct writer w;
    struct error e;
    open_writer(&w);
    struct speculation spec = {.propose = propose_one_token};
    size_t n_vocab = w.m.config.vocab_size;
    assert_ok(draft_init(&spec.draft, N_DRAFT, n_vocab, true, &e), &e);
    assert_compared_once(&w, &spec, &w.reader.cache);
    assert_true(spec.n_kept < spec.n_proposed);
    draft_free(&spec.draft);
    close_writer(&w);
}

/* Neither in the model's cache nor in the drafter's, whose guesses are right
 * or, where the drafter draws by chance, often wrong. */
static void assert_small_model(float temperature)
{
    struct writer w;
    struct sampling how = no_sampling;
    struct error e;
    open_writer(&w);
    size_t n_vocab = w.m.config.vocab_size, n = N_PROMPT + N_NEW;
    struct small_model small = {.model = &w.m};
    struct speculation spec = {.propose = draft_by_model, .context = &small};
    how.temperature = temperature;
    assert_ok(state_init_chunked(&small.state, &w.m, n, CHUNK, &e), &e);
    assert_ok(cache_init(&small.cache, &w.m, n, CHUNK, &e), &e);
    assert_ok(sampler_init(&small.sampler, &how, n_vocab, 1, 0, &e), &e);
    assert_ok(draft_init(&spec.draft, N_DRAFT, n_vocab, false, &e), &e);
    assert_compared_once(&w, &spec, &w.reader.cache);
    assert_compared_once(&w, &spec, &small.cache);
    assert_true((spec.n_kept == spec.n_proposed) == (temperature == 0));
    draft_free(&spec.draft);
    sampler_free(&small.sampler);
    cache_free(&small.cache);
    state_free(&small.state);
    close_writer(&w);
}

static void a_small_model_compares_where_a_text_begins(void **state)
{
    (void)state;
    assert_small_model(0);
    assert_small_model(60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_is_prefilled_and_each_token_decoded),
        cmocka_unit_test(a_prompt_of_one_token_is_prefilled_too),
        cmocka_unit_test(the_rest_of_a_prompt_is_prefilled),
        cmocka_unit_test(generating_compares_where_a_text_begins),
        cmocka_unit_test(refused_guesses_do_not_compare),
        cmocka_unit_test(a_small_model_compares_where_a_text_begins),
    };
    return cmocka_run_group_tests_name("read once", tests, NULL, NULL);
}
