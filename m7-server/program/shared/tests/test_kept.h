/* For the tests of commands that keep sessions: runs them, and looks at what
 * they have kept. */
#ifndef TEST_KEPT_H
#define TEST_KEPT_H

#include "session.h"

#include "test_copies.h"
#include "test_numbers.h"

static inline struct outcome run(char **words)
{
    need_model();
    return run_rung(words, "", 0);
}

/* Do what a test needs. */
static inline void prepare(char **words)
{
    struct outcome o = run(words);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

/* Which tokens a session's file holds. */
static inline void assert_ids(const char *path, const char *expected)
{
    struct session s;
    struct error e;
    char found[400] = "";
    assert_ok(session_load(path, &s, &e), &e);
    for (size_t i = 0; i < s.cache.length; i++)
        snprintf(found + strlen(found), 20, "%s%d", i ? " " : "",
                 s.cache.ids[i]);
    session_free(&s);
    assert_string_equal(found, expected);
}

#endif
