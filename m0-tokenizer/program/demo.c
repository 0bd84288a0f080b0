/* The demo of this rung: a sentence becomes numbers, and text again. */
#include "commands.h"
#include "show.h"
#include "tokenizer.h"

#include <stdio.h>
#include <string.h>

static const char *const sentences[] = {
    "The capital of France is",
    "naïve 🙂",
};

/* Append one sentence: its pieces, their ids, and what the ids say. */
static int add_sentence(const struct tokenizer *t, const char *text,
                        bool color, struct bytes *out, struct error *e)
{
    struct ids ids = {0};
    int result = tokenizer_encode(t, text, strlen(text), true, &ids, e);
    bytes_add_string(out, "text    ");
    bytes_add_string(out, text);
    bytes_add_string(out, "\npieces  ");
    if (result == 0)
        result = show_strip(t, ids.data, ids.size, color, out, e);
    bytes_add_string(out, "ids     ");
    show_ids(&ids, " ", out);
    bytes_add_string(out, "\nback    ");
    if (result == 0)
        result = tokenizer_decode(t, ids.data, ids.size, true, out, e);
    bytes_add_string(out, "\n\n");
    ids_free(&ids);
    return result;
}

static int add_demo(const struct tokenizer *t, bool color, struct bytes *out,
                    struct error *e)
{
    size_t n = sizeof sentences / sizeof sentences[0];
    for (size_t i = 0; i < n; i++)
        if (add_sentence(t, sentences[i], color, out, e))
            return -1;
    bytes_add_string(out, "A model reads numbers, not letters.  Common words "
                          "have a number of their own;\nwhat is rare is "
                          "spelled out in pieces, down to single bytes.\n"
                          "See more, in this rung's folder:\n    ./rung "
                          "encode --pieces 'Hello, world'\n");
    return out->failed ? fail_memory(e, "the demo") : 0;
}

int cmd_demo(const struct settings *s, struct error *e)
{
    struct tokenizer *t = tokenizer_load(s->model, e);
    struct bytes out = {0};
    int result = t ? add_demo(t, show_in_color(s->color), &out, e) : -1;
    if (result == 0)
        fwrite(out.data, 1, out.size, stdout);
    bytes_free(&out);
    tokenizer_free(t);
    return result;
}
