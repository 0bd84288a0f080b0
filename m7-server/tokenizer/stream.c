/* Decoding, all at once or as tokens come: see tokenizer.h. */
#include "tokenizer.h"

#include "tokenizer_parts.h"

#include <stdlib.h>

struct stream {
    const struct tokenizer *tokenizer;
    struct decoder_run *run;
    bool special;
};

struct stream *stream_new(const struct tokenizer *t, bool special,
                          struct error *e)
{
    struct stream *s = malloc(sizeof *s);
    struct decoder_run *run = decoder_run_new(&t->decoder);
    if (!s || !run) {
        fail_memory(e, "the decoder");
        free(s);
        decoder_run_free(run);
        return NULL;
    }
    *s = (struct stream){t, run, special};
    return s;
}

void stream_free(struct stream *s)
{
    if (!s)
        return;
    decoder_run_free(s->run);
    free(s);
}

int stream_put(struct stream *s, int id, struct bytes *out, struct error *e)
{
    size_t size;
    const char *text = token_text(s->tokenizer, id, &size);
    const struct added_token *added = added_find(&s->tokenizer->added, id);
    if (!text)
        return fail_id(s->tokenizer, id, e);
    if (added && added->hidden && !s->special)
        return 0;
    return decoder_run_put(s->run, text, size, out, e);
}

int stream_end(struct stream *s, struct bytes *out, struct error *e)
{
    return decoder_run_end(s->run, out, e);
}

int tokenizer_decode(const struct tokenizer *t, const int *ids, size_t n,
                     bool special, struct bytes *out, struct error *e)
{
    struct stream *s = stream_new(t, special, e);
    if (!s)
        return -1;
    int result = 0;
    for (size_t i = 0; i < n && result == 0; i++)
        result = stream_put(s, ids[i], out, e);
    if (result == 0)
        result = stream_end(s, out, e);
    stream_free(s);
    return result;
}
