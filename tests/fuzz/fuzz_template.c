/* Templates from strangers, and conversations for them: the data is a template,
 * or, behind its first zero byte, the JSON of its variables, too. */
#include "jinja.h"
#include "unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static json_t *variables(const char *data, size_t size)
{
    static const char usual[] =
        "{\"messages\": [{\"role\": \"user\", \"content\": \"h\\u00e9 <b>\"},"
        " {\"role\": \"assistant\", \"content\": null, \"tool_calls\":"
        " [{\"function\": {\"name\": \"f\", \"arguments\": {\"a\": [1, 2.5,"
        " true]}}}]}], \"tools\": [{\"name\": \"f\"}], \"n\": 3,"
        " \"s\": \"a b\\nc\", \"l\": [3, 1, 2], \"bos_token\": \"<s>\"}";
    json_t *given = size ? json_loadb(data, size, JSON_ALLOW_NUL, NULL) : NULL;
    return given ? given : json_loads(usual, 0, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *zero = memchr(text, 0, size);
    size_t length = zero ? (size_t)(zero - text) : size;
    const struct tm now = {.tm_year = 124, .tm_mday = 1};
    struct error e;
    if (utf8_valid(text, length) != length)
        return 0;
    struct jinja *t = jinja_parse(text, length, "template", &e);
    if (!t)
        return 0;
    json_t *context =
        variables(zero ? zero + 1 : NULL, zero ? size - length - 1 : 0);
    struct jinja_input input = {
        .context = context, .now = &now, .limits = {8 << 20, 200000}};
    struct jinja_output out = {.raised = false};
    jinja_render(t, &input, &out, &e);
    if (out.text.size && utf8_valid(out.text.data, out.text.size) !=
                             out.text.size)
        abort();
    bytes_free(&out.text);
    json_decref(context);
    jinja_free(t);
    return 0;
}
