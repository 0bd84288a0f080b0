/* Chat templates' files: see chat_sources.h. */
#include "chat_sources.h"

#include "buffer.h"
#include "folder.h"
#include "json.h"
#include "rung.h"
#include "unicode.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_member(json_t *object, const char *key, json_t *value,
                      struct error *e)
{
    if (!value || json_object_set_new(object, key, value))
        return fail_memory(e, "a chat template");
    return 0;
}

/* The text of a file, as a JSON string. */
static int put_file(json_t *templates, const char *name, const char *path,
                    struct error *e)
{
    struct bytes text = {0};
    FILE *f = fopen(path, "rb");
    int result = f ? bytes_read(&text, f, path, e) : fail_errno(e, path);
    if (f)
        fclose(f);
    if (!result && utf8_valid(text.data, text.size) != text.size)
        result = fail(e, ERROR_INPUT, "%s: is not UTF-8", path);
    if (!result)
        result =
            put_member(templates, name,
                       json_stringn(text.data ? text.data : "", text.size), e);
    bytes_free(&text);
    return result;
}

/* The name of additional_chat_templates/NAME.jinja. */
static int put_named(json_t *templates, const char *folder, const char *file,
                     struct error *e)
{
    size_t size = strlen(file) - strlen(".jinja");
    char *path = folder_file(folder, file, e);
    char *name = malloc(size + 1);
    int result = path ? 0 : -1;
    if (path && !name)
        result = fail_memory(e, "a chat template");
    if (name) {
        memcpy(name, file, size);
        name[size] = 0;
    }
    if (!result)
        result = put_file(templates, name, path, e);
    free(name);
    free(path);
    return result;
}

static int read_additional(json_t *templates, const char *model,
                           struct error *e)
{
    char *folder = folder_file(model, "additional_chat_templates", e);
    int result = folder ? 0 : -1;
    DIR *open = folder ? opendir(folder) : NULL;
    if (folder && !open && errno != ENOENT && errno != ENOTDIR)
        result = fail_errno(e, folder);
    for (struct dirent *d; open && !result && (d = readdir(open));)
        if (path_ends(d->d_name, ".jinja"))
            result = put_named(templates, folder, d->d_name, e);
    if (open)
        closedir(open);
    free(folder);
    return result;
}

/* A text, or a list of {name, template}. */
static int read_templates(json_t *templates, const struct node *said,
                          struct error *e)
{
    const char *text, *name;
    size_t n;
    if (!node_has(said))
        return 0;
    if (json_is_string(said->value))
        return node_string(said, &text, e) ||
                       put_member(templates, "default", json_string(text), e)
                   ? -1
                   : 0;
    if (node_array(said, &n, e))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct node one = node_element(said, i);
        struct node name_node = node_member(&one, "name");
        struct node text_node = node_member(&one, "template");
        if (node_object(&one, e) || node_string(&name_node, &name, e) ||
            node_string(&text_node, &text, e) ||
            put_member(templates, name, json_string(text), e))
            return -1;
    }
    return 0;
}

/* "bos_token": its text, or an object that has it as "content". */
static int read_special_tokens(json_t *tokens, json_t *config, struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(config, key, value) {
        json_t *text =
            json_is_object(value) ? json_object_get(value, "content") : value;
        if (path_ends(key, "_token") && json_is_string(text) &&
            put_member(tokens, key, json_incref(text), e))
            return -1;
    }
    return 0;
}

/* A JSON file of the folder, if there is one: its "chat_template", where none
 * was found yet, and its tokens. */
static int read_template_file(struct chat_sources *s, const char *model,
                              const char *name, struct error *e)
{
    char *path = folder_file(model, name, e);
    int result = path ? 0 : -1;
    if (path && path_exists(path)) {
        json_t *config = json_read_file(path, e);
        struct node root = node_root(path, config);
        result = config ? node_object(&root, e) : -1;
        if (!result)
            result = read_special_tokens(s->tokens, config, e);
        if (!result && json_object_size(s->templates) == 0) {
            struct node said = node_member(&root, "chat_template");
            result = read_templates(s->templates, &said, e);
        }
        json_decref(config);
    }
    free(path);
    return result;
}

static int read_template_folder(struct chat_sources *s, const char *model,
                                struct error *e)
{
    char *path = folder_file(model, "chat_template.jinja", e);
    int result = path ? 0 : -1;
    if (path && path_exists(path))
        result = put_file(s->templates, "default", path, e);
    free(path);
    if (result || read_additional(s->templates, model, e) ||
        read_template_file(s, model, "chat_template.json", e))
        return -1;
    return read_template_file(s, model, "tokenizer_config.json", e);
}

/* What a GGUF model says, which is all that counts of it. */
static int read_chat_config(struct chat_sources *s, const char *model,
                            const char *text, struct error *e)
{
    json_t *config = json_parse(text, strlen(text), model, 0, e);
    struct node root = node_root(model, config);
    struct node said = node_member(&root, "chat_template");
    int result = config ? read_special_tokens(s->tokens, config, e) : -1;
    if (!result)
        result = read_templates(s->templates, &said, e);
    json_decref(config);
    return result;
}

static int read_sources(struct chat_sources *s, const char *model,
                        struct error *e)
{
    char *text;
    struct rung_error why;
    if (rung_chat_config(model, &text, &why))
        return fail(e, why.code == RUNG_MEMORY ? ERROR_MEMORY : ERROR_INPUT,
                    "%s", why.message);
    int result = text ? read_chat_config(s, model, text, e)
                      : read_template_folder(s, model, e);
    rung_free_text(text);
    return result;
}

int chat_sources_read(struct chat_sources *s, const char *model,
                      struct error *e)
{
    *s = (struct chat_sources){json_object(), json_object()};
    int result = s->templates && s->tokens ? 0
                                           : fail_memory(e, "a chat template");
    if (!result)
        result = read_sources(s, model, e);
    if (result)
        chat_sources_free(s);
    return result;
}

void chat_sources_free(struct chat_sources *s)
{
    json_decref(s->templates);
    json_decref(s->tokens);
    *s = (struct chat_sources){0};
}
