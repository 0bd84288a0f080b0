/* The command that goes on with a text. */
#include "commands.h"
#include "generate.h"
#include "input.h"
#include "print.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

/* The continuation on its way out: written as far as its text is certain. */
struct output {
    struct stream *stream;
    char last; /* the byte written last */
};

static int write_out(struct output *o, struct bytes *text, struct error *e)
{
    size_t size = text->size;
    if (size > 0)
        o->last = text->data[size - 1];
    int result = text->failed ? fail_memory(e, "the text") : 0;
    if (!result && size && fwrite(text->data, 1, size, stdout) != size)
        result = fail_errno(e, "standard output");
    if (!result && fflush(stdout))
        result = fail_errno(e, "standard output");
    bytes_free(text);
    return result;
}

static int put_token(void *context, int id, struct error *e)
{
    struct output *o = context;
    struct bytes text = {0};
    if (stream_put(o->stream, id, &text, e)) {
        bytes_free(&text);
        return -1;
    }
    return write_out(o, &text, e);
}

/* What was held back; and on a terminal the last line is ended. */
static int finish_text(struct output *o, struct error *e)
{
    struct bytes text = {0};
    int result = stream_end(o->stream, &text, e);
    if (result == 0)
        result = write_out(o, &text, e);
    bytes_free(&text);
    if (result == 0 && o->last != '\n' && isatty(STDOUT_FILENO))
        putchar('\n');
    return result;
}

static int stream_text(struct input *in, size_t n, struct error *e)
{
    struct output o = {.stream = stream_new(in->tokenizer, true, e)};
    if (!o.stream)
        return -1;
    int result =
        generate(&in->model, &in->non_tokens, &in->ids, n, put_token, &o, e);
    if (result == 0)
        result = finish_text(&o, e);
    stream_free(o.stream);
    return result;
}

static int skip_token(void *context, int id, struct error *e)
{
    (void)context;
    (void)id;
    (void)e;
    return 0;
}

static int print_ids(struct input *in, size_t n, struct error *e)
{
    size_t first = in->ids.size;
    if (generate(&in->model, &in->non_tokens, &in->ids, n, skip_token, NULL,
                 e))
        return -1;
    json_t *list = json_array();
    for (size_t i = first; i < in->ids.size; i++)
        json_add(&list, json_integer(in->ids.data[i]));
    return print_json_line(list, e);
}

int cmd_generate(const struct settings *s, struct error *e)
{
    size_t n = number_or(s->tokens, 32);
    struct input in;
    if (input_open(&in, s->model, s->arguments[0], n, e))
        return -1;
    print_ignored(&in.model);
    int result = s->json ? print_ids(&in, n, e) : stream_text(&in, n, e);
    input_close(&in);
    return result;
}
