/* A small model guesses for many what it would say of each text alone; and
 * what it borrows for that, it gives back. */
#include "guess_model.h"

#include "generate.h"
#include "test_numbers.h"
#include "test_run.h"

enum sizes {
    PLACES = 3,
    MOST = 4,
    ROWS = 64,
    LONGEST = 200
};

static const struct guess_costs costs = {.row = 0.4, .draft = 0.1,
                                         .late = 0.02};

/* The reading model, for which its draft guesses. */
struct pair {
    struct model model;
    struct tokenizer *tokenizer;
    struct ids non_tokens;
    struct guess_model small;
    struct guess_purse purse;
    struct sampler samplers[PLACES];
    int guesses[PLACES][MOST];
    struct guessed_text texts[PLACES];
};

static int open_large(struct pair *p)
{
    struct error e;
    char *path = test_path("models/tiny-chat");
    int result = access(path, R_OK) || model_open(&p->model, path, &e);
    p->tokenizer = result ? NULL : tokenizer_load(path, &e);
    free(path);
    return p->tokenizer ? find_non_tokens(p->tokenizer,
                                          p->model.config.vocab_size,
                                          &p->non_tokens, &e)
                        : -1;
}

static int open_draft(struct pair *p, const char *name, struct error *e)
{
    const struct guessed_model large = {"models/large", &p->model,
                                        p->tokenizer,   &p->non_tokens,
                                        NULL,           false};
    char *path = test_path(name);
    int result = guess_model_open(&p->small, path, &large, e);
    free(path);
    return result;
}

static void start_samplers(struct pair *p, float temperature)
{
    struct error e;
    struct sampling how = no_sampling;
    how.temperature = temperature;
    for (size_t i = 0; i < PLACES; i++) {
        sampler_free(&p->samplers[i]);
        assert_ok(sampler_init(&p->samplers[i], &how,
                               p->model.config.vocab_size, i, 0, &e), &e);
    }
}

static void open_pair(struct pair *p, size_t longest, float temperature)
{
    struct error e;
    *p = (struct pair){.purse = guess_purse_full};
    if (open_large(p))
        skip_without_models();
    assert_ok(open_draft(p, "models/tiny-draft", &e), &e);
    assert_ok(guess_model_reserve(&p->small, PLACES, longest, ROWS, NULL, &e),
              &e);
    start_samplers(p, temperature);
}

static void close_pair(struct pair *p)
{
    for (size_t i = 0; i < PLACES; i++)
        sampler_free(&p->samplers[i]);
    guess_model_close(&p->small);
    tokenizer_free(p->tokenizer);
    ids_free(&p->non_tokens);
    model_close(&p->model);
}

/* Ask for guesses behind some texts, which are in the places 0, 1 ... */
static void guess(struct pair *p, const struct ids *texts, size_t n,
                  size_t room)
{
    for (size_t i = 0; i < n; i++)
        p->texts[i] = (struct guessed_text){.place = i,
                                            .ids = texts[i].data,
                                            .n = texts[i].size,
                                            .n_prompt = 1,
                                            .sampler = &p->samplers[i],
                                            .most = MOST - i,
                                            .guesses = p->guesses[i]};
    guess_model_propose(&p->small, &p->purse, &costs, p->texts, n, room);
}

static struct ids encode(const struct pair *p, const char *text)
{
    struct ids ids = {0};
    struct error e;
    assert_ok(tokenizer_encode(p->tokenizer, text, strlen(text), false, &ids,
                               &e), &e);
    return ids;
}

static int take_id(void *context, int id, const float *logits,
                   struct error *e)
{
    (void)logits;
    (void)e;
    ids_add(context, id);
    return 0;
}

