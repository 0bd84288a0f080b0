/* Keeping: see keeping.h. */
#include "keeping.h"

#include "fingerprint.h"
#include "forward.h"
#include "replace.h"
#include "session.h"

#include <stdio.h>

int keeping_check(const struct settings *s, struct error *e)
{
    return s->save ? replace_check(s->save, e) : 0;
}

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
    return reuse(&r->model, state->cache, r->ids.data, r->ids.size);
}

/* Let the cache hold the text: also its last token, which nobody has asked
 * about, and no draft that was not kept. */
static void settle(const struct reading *r, struct state *state)
{
    const struct cache *c = state->cache;
    size_t n = r->ids.size;
    if (c->length != n || cache_common(c, r->ids.data, n) < n)
        resume(&r->model, state, r->ids.data, n, NULL);
}

int keeping_save(const struct settings *s, const struct reading *r,
                 struct state *state, struct error *e)
{
    uint64_t model;
    if (!s->save)
        return 0;
    if (model_fingerprint(&r->model, &model, e))
        return -1;
    settle(r, state);
    return session_save(s->save, state->cache, model, e);
}
