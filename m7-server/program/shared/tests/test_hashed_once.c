/* To hash a model takes as long as to read all its weights, so a command does
 * that once at most, and only for a session that is whole.
 *
 * This program has an XXH3_64bits_update of its own, which counts how often it
 * gets the first weights of the model, and then calls the real one. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "session_options.h"

#include "test_kept.h"
#include "test_reader.h"

#include <dlfcn.h>
#include <xxhash.h>

static const void *weights;
static size_t n_hashed;

XXH_errorcode XXH3_64bits_update(XXH3_state_t *state, const void *data,
                                 size_t size)
{
    XXH_errorcode (*real)(XXH3_state_t *, const void *, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, "XXH3_64bits_update");
    n_hashed += data == weights;
    return real(state, data, size);
}

/* What a command does around a text; returns how often it hashed the model.
 * load and save may be NULL. */
static size_t count_hashed(const char *load, const char *save)
{
    struct settings s = {.load = load, .save = save};
    struct session_use use = {0};
    struct input in;
    struct reader r;
    struct error e;
    need_model();
    assert_ok(input_open(&in, getenv("RUNG_MODEL"), france, 0, &e), &e);
    reader_open(&r, &in.model, in.ids.size, in.ids.size);
    weights = in.model.checkpoint.tensors[0].data;
    n_hashed = 0;
    assert_ok(session_options_load(&s, &in, &r.cache, &use, &e), &e);
    assert_ok(session_options_save(&s, &in, &r.state, &r.cache, &use, &e),
              &e);
    reader_close(&r);
    input_close(&in);
    return n_hashed;
}

static void a_model_is_hashed_once(void **state)
{
    (void)state;
    assert_int_equal(count_hashed(NULL, "s"), 1);
    assert_int_equal(count_hashed("s", NULL), 1);
    assert_int_equal(count_hashed("s", "s"), 1);
    assert_int_equal(count_hashed("s", "t"), 1);
}

static void without_a_session_it_is_not(void **state)
{
    (void)state;
    assert_int_equal(count_hashed(NULL, NULL), 0);
    assert_int_equal(count_hashed("none", NULL), 0);
    write_text("bad", "RUNGSESS, and then nothing that is one: cut off");
    assert_int_equal(count_hashed("bad", NULL), 0);
    assert_int_equal(count_hashed("bad", "bad"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_model_is_hashed_once),
        SCRATCH(without_a_session_it_is_not),
    };
    return cmocka_run_group_tests_name("hashed once", tests, name_model, NULL);
}
