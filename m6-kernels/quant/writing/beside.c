/* The files beside the weights: see beside.h. */
#include "beside.h"

#include "buffer.h"
#include "folder.h"
#include "gguf_files.h"
#include "guard.h"
#include "json.h"
#include "json_write.h"

#include <stdlib.h>

static const char *const copied[] = {
    "tokenizer.json",         "tokenizer_config.json",
    "tokenizer.model",        "special_tokens_map.json",
    "added_tokens.json",      "vocab.json",
    "merges.txt",             "chat_template.jinja",
    "chat_template.json",     "generation_config.json",
    "preprocessor_config.json", "processor_config.json",
    "LICENSE",                "LICENSE.md",
    "LICENSE.txt",            "NOTICE",
};

/* --- writing a file ------------------------------------------------------ */

static int write_bytes(const struct new_folder *folder, const char *name,
                       const char *data, size_t size, struct error *e)
{
    FILE *file = new_folder_file(folder, name, e);
    if (!file)
        return -1;
    int result = new_folder_add(folder, file, data, size, e);
    struct error unused; /* the first error is the one to tell */
    if (new_folder_close(folder, file, result ? &unused : e))
        result = -1;
    return result;
}

int json_write_file(const struct new_folder *folder, const char *name,
                    json_t *value, struct error *e)
{
    struct bytes text = {0};
    char *json = json_text(value, JSON_INDENT(2));
    json_decref(value);
    if (!json)
        return fail_memory(e, name);
    bytes_add_string(&text, json);
    bytes_add_string(&text, "\n");
    free(json);
    int result = text.failed
                     ? fail_memory(e, name)
                     : write_bytes(folder, name, text.data, text.size, e);
    bytes_free(&text);
    return result;
}

/* The file of that name beside the model, if there is one, as it is. */
static int copy_file(const struct new_folder *folder, const char *model,
                     const char *name, struct error *e)
{
    struct bytes data = {0};
    char *path = folder_file(model, name, e);
    if (!path)
        return -1;
    FILE *file = path_exists(path) ? fopen(path, "rb") : NULL;
    int result = 0;
    if (file) {
        result = bytes_read(&data, file, path, e);
        fclose(file);
        if (result == 0)
            result = write_bytes(folder, name, data.data, data.size, e);
    } else if (path_exists(path)) {
        result = fail_errno(e, path);
    }
    bytes_free(&data);
    free(path);
    return result;
}

/* --- config.json --------------------------------------------------------- */

/* config.json's value, as the model has it. */
static json_t *read_config(const char *model, struct error *e)
{
    char *path = NULL;
    json_t *root = NULL;
    if (gguf_is_model(model))
        root = gguf_open_config(model, &path, e);
    else if ((path = folder_file(model, "config.json", e)))
        root = json_read_file(path, e);
    free(path);
    return root;
}

static json_t *describe_rounding(const struct rounding *r, const char *scale)
{
    json_t *said = json_object();
    json_put(&said, "quant_method", json_string("rung"));
    json_put(&said, "format", json_string(r->format->name));
    json_put(&said, "group_size", json_integer((json_int_t)r->group));
    json_put(&said, "scale", json_string(scale));
    return said;
}

static int write_config(const struct new_folder *folder, const char *model,
                        const struct rounding *r, const char *scale,
                        struct error *e)
{
    json_t *root = read_config(model, e);
    if (!root)
        return -1;
    json_object_del(root, "quantization"); /* what MLX says a second time */
    json_put(&root, "quantization_config", describe_rounding(r, scale));
    return json_write_file(folder, "config.json", root, e);
}

/* --- the tokenizer of a GGUF file ---------------------------------------- */

/* What the file says under this key into *value, which the caller releases;
 * NULL: nothing. */
static int find_said(const char *model, const char *key, json_t **value,
                     struct error *e)
{
    struct gguf_files files;
    struct guard g;
    if (gguf_files_open(&files, model, e))
        return -1;
    guard_begin(&g, files.maps, files.n);
    json_t *said = gguf_values(&files.tables[0], key, NULL, e);
    guard_end(&g);
    *value = json_incref(json_object_get(said, key));
    json_decref(said);
    gguf_files_close(&files);
    return said ? 0 : -1;
}

/* The template of its chats, as tokenizer_config.json has it. */
static int write_template(const struct new_folder *folder, const char *model,
                          struct error *e)
{
    json_t *text;
    if (find_said(model, "tokenizer.chat_template", &text, e))
        return -1;
    if (!text)
        return 0;
    json_t *config = json_object();
    json_put(&config, "chat_template", text);
    return json_write_file(folder, "tokenizer_config.json", config, e);
}

/* Some files have a model and no tokenizer. */
static int write_tokenizer(const struct new_folder *folder, const char *model,
                           struct error *e)
{
    json_t *kind;
    char *path = NULL;
    if (find_said(model, "tokenizer.ggml.model", &kind, e))
        return -1;
    json_decref(kind);
    if (!kind)
        return 0;
    json_t *root = gguf_open_tokenizer(model, &path, e);
    free(path);
    if (!root || json_write_file(folder, "tokenizer.json", root, e))
        return -1;
    return write_template(folder, model, e);
}

/* --- the whole ----------------------------------------------------------- */

int beside_write(const struct new_folder *folder, const char *model,
                 const struct rounding *r, const char *scale, struct error *e)
{
    if (write_config(folder, model, r, scale, e))
        return -1;
    if (gguf_is_model(model))
        return write_tokenizer(folder, model, e);
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        if (copy_file(folder, model, copied[i], e))
            return -1;
    return 0;
}