/* What it says of a text alone. */
static void assert_says(const struct pair *p, const struct ids *text,
                        const struct guessed_text *guessed)
{
    struct error e;
    struct ids all = {0}, said = {0};
    struct sampler sampler;
    struct sampling how = no_sampling;
    how.temperature = 0;
    struct generation g = {.most = guessed->most,
                           .sampler = &sampler,
                           .put = take_id,
                           .context = &said};
    for (size_t i = 0; i < text->size; i++)
        ids_add(&all, text->data[i]);
    assert_ok(sampler_init(&sampler, &how, p->model.config.vocab_size, 1, 0,
                           &e), &e);
    assert_ok(generate(&p->small.model, &p->non_tokens, &all, &g, &e), &e);
    assert_int_equal(guessed->n_guesses, guessed->most);
    for (size_t i = 0; i < said.size; i++) /* an end token is not said */
        assert_int_equal(guessed->guesses[i], said.data[i]);
    sampler_free(&sampler);
    ids_free(&all);
    ids_free(&said);
}

/* --- what it says -------------------------------------------------------- */

/* Step by step: some guesses are kept, and others come behind: one token, or
 * two, when the model has gone on without a guess. */
static void it_guesses_what_it_would_say_alone(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 0);
    struct ids texts[PLACES] = {encode(&p, "Once upon a time"),
                                encode(&p, "The little dog was very"),
                                encode(&p, "One day")};
    for (size_t step = 0; step < 6; step++) {
        guess(&p, texts, PLACES, ROWS - PLACES);
        for (size_t i = 0; i < PLACES; i++) {
            assert_says(&p, &texts[i], &p.texts[i]);
            for (size_t k = 0; k < (step + i) % 3 && k < MOST - i; k++)
                ids_add(&texts[i], p.guesses[i][k]);
            for (size_t k = 0; k <= step % 2; k++)
                ids_add(&texts[i], (int)(300 + 40 * step + k));
        }
    }
    for (size_t i = 0; i < PLACES; i++)
        ids_free(&texts[i]);
    close_pair(&p);
}

static int n_asked;

static void forbid_nothing(void *context, const struct history *h,
                           float *logits, size_t n_vocab)
{
    (void)context;
    (void)h;
    (void)logits;
    (void)n_vocab;
    n_asked++;
}

/* Chance is put back; and who forbids is not asked about what is no text. */
static void the_sampler_is_as_it_was(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 1);
    struct ids text = encode(&p, "Once upon a time");
    struct random before = p.samplers[0].random;
    p.samplers[0].how.forbid = forbid_nothing;
    n_asked = 0;
    guess(&p, &text, 1, ROWS - 1);
    assert_int_equal(p.texts[0].n_guesses, MOST);
    assert_memory_equal(&before, &p.samplers[0].random, sizeof before);
    assert_ptr_equal(p.samplers[0].how.forbid, forbid_nothing);
    assert_int_equal(n_asked, 0);
    int first[MOST];
    memcpy(first, p.guesses[0], sizeof first);
    guess(&p, &text, 1, ROWS - 1);
    assert_memory_equal(first, p.guesses[0], sizeof first); /* same dice */
    ids_free(&text);
    close_pair(&p);
}

/* --- what it reads ------------------------------------------------------- */

static struct ids long_text(size_t n)
{
    struct ids ids = {0};
    for (size_t i = 0; i < n; i++)
        ids_add(&ids, 300 + (int)(7 * i % 90));
    return ids;
}

/* Each time ten tokens, and the one that each text may always read. */
static void a_long_text_is_read_in_slices(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 0);
    struct ids text = long_text(35);
    for (size_t i = 1; i <= 4; i++) {
        guess(&p, &text, 1, 10);
        assert_int_equal(p.texts[0].n_guesses, i < 4 ? 0 : MOST);
    }
    assert_says(&p, &text, &p.texts[0]);
    double read = (guess_purse_full.left - p.purse.left) / costs.late;
    assert_true(read > 30.99 && read < 31.01); /* 10, 10, 10 and 1 */
    ids_free(&text);
    close_pair(&p);
}

/* What the room has for all, the first text takes. */
static void texts_share_the_room(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 0);
    struct ids texts[2] = {long_text(35), long_text(8)};
    guess(&p, texts, 2, 10);
    assert_int_equal(p.small.caches[0].cache.length, 11);
    assert_int_equal(p.small.caches[1].cache.length, 1);
    guess(&p, texts, 2, 28);
    assert_int_equal(p.texts[0].n_guesses, MOST);
    assert_int_equal(p.texts[1].n_guesses, 0); /* 7 to read; there was room
                                                  for 5 and its last */
    ids_free(&texts[0]);
    ids_free(&texts[1]);
    close_pair(&p);
}

