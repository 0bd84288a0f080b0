/* The facts of a model: see model_facts.h and rung.h. */
#include "model_facts.h"

#include "fingerprint.h"
#include "folder.h"
#include "json.h"
#include "rung_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- names --------------------------------------------------------------- */

static char *copy_name(const char *text, size_t size, struct error *e)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        fail_memory(e, "a name");
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

/* The last part of a path, without slashes behind it. */
static char *last_part(const char *path, struct error *e)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t from = end;
    while (from > 0 && path[from - 1] != '/')
        from--;
    return copy_name(path + from, end - from, e);
}

/* As a model is called that nobody has named: a GGUF file as the file, another
 * as its folder. */
static char *own_name(const char *path, const char *folder, struct error *e)
{
    static const char gguf[] = ".gguf";
    bool is_file = !path_is_folder(path) && path_ends(path, gguf);
    char *name = last_part(is_file ? path : folder, e);
    if (name && is_file)
        name[strlen(name) - strlen(gguf)] = 0;
    return name;
}

static int set_names(struct rung_model *m, const char *path,
                     const char *given, struct error *e)
{
    m->path = copy_name(path, strlen(path), e);
    m->folder = m->path ? folder_of(path, e) : NULL;
    if (!m->folder)
        return -1;
    m->name = given ? copy_name(given, strlen(given), e)
                    : own_name(path, m->folder, e);
    m->facts.path = m->path;
    m->facts.folder = m->folder;
    m->facts.name = m->name;
    return m->name ? 0 : -1;
}

/* --- what is advised ----------------------------------------------------- */

static int advise_float(const struct node *root, const char *key, float *out,
                        struct error *e)
{
    struct node n = node_member(root, key);
    double value;
    if (node_number_or(&n, (double)*out, &value, e))
        return -1;
    *out = (float)value;
    return 0;
}

/* generation_config.json, as far as it says how to choose.  One that says not
 * to sample (do_sample) has values nobody means. */
static int read_advice(struct rung_sampling *s, const struct node *root,
                       struct error *e)
{
    struct node sample = node_member(root, "do_sample");
    struct node top_k = node_member(root, "top_k");
    struct node top_p = node_member(root, "top_p");
    bool samples;
    if (node_object(root, e) || node_bool_or(&sample, true, &samples, e))
        return -1;
    if (!samples)
        return 0;
    return advise_float(root, "temperature", &s->temperature, e) ||
                   advise_float(root, "min_p", &s->min_p, e) ||
                   advise_float(root, "repetition_penalty", &s->repetition,
                                e) ||
                   node_number_or(&top_p, s->top_p, &s->top_p, e) ||
                   node_size_or(&top_k, 1u << 30, s->top_k, &s->top_k, e)
               ? -1
               : 0;
}

/* Advice that cannot be read is none: the model runs without. */
static int read_advised(struct rung_model *m, struct error *e)
{
    struct rung_request plain;
    struct error ignored;
    char *path = folder_file(m->path, "generation_config.json", e);
    if (!path)
        return -1;
    rung_request_init(&plain);
    m->advised = plain.sampling;
    json_t *json = path_exists(path) ? json_read_file(path, &ignored) : NULL;
    struct node root = node_root(path, json);
    if (json && read_advice(&m->advised, &root, &ignored))
        m->advised = plain.sampling;
    json_decref(json);
    free(path);
    return 0;
}

void rung_advised_sampling(const struct rung_model *m,
                           struct rung_sampling *out)
{
    *out = m->advised;
}

/* --- the rest ------------------------------------------------------------ */

/* Whether the tokenizer ends even an empty text with a token that ends texts.
 */
static bool ends_its_texts(const struct rung_model *m)
{
    struct error e;
    struct ids ids = {0};
    bool ends = false;
    const struct ids *eos = &m->model.config.eos;
    int result = tokenizer_encode(m->tokenizer, "", 0, true, &ids, &e);
    for (size_t i = 0; result == 0 && ids.size > 0 && i < eos->size; i++)
        ends = ends || ids.data[ids.size - 1] == eos->data[i];
    ids_free(&ids);
    return ends;
}

static void read_files(struct rung_facts *f, const struct checkpoint *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        int64_t changed = (int64_t)c->files[i].changed.tv_sec;
        f->weight_bytes += c->files[i].size;
        f->created = changed > f->created ? changed : f->created;
    }
}

int facts_read(struct rung_model *m, const char *path,
               const struct rung_options *o, struct error *e)
{
    const struct config *c = &m->model.config;
    struct rung_facts *f = &m->facts;
    if (set_names(m, path, o->name, e) || read_advised(m, e))
        return -1;
    read_files(f, &m->model.checkpoint);
    f->architecture = c->architecture;
    f->model_type = c->model_type;
    f->trained_context = m->model.max_positions;
    f->vocab_size = c->vocab_size;
    f->width = c->hidden_size;
    f->n_layers = c->n_layers;
    f->bos = c->bos;
    f->eos = c->eos.data;
    f->n_eos = c->eos.size;
    f->embeds = m->pooling.said || ends_its_texts(m);
    f->pooling = m->pooling.how;
    f->kernels = m->model.set ? m->model.set->name : "exact";
    return 0;
}

void facts_free(struct rung_model *m)
{
    free(m->path);
    free(m->folder);
    free(m->name);
}

const struct rung_facts *rung_facts(const struct rung_model *m)
{
    return &m->facts;
}

int rung_fingerprint(const struct rung_model *m, uint64_t *out,
                     struct rung_error *error)
{
    struct error e;
    return model_fingerprint(&m->model, out, &e) ? fail_out(error, &e) : 0;
}
