/* For the tests of opening a model: open the small one with changes to its
 * config.json, or see it refused. */
#ifndef TEST_MODEL_OPEN_H
#define TEST_MODEL_OPEN_H

#include "model.h"
#include "test_small_config.h"

/* Open the small model with changes (n,) to its config.json. */
static inline void open_changed(struct model *m, const struct change *changes,
                                size_t n)
{
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    model_open(m, ".", &e);
    assert_string_equal(e.message, "");
}

static inline void assert_refused(enum error_code code, const char *message)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(model_open(&m, ".", &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
    assert_null(m.layers);
}

/* There are no weights at all: so it is refused before they are looked for. */
static inline void assert_config_refused(const struct change *changes,
                                         size_t n, enum error_code code,
                                         const char *message)
{
    write_small_config(changes, n);
    assert_refused(code, message);
}

static inline void assert_key_refused(const char *key, const char *value,
                                      const char *message)
{
    assert_config_refused(CHANGES({key, value}), 1, ERROR_UNSUPPORTED,
                          message);
}

static inline void assert_key_wrong(const char *key, const char *value,
                                    const char *message)
{
    assert_config_refused(CHANGES({key, value}), 1, ERROR_INPUT, message);
}

#endif
