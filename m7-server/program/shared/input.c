/* Input: see input.h. */
#include "input.h"

#include "generate.h"
#include "kept.h"

#include <stdio.h>
#include <string.h>

int input_text(const char *text, struct bytes *out, struct error *e)
{
    if (strcmp(text, "-") == 0)
        return bytes_read(out, stdin, "standard input", e);
    bytes_add_string(out, text);
    return out->failed ? fail_memory(e, "the text") : 0;
}

/* The tokens of the text.  A tokenizer may know more than its model does. */
static int tokenize(struct input *in, const char *text, struct error *e)
{
    struct bytes bytes = {0};
    int result = input_text(text, &bytes, e);
    if (result == 0)
        result = tokenizer_encode(in->tokenizer, bytes.data ? bytes.data : "",
                                  bytes.size, true, &in->ids, e);
    bytes_free(&bytes);
    if (result)
        return -1;
    if (in->ids.size == 0)
        return fail(e, ERROR_INPUT,
                    "the text is empty: the model has nothing "
                    "to go on from");
    for (size_t i = 0; i < in->ids.size; i++)
        if ((size_t)in->ids.data[i] >= in->model.config.vocab_size)
            return fail(e, ERROR_INPUT,
                        "token %d of the text is none of the model's %zu",
                        in->ids.data[i], in->model.config.vocab_size);
    return 0;
}

int input_next(struct input *in, const char *text, size_t more,
               struct error *e)
{
    in->ids.size = 0;
    return tokenize(in, text, e)
               ? -1
               : model_check_length(&in->model, in->ids.size, more, e);
}

static int open_input(struct input *in, const char *model, const char *text,
                      size_t more, struct error *e)
{
    if (model_open(&in->model, model, e))
        return -1;
    guard_begin(&in->guard, in->model.checkpoint.files,
                in->model.checkpoint.n_files);
    in->tokenizer = tokenizer_load(model, e);
    if (!in->tokenizer || input_next(in, text, more, e) ||
        find_non_tokens(in->tokenizer, in->model.config.vocab_size,
                        &in->non_tokens, e))
        return -1;
    return checkpoint_check(&in->model.checkpoint, e);
}

/* What the user should know of the copy on the disk. */
static void print_kept(const struct model *m, enum kept_state state,
                       const struct error *why)
{
    bool again = why->message[0] != 0;
    if (state == KEPT_UNUSABLE)
        fprintf(stderr, "note: %s; it is not used (--keep-packed makes it "
                        "again)\n", why->message);
    else if (state == KEPT_UNWRITTEN)
        fprintf(stderr, "note: %s; no packed copy is kept\n", why->message);
    else if (state == KEPT_WRITTEN && again)
        fprintf(stderr, "note: %s; it was made again\n", why->message);
    else if (state == KEPT_WRITTEN)
        fprintf(stderr, "note: a packed copy of %.1f MB is kept beside the "
                        "model\n", (double)m->store.size / 1e6);
}

int pack_model(struct model *m, const struct settings *s, struct threads *t,
               struct error *e)
{
    enum kept_state state;
    struct error why = {ERROR_NONE, ""};
    if (model_pack_kept(m, t, s->keep_packed, &state, &why, e))
        return -1;
    if (m->store.file.data)
        guard_begin(&m->store.guard, &m->store.file, 1);
    print_kept(m, state, &why);
    return 0;
}

int speed_up(const struct settings *s, struct model *const *models, size_t n,
             struct threads **t, struct error *e)
{
    *t = NULL;
    if (s->exact && s->keep_packed)
        return fail(e, ERROR_USAGE,
                    "option --keep-packed does not go with --exact, which "
                    "packs nothing");
    if (s->exact)
        return 0;
    int result = threads_open(t, number_or(s->threads, 0), e);
    for (size_t i = 0; i < n && result == 0; i++)
        result = pack_model(models[i], s, *t, e);
    return result;
}

int input_pack(struct input *in, const struct settings *s, struct error *e)
{
    struct model *const models[] = {&in->model};
    return speed_up(s, models, 1, &in->threads, e);
}

int input_open(struct input *in, const char *model, const char *text,
               size_t more, struct error *e)
{
    *in = (struct input){0};
    int result = open_input(in, model, text, more, e);
    if (result)
        input_close(in);
    return result;
}

void input_close(struct input *in)
{
    if (in->guard.n_files > 0)
        guard_end(&in->guard);
    tokenizer_free(in->tokenizer);
    ids_free(&in->ids);
    ids_free(&in->non_tokens);
    model_close(&in->model);
    threads_close(in->threads);
    *in = (struct input){0};
}
