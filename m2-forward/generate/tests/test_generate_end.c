/* When a text ends, and what happens when it cannot go on.  The model is one
 * whose weights are all zero: to it every token is as good as any other. */
#include "generate.h"

#include "test_model_files.h"
#include "test_numbers.h"

enum small_model {
    N_VOCAB = 5
};

/* Takes tokens until it has enough. */
struct taker {
    int ids[32];
    size_t n, enough;
};

static int take_token(void *context, int id, struct error *e)
{
    struct taker *t = context;
    t->ids[t->n++] = id;
    return t->n < t->enough ? 0 : fail(e, ERROR_SYSTEM, "the pipe is gone");
}

static void open_small(struct model *m, const char *eos)
{
    struct change change = {"eos_token_id", eos};
    struct error e;
    write_small_config(&change, 1);
    write_small_weights(NULL, 0, "F32");
    assert_ok(model_open(m, ".", &e), &e);
}

/* Go on with the text "1", with ten tokens at most; returns how many came. */
static int go_on(const struct model *m, struct taker *t, struct error *e)
{
    struct ids ids = {0};
    ids_add(&ids, 1);
    int result = generate(m, NULL, &ids, 10, take_token, t, e);
    int n = (int)ids.size - 1;
    assert_true(result == 0 || result == -1);
    ids_free(&ids);
    return result ? result : n;
}

static void a_text_ends_when_it_is_long_enough(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    assert_int_equal(go_on(&m, &t, &e), 10);
    assert_int_equal(t.n, 10);
    model_close(&m);
}

/* Its end is 0, which of equal tokens is the first. */
static void assert_ends(const char *eos)
{
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, eos);
    assert_int_equal(go_on(&m, &t, &e), 1);
    assert_int_equal(t.n, 0);
    model_close(&m);
}

static void the_models_own_end_is_one(void **state)
{
    (void)state;
    assert_ends("[2, 0]");
    assert_ends("[0, 2]");
}

static void who_takes_a_token_can_fail(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = 2};
    open_small(&m, "4");
    assert_int_equal(go_on(&m, &t, &e), -1);
    assert_string_equal(e.message, "the pipe is gone");
    assert_int_equal(t.n, 2);
    model_close(&m);
}

static void damaged_weights_are_an_error_not_a_token(void **state)
{
    (void)state;
    float head[N_VOCAB * 8] = {0};
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    head[17] = NAN;
    m.head.data = (const unsigned char *)head;
    assert_int_equal(go_on(&m, &t, &e), -1);
    assert_non_null(strstr(e.message, "the logit of token 2 is "));
    assert_non_null(strstr(e.message, "the weights are damaged"));
    assert_int_equal(t.n, 0);
    model_close(&m);
}

static void a_text_that_may_grow_too_long_is_not_begun(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    m.max_positions = 10;
    assert_int_equal(go_on(&m, &t, &e), -1);
    assert_string_equal(e.message,
                        "the text has 1 tokens, and 10 more were asked for; "
                        "this model can hold 10");
    assert_int_equal(t.n, 0);
    model_close(&m);
}

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    m.config.intermediate_size = (size_t)1 << 58;
    assert_int_equal(go_on(&m, &t, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    model_close(&m);
}

/* The text's only token is 1. */
static void a_token_that_the_model_lacks_is_an_error(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    m.embedding.rows = 1;
    assert_int_equal(go_on(&m, &t, &e), -1);
    assert_string_equal(e.message,
                        "token 0 of the text has the id 1; the model has the "
                        "ids 0 to 0");
    assert_int_equal(t.n, 0);
    model_close(&m);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_text_ends_when_it_is_long_enough),
        SCRATCH(the_models_own_end_is_one),
        SCRATCH(who_takes_a_token_can_fail),
        SCRATCH(damaged_weights_are_an_error_not_a_token),
        SCRATCH(a_text_that_may_grow_too_long_is_not_begun),
        SCRATCH(what_cannot_be_had_is_said),
        SCRATCH(a_token_that_the_model_lacks_is_an_error),
    };
    return cmocka_run_group_tests_name("generate_end", tests, NULL, NULL);
}
