/* What a GGUF model says of chats: see rung.h. */
#include "rung_errors.h"

#include "gguf_files.h"
#include "json_write.h"

#include <stdlib.h>
#include <string.h>

static int add_member(json_t *config, const char *key, json_t *value,
                      struct error *e)
{
    if (!value || json_object_set_new(config, key, value))
        return fail_memory(e, "what a model says of chats");
    return 0;
}

/* --- tokens -------------------------------------------------------------- */

/* The token of an id that the file names, by its text in the vocabulary. */
static int add_said_token(json_t *config, const json_t *said,
                          const char *key, const char *name, struct error *e)
{
    json_t *id = json_object_get(said, key);
    json_t *words = json_object_get(said, "tokenizer.ggml.tokens");
    json_t *token = NULL;
    if (json_is_integer(id) && json_integer_value(id) >= 0)
        token = json_array_get(words, (size_t)json_integer_value(id));
    if (!json_is_string(token))
        return 0;
    return add_member(config, name, json_incref(token), e);
}

static int add_said_tokens(json_t *config, const struct gguf *g,
                           struct error *e)
{
    static const char *const tokens[][2] = {
        {"tokenizer.ggml.bos_token_id", "bos_token"},
        {"tokenizer.ggml.eos_token_id", "eos_token"},
        {"tokenizer.ggml.padding_token_id", "pad_token"},
        {"tokenizer.ggml.unknown_token_id", "unk_token"},
    };
    json_t *said =
        gguf_values(g, "tokenizer.ggml.", "tokenizer.ggml.merges", e);
    int result = said ? 0 : -1;
    for (size_t i = 0; result == 0 && i < sizeof tokens / sizeof *tokens; i++)
        result = add_said_token(config, said, tokens[i][0], tokens[i][1], e);
    json_decref(said);
    return result;
}

/* --- templates ----------------------------------------------------------- */

/* tokenizer.chat_template, and tokenizer.chat_template.NAME. */
static int add_said_templates(json_t *config, const struct gguf *g,
                              struct error *e)
{
    static const char prefix[] = "tokenizer.chat_template";
    const char *key;
    json_t *value, *list = json_array();
    json_t *said = list ? gguf_values(g, prefix, NULL, e) : NULL;
    int result = add_member(config, "chat_template", list, e);
    if (result == 0 && !said)
        result = -1;
    json_object_foreach(said, key, value) {
        const char *name = key + sizeof prefix - 1;
        if (result || !json_is_string(value) || (*name && *name != '.'))
            continue;
        if (json_array_append_new(
                list, json_pack("{s:s, s:O}", "name",
                                *name ? name + 1 : "default", "template",
                                value)))
            result = fail_memory(e, "what a model says of chats");
    }
    json_decref(said);
    return result;
}

/* --- both ---------------------------------------------------------------- */

static int write_chat_config(const struct gguf *g, char **text,
                             struct error *e)
{
    json_t *config = json_object();
    int result = config ? 0 : fail_memory(e, "what a model says of chats");
    if (result == 0 && (add_said_templates(config, g, e) ||
                        add_said_tokens(config, g, e)))
        result = -1;
    if (result == 0 && !(*text = json_text(config, JSON_COMPACT)))
        result = fail_memory(e, "what a model says of chats");
    json_decref(config);
    return result;
}

int rung_chat_config(const char *path, char **text, struct rung_error *out)
{
    struct gguf_files files;
    struct error e;
    *text = NULL;
    if (!gguf_is_model(path))
        return 0;
    if (gguf_files_open(&files, path, &e))
        return fail_out(out, &e);
    int result = write_chat_config(&files.tables[0], text, &e);
    gguf_files_close(&files);
    return result ? fail_out(out, &e) : 0;
}
