/* What all answers share: see answer.h. */
#include "answer.h"

#include "json_write.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

/* Nine digits tell every float from the next. */
static const size_t writing = JSON_COMPACT | JSON_REAL_PRECISION(9);

json_t *answer_start(const struct answer_head *head, const char *object)
{
    json_t *body = json_object();
    json_put(&body, "id", json_string(head->id));
    json_put(&body, "object", json_string(object));
    json_put(&body, "created", json_integer(head->created));
    json_put(&body, "model", text_json(head->model, strlen(head->model)));
    json_put(&body, "system_fingerprint", json_string(head->fingerprint));
    return body;
}

json_t *finish_word(enum finish_reason reason)
{
    static const char *const words[] = {[FINISH_STOP] = "stop",
                                        [FINISH_LENGTH] = "length",
                                        [FINISH_TOOL_CALLS] = "tool_calls"};
    return reason == FINISH_NONE ? json_null() : json_string(words[reason]);
}

static json_t *one_count(const char *name, size_t count)
{
    json_t *details = json_object();
    json_put(&details, name, json_integer((json_int_t)count));
    return details;
}

json_t *usage_json(const struct token_usage *u)
{
    json_t *usage = json_object();
    json_put(&usage, "prompt_tokens", json_integer((json_int_t)u->prompt));
    json_put(&usage, "completion_tokens",
             json_integer((json_int_t)u->completion));
    json_put(&usage, "total_tokens",
             json_integer((json_int_t)(u->prompt + u->completion)));
    json_put(&usage, "prompt_tokens_details",
             one_count("cached_tokens", u->cached));
    json_put(&usage, "completion_tokens_details",
             one_count("reasoning_tokens", u->reasoning));
    return usage;
}

json_t *text_json(const char *text, size_t size)
{
    if (size == 0 || utf8_valid(text, size) == size)
        return json_stringn(size > 0 ? text : "", size);
    struct bytes whole = {0};
    utf8_repair(text, size, &whole);
    json_t *string =
        whole.failed ? NULL : json_stringn(whole.data, whole.size);
    bytes_free(&whole);
    return string;
}

int answer_write(json_t *body, struct bytes *out, struct error *e)
{
    char *text = json_text(body, writing);
    if (text)
        bytes_add_string(out, text);
    bool failed = !text || out->failed;
    free(text);
    json_decref(body);
    return failed ? fail_memory(e, "an answer") : 0;
}

int answer_event(json_t *body, struct bytes *out, struct error *e)
{
    bytes_add_string(out, "data: ");
    if (answer_write(body, out, e))
        return -1;
    bytes_add_string(out, "\n\n");
    return out->failed ? fail_memory(e, "an event") : 0;
}

void answer_done(struct bytes *out)
{
    bytes_add_string(out, "data: [DONE]\n\n");
}
