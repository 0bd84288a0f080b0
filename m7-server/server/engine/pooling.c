/* Pooling: see pooling.h. */
#include "pooling.h"

#include "buffer.h"
#include "folder.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

/* The keys of a Pooling step's config.json that say what it does, each true or
 * false; of the sentence-transformers package, models/Pooling.py.  Newer files
 * say the name behind "pooling_mode_" in "pooling_mode". */
static const struct pooling_mode {
    const char *key, *name;
    int how; /* enum rung_pooling; -1: unknown here */
} modes[] = {
    {"pooling_mode_cls_token", "cls", RUNG_POOL_FIRST},
    {"pooling_mode_mean_tokens", "mean", RUNG_POOL_MEAN},
    {"pooling_mode_lasttoken", "lasttoken", RUNG_POOL_LAST},
    {"pooling_mode_max_tokens", "max", -1},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", -1},
    {"pooling_mode_weightedmean_tokens", "weightedmean", -1},
};

enum mode_count {
    N_MODES = sizeof modes / sizeof modes[0]
};

static int choose_mode(struct pooling *p, const struct node *where,
                       const struct pooling_mode *mode, struct error *e)
{
    if (mode->how < 0)
        return node_fail(where, ERROR_UNSUPPORTED, e,
                         "pooling by \"%s\" is unknown here; known are cls, "
                         "mean and lasttoken",
                         mode->name);
    if (p->said)
        return node_fail(where, ERROR_UNSUPPORTED, e,
                         "pooling in two ways at once is unknown here");
    p->how = (enum rung_pooling)mode->how;
    p->said = true;
    return 0;
}

static int find_named_mode(struct pooling *p, const struct node *name,
                           struct error *e)
{
    const char *text;
    if (node_string(name, &text, e))
        return -1;
    for (size_t i = 0; i < N_MODES; i++)
        if (strcmp(modes[i].name, text) == 0)
            return choose_mode(p, name, &modes[i], e);
    return node_fail(name, ERROR_UNSUPPORTED, e,
                     "pooling by \"%s\" is unknown here", text);
}

static int read_modes(struct pooling *p, const struct node *config,
                      struct error *e)
{
    struct node name = node_member(config, "pooling_mode");
    if (node_object(config, e))
        return -1;
    if (node_has(&name))
        return find_named_mode(p, &name, e);
    for (size_t i = 0; i < N_MODES; i++) {
        struct node mode = node_member(config, modes[i].key);
        bool on;
        if (node_bool_or(&mode, false, &on, e) ||
            (on && choose_mode(p, &mode, &modes[i], e)))
            return -1;
    }
    return p->said ? 0
                   : node_fail(config, ERROR_INPUT, e, "no pooling is chosen");
}

/* The path of the config.json in a step's folder, to be freed. */
static char *step_config(const char *model, const char *folder,
                         struct error *e)
{
    struct bytes name = {0};
    bytes_add_string(&name, folder);
    bytes_add(&name, "/config.json", sizeof "/config.json");
    if (name.failed)
        fail_memory(e, "a path");
    char *path = name.failed ? NULL : folder_file(model, name.data, e);
    bytes_free(&name);
    return path;
}

static int read_step(struct pooling *p, const char *model, const char *folder,
                     struct error *e)
{
    char *path = step_config(model, folder, e);
    json_t *json = path ? json_read_file(path, e) : NULL;
    struct node config = node_root(path, json);
    int result = json ? read_modes(p, &config, e) : -1;
    json_decref(json);
    free(path);
    return result;
}

/* The last part of a class's name. */
static const char *class_name(const char *type)
{
    const char *dot = strrchr(type, '.');
    return dot ? dot + 1 : type;
}

static int read_module(struct pooling *p, const char *model,
                       const struct node *module, struct error *e)
{
    struct node type = node_member(module, "type");
    struct node path = node_member(module, "path");
    const char *name, *folder;
    if (node_string(&type, &name, e) || node_string(&path, &folder, e))
        return -1;
    name = class_name(name);
    if (strcmp(name, "Pooling") == 0)
        return read_step(p, model, folder, e);
    if (strcmp(name, "Transformer") == 0 || strcmp(name, "Normalize") == 0)
        return 0;
    return node_fail(&type, ERROR_UNSUPPORTED, e,
                     "the step %s of making vectors is unknown here", name);
}

static int read_modules(struct pooling *p, const char *model, json_t *json,
                        const char *path, struct error *e)
{
    struct node root = node_root(path, json);
    size_t n;
    if (node_array(&root, &n, e))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct node module = node_element(&root, i);
        if (node_object(&module, e) || read_module(p, model, &module, e))
            return -1;
    }
    return 0;
}

static int read_pooling_folder(struct pooling *p, const char *model,
                               struct error *e)
{
    char *path = folder_file(model, "modules.json", e);
    json_t *json = NULL;
    int result = path ? 0 : -1;
    if (path && path_exists(path)) {
        json = json_read_file(path, e);
        result = json ? read_modules(p, model, json, path, e) : -1;
    }
    json_decref(json);
    free(path);
    return result;
}

void pooling_read(struct pooling *p, const char *model)
{
    struct error e;
    *p = (struct pooling){.how = RUNG_POOL_LAST};
    if (read_pooling_folder(p, model, &e))
        p->refused = e;
}
