/* For the tests that read one text: a state, and a cache of the same sizes. */
#ifndef TEST_READER_H
#define TEST_READER_H

#include "kvcache.h"
#include "state.h"

#include "test_numbers.h"

struct reader {
    struct state state;
    struct cache cache;
};

/* For texts of up to `longest` tokens, in chunks of at most `chunk`, with a
 * cache of that form. */
static inline void reader_open_form(struct reader *r, const struct model *m,
                                    const struct cache_form *form,
                                    size_t longest, size_t chunk)
{
    struct error e;
    assert_ok(state_init_chunked(&r->state, m, longest, chunk, &e), &e);
    assert_ok(cache_init_form(&r->cache, m, form, longest, chunk, &e), &e);
}

static inline void reader_open(struct reader *r, const struct model *m,
                               size_t longest, size_t chunk)
{
    reader_open_form(r, m, cache_form_row(0), longest, chunk);
}

static inline void reader_close(struct reader *r)
{
    cache_free(&r->cache);
    state_free(&r->state);
}

#endif
