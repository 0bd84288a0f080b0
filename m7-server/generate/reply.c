/* A reply: see reply.h. */
#include "reply.h"

int reply_init(struct reply *r, const struct tokenizer *t,
               const char *const *stops, size_t n_stops, struct error *e)
{
    *r = (struct reply){.stream = stream_new(t, true, e)};
    if (!r->stream)
        return -1;
    int result = stop_init(&r->stop, stops, n_stops, e);
    if (result)
        reply_free(r);
    return result;
}

void reply_free(struct reply *r)
{
    stream_free(r->stream);
    stop_free(&r->stop);
    *r = (struct reply){0};
}

/* Let decoded text pass the stop strings, and free it. */
static int pass_text(struct reply *r, struct bytes *text, int result,
                     struct bytes *out, struct error *e)
{
    if (result == 0)
        result = text->failed
                     ? fail_memory(e, "the text")
                     : stop_put(&r->stop, text->data, text->size, out, e);
    bytes_free(text);
    return result;
}

int reply_put(struct reply *r, int id, struct bytes *out, struct error *e)
{
    struct bytes text = {0};
    int result = stream_put(r->stream, id, &text, e);
    return pass_text(r, &text, result, out, e);
}

int reply_end(struct reply *r, struct bytes *out, struct error *e)
{
    struct bytes text = {0};
    int result = stream_end(r->stream, &text, e);
    if (pass_text(r, &text, result, out, e))
        return -1;
    return stop_end(&r->stop, out, e);
}
