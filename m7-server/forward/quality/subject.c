/* Subjects: see subject.h. */
#include "subject.h"

static int open_subject(struct subject *s, const char *path, struct error *e)
{
    if (model_open(&s->model, path, e))
        return -1;
    guard_begin(&s->guard, s->model.checkpoint.files,
                s->model.checkpoint.n_files);
    s->tokenizer = tokenizer_load(path, e);
    return s->tokenizer ? checkpoint_check(&s->model.checkpoint, e) : -1;
}

int subject_open(struct subject *s, const char *path, struct error *e)
{
    *s = (struct subject){0};
    int result = open_subject(s, path, e);
    if (result)
        subject_close(s);
    return result;
}

void subject_close(struct subject *s)
{
    if (s->guard.n_files > 0)
        guard_end(&s->guard);
    tokenizer_free(s->tokenizer);
    model_close(&s->model);
    *s = (struct subject){0};
}

int subject_encode(const struct subject *s, const char *text, size_t size,
                   struct ids *out, struct error *e)
{
    size_t n = s->model.config.vocab_size;
    if (tokenizer_encode(s->tokenizer, text ? text : "", size, true, out, e))
        return -1;
    for (size_t i = 0; i < out->size; i++)
        if ((size_t)out->data[i] >= n)
            return fail(e, ERROR_INPUT,
                        "token %d of the text is none of the model's %zu",
                        out->data[i], n);
    return 0;
}

int subject_bytes(const struct subject *s, const int *ids, size_t n,
                  size_t *bytes, struct error *e)
{
    struct bytes text = {0};
    int result = 0;
    for (size_t i = 0; i < n && result == 0; i++)
        result = tokenizer_bytes(s->tokenizer, ids[i], &text, e);
    if (result == 0 && text.failed)
        result = fail_memory(e, "the text");
    *bytes = text.size;
    bytes_free(&text);
    return result;
}
