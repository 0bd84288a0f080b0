/* Reading: see reading.h. */
#include "reading.h"

#include "generate.h"

#include <stdio.h>
#include <string.h>

static int read_text(const char *text, struct bytes *out, struct error *e)
{
    if (strcmp(text, "-") == 0)
        return bytes_read(out, stdin, "standard input", e);
    bytes_add_string(out, text);
    return out->failed ? fail_memory(e, "the text") : 0;
}

/* The tokens of the text.  A tokenizer may know more than its model does. */
static int tokenize(struct reading *r, const char *text, struct error *e)
{
    struct bytes bytes = {0};
    int result = read_text(text, &bytes, e);
    if (result == 0)
        result = tokenizer_encode(r->tokenizer, bytes.data ? bytes.data : "",
                                  bytes.size, true, &r->ids, e);
    bytes_free(&bytes);
    if (result)
        return -1;
    if (r->ids.size == 0)
        return fail(e, ERROR_INPUT,
                    "the text is empty: the model has nothing "
                    "to go on from");
    for (size_t i = 0; i < r->ids.size; i++)
        if ((size_t)r->ids.data[i] >= r->model.config.vocab_size)
            return fail(e, ERROR_INPUT,
                        "token %d of the text is none of the model's %zu",
                        r->ids.data[i], r->model.config.vocab_size);
    return 0;
}

int reading_next(struct reading *r, const char *text, size_t more,
                 struct error *e)
{
    r->ids.size = 0;
    return tokenize(r, text, e)
               ? -1
               : check_length(&r->model, r->ids.size, more, e);
}

static int open_reading(struct reading *r, const char *model, const char *text,
                        size_t more, struct error *e)
{
    if (model_open(&r->model, model, e))
        return -1;
    guard_begin(&r->guard, r->model.checkpoint.files,
                r->model.checkpoint.n_files);
    r->tokenizer = tokenizer_load(model, e);
    if (!r->tokenizer || reading_next(r, text, more, e))
        return -1;
    return checkpoint_check(&r->model.checkpoint, e);
}

int reading_open(struct reading *r, const char *model, const char *text,
                 size_t more, struct error *e)
{
    *r = (struct reading){0};
    int result = open_reading(r, model, text, more, e);
    if (result)
        reading_close(r);
    return result;
}

void reading_close(struct reading *r)
{
    if (r->guard.n_files > 0)
        guard_end(&r->guard);
    tokenizer_free(r->tokenizer);
    ids_free(&r->ids);
    model_close(&r->model);
    *r = (struct reading){0};
}
