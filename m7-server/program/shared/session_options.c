/* The options of sessions: see session_options.h. */
#include "session_options.h"

#include "fingerprint.h"
#include "forward.h"
#include "replace.h"
#include "session.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

int session_options_check(const struct settings *s, struct error *e)
{
    return s->save ? replace_check(s->save, e) : 0;
}

static int hash_model(const struct model *m, struct session_use *use,
                      struct error *e)
{
    if (!use->hashed && model_fingerprint(m, &use->model, e))
        return -1;
    use->hashed = true;
    return 0;
}

/* The model is only hashed for a file that is whole. */
static int restore(const char *path, const struct model *m, struct cache *c,
                   struct session_use *use, struct error *e)
{
    struct session session;
    if (session_load(path, &session, e))
        return -1;
    int result = hash_model(m, use, e);
    if (result == 0)
        result = session_restore(&session, path, use->model, c, e);
    session_free(&session);
    return result;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

int session_options_load(const struct settings *s, const struct input *in,
                         struct cache *c, struct session_use *use,
                         struct error *e)
{
    if (!s->load)
        return 0;
    struct error why;
    if (restore(s->load, &in->model, c, use, &why) == 0) {
        use->known =
            reuse_prefix(&in->model, c, in->ids.data, in->ids.size);
        return 0;
    }
    if (why.code == ERROR_UNSUPPORTED && s->save &&
        same_file(s->load, s->save))
        return fail(e, ERROR_INPUT, "%s; --save would replace it",
                    why.message);
    fprintf(stderr, "note: %s; all of the text is read\n", why.message);
    return 0;
}

/* Let the cache hold the text: also its last token, which nobody has asked
 * about, and no draft that was not kept.  Whoever was told to end early may
 * leave what is more than a chunk. */
static void settle(const struct input *in, struct state *state,
                   struct cache *c)
{
    size_t n = in->ids.size;
    if (c->length == n && cache_common(c, in->ids.data, n) == n)
        return;
    size_t held = reuse_prefix(&in->model, c, in->ids.data, n);
    cancel_function *cancelled = state->cancelled;
    if (n - held <= longest_chunk(state, c))
        state->cancelled = NULL;
    prefill(&in->model, state, c, in->ids.data + held, n - held, NULL);
    state->cancelled = cancelled;
}

int session_options_save(const struct settings *s, const struct input *in,
                         struct state *state, struct cache *c,
                         struct session_use *use, struct error *e)
{
    if (!s->save)
        return 0;
    if (hash_model(&in->model, use, e))
        return -1;
    settle(in, state, c);
    return session_save(s->save, c, use->model, e);
}
