/* Keeping: see keeping.h. */
#include "keeping.h"

#include "fingerprint.h"
#include "session.h"

#include <stdio.h>

static int restore(const char *path, const struct model *m, struct cache *c,
                   struct error *e)
{
    struct session session;
    uint64_t model;
    if (model_fingerprint(m, &model, e) || session_load(path, &session, e))
        return -1;
    int result = session_restore(&session, path, model, c, e);
    session_free(&session);
    return result;
}

size_t keeping_load(const struct settings *s, const struct reading *r,
                    struct state *state)
{
    struct error e;
    if (!s->load)
        return 0;
    if (restore(s->load, &r->model, state->cache, &e)) {
        fprintf(stderr, "note: %s; all of the text is read\n", e.message);
        return 0;
    }
    size_t n = cache_common(state->cache, r->ids.data, r->ids.size);
    return n < r->ids.size ? n : r->ids.size - 1;
}

int keeping_save(const struct settings *s, const struct reading *r,
                 const struct state *state, struct error *e)
{
    uint64_t model;
    if (!s->save)
        return 0;
    if (model_fingerprint(&r->model, &model, e))
        return -1;
    return session_save(s->save, state->cache, model, e);
}
