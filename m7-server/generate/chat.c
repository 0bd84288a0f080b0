/* The reading model's chat format: see chat.h. */
#include "chat.h"

#include <string.h>

static void add_turn(const char *role, const char *text, size_t size,
                     struct bytes *out)
{
    bytes_add_string(out, "<|im_start|>");
    bytes_add_string(out, role);
    bytes_add_string(out, "\n");
    bytes_add(out, text, size);
    bytes_add_string(out, "<|im_end|>\n");
}

void chat_wrap(const struct chat *c, const char *text, size_t size,
               struct bytes *out)
{
    if (c->system)
        add_turn("system", c->system, strlen(c->system), out);
    add_turn("user", text, size, out);
    bytes_add_string(out, "<|im_start|>assistant\n");
    if (!c->think)
        bytes_add_string(out, "<think>\n\n</think>\n\n");
}

int chat_check(const struct tokenizer *t, struct error *e)
{
    static const char *const tokens[] = {"<|im_start|>", "<|im_end|>",
                                         "<think>", "</think>"};
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++)
        if (tokenizer_find(t, tokens[i]) < 0)
            return fail(e, ERROR_UNSUPPORTED,
                        "--chat has the format of the reading model; this "
                        "model has no token %s",
                        tokens[i]);
    return 0;
}