static void what_the_purse_cannot_pay_is_not_read(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 0);
    struct ids text = long_text(35);
    p.purse.left = 33 * costs.late;
    guess(&p, &text, 1, ROWS - 1);
    assert_int_equal(p.texts[0].n_guesses, 0);
    assert_int_equal(p.small.caches[0].touched, 0);
    p.purse.left = 34.5 * costs.late;
    guess(&p, &text, 1, ROWS - 1);
    assert_int_equal(p.texts[0].n_guesses, MOST);
    ids_free(&text);
    close_pair(&p);
}

/* A text that begins as the last one did is not read from its first token. */
static void what_was_read_for_others_serves(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, LONGEST, 0);
    struct ids text = long_text(35);
    guess(&p, &text, 1, ROWS - 1);
    text.data[30] = 5;
    guess_model_begin(&p.small, 0, text.data, text.size);
    double before = p.purse.left;
    guess(&p, &text, 1, ROWS - 1);
    assert_says(&p, &text, &p.texts[0]);
    double read = (before - p.purse.left) / costs.late;
    assert_true(read > 3.99 && read < 4.01); /* 30 to 33, and the last */
    guess_model_limit(&p.small, 0, 38);
    assert_true(p.small.caches[0].made);
    guess_model_limit(&p.small, 0, 37); /* it has held 38 */
    assert_false(p.small.caches[0].made);
    ids_free(&text);
    close_pair(&p);
}

static void a_text_too_long_for_it_has_no_guess(void **state)
{
    (void)state;
    struct pair p;
    open_pair(&p, 20, 0);
    struct ids text = long_text(17);
    guess(&p, &text, 1, ROWS - 1);
    assert_int_equal(p.texts[0].n_guesses, 0);
    text.size = 16;
    guess(&p, &text, 1, ROWS - 1);
    assert_int_equal(p.texts[0].n_guesses, MOST);
    ids_free(&text);
    close_pair(&p);
}

/* --- who may not --------------------------------------------------------- */

static void another_vocabulary_is_refused(void **state)
{
    (void)state;
    struct pair p = {.purse = guess_purse_full};
    struct error e;
    if (open_large(&p))
        skip_without_models();
    assert_int_equal(open_draft(&p, "checkpoints/qwen3-1", &e), -1);
    assert_non_null(strstr(e.message, "qwen3-1: knows 80 tokens, models/large "
                                      "4096: it cannot draft for it"));
    guess_model_close(&p.small);
    tokenizer_free(p.tokenizer); /* as if the large model had that one */
    char *path = test_path("tokenizers/added-single_word.json");
    p.tokenizer = tokenizer_load(path, &e);
    assert_non_null(p.tokenizer);
    free(path);
    assert_int_equal(open_draft(&p, "models/tiny-draft", &e), -1);
    assert_non_null(strstr(e.message, "tiny-draft: token "));
    assert_non_null(strstr(e.message, ", in models/large \""));
    assert_non_null(strstr(e.message, ": it cannot draft for it"));
    guess_model_close(&p.small);
    assert_int_equal(open_draft(&p, "models/none", &e), -1);
    assert_non_null(strstr(e.message, "models/none"));
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_guesses_what_it_would_say_alone),
        cmocka_unit_test(the_sampler_is_as_it_was),
        cmocka_unit_test(a_long_text_is_read_in_slices),
        cmocka_unit_test(texts_share_the_room),
        cmocka_unit_test(what_the_purse_cannot_pay_is_not_read),
        cmocka_unit_test(what_was_read_for_others_serves),
        cmocka_unit_test(a_text_too_long_for_it_has_no_guess),
        cmocka_unit_test(another_vocabulary_is_refused),
    };
    return cmocka_run_group_tests_name("guess_model", tests, NULL, NULL);
}
