/* Prompts: see prompt.h. */
#include "prompt.h"

#include "chat.h"

#include <string.h>

/* The question as the model wants to be asked: text (size,), ended by a zero
 * that is not counted. */
static int wrap_question(const struct settings *s, struct bytes *out,
                         struct error *e)
{
    struct chat chat = {s->system, s->think};
    struct bytes text = {0};
    int result = input_text(s->arguments[0], &text, e);
    if (result == 0) {
        chat_wrap(&chat, text.data, text.size, out);
        bytes_add(out, "", 1);
        if (out->failed)
            result = fail_memory(e, "the text");
        else if (strlen(out->data) + 1 < out->size)
            result = fail(e, ERROR_INPUT, "the question holds a zero byte");
    }
    bytes_free(&text);
    return result;
}

static int open_chat(struct input *in, const struct settings *s, size_t more,
                     struct error *e)
{
    struct bytes question = {0};
    int result = wrap_question(s, &question, e);
    if (result == 0)
        result = input_open(in, s->model, question.data, more, e);
    bytes_free(&question);
    if (result)
        return -1;
    result = chat_check(in->tokenizer, e);
    if (result)
        input_close(in);
    return result;
}

static int open_prompt(struct input *in, const struct settings *s, size_t more,
                struct error *e)
{
    if (s->chat)
        return open_chat(in, s, more, e);
    if (s->system || s->think)
        return fail(e, ERROR_USAGE, "option --%s goes with --chat",
                    s->system ? "system" : "think");
    return input_open(in, s->model, s->arguments[0], more, e);
}

int prompt_open(struct input *in, const struct settings *s, size_t more,
                struct error *e)
{
    if (open_prompt(in, s, more, e))
        return -1;
    int result = input_pack(in, s, e);
    if (result)
        input_close(in);
    return result;
}
