/* Any bytes as config.json beside the weights of a small model, of the family
 * that the bytes name, else a Qwen3: the model is refused with a message, or
 * opened with every weight in its place. */
#include "model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A word of config.json, and weights that go with it. */
struct source {
    const char *word, *model;
};

static const struct source sources[] = {
    {"GPTNeoX", "gptneox-2"}, /* heads of q, k and v take turns in a tensor */
    {"InternLM2", "internlm2-1"}, /* groups of them do */
    {"Phi3", "phi3-2"},           /* they stand behind each other */
    {"Gemma4", "gemma4-1"},       /* heads of two sizes, keys as values */
    {"HunYuan", "hunyuan-1"},     /* keys with one value, an alpha */
    {"", "qwen3-1"},
};

struct place {
    char folder[64], config[96], weights[96];
};

static bool contains(const uint8_t *text, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(text + i, word, length) == 0)
            return true;
    return false;
}

/* Link the weights, which are found from the folder in which fuzzers run. */
static void link_weights(const char *path, const uint8_t *config, size_t size)
{
    char here[2048], whole[sizeof here + 80];
    const struct source *source = sources;
    while (!contains(config, size, source->word))
        source++;
    if (!getcwd(here, sizeof here))
        abort();
    snprintf(whole, sizeof whole, "%s/../checkpoints/%s/model.safetensors",
             here, source->model);
    unlink(path);
    if (access(whole, R_OK) || symlink(whole, path))
        abort();
}

/* A folder with the weights and this config.json. */
static struct place make_place(const uint8_t *config, size_t size)
{
    struct place p;
    snprintf(p.folder, sizeof p.folder, "/tmp/fuzz_model.%ld", (long)getpid());
    snprintf(p.config, sizeof p.config, "%s/config.json", p.folder);
    snprintf(p.weights, sizeof p.weights, "%s/model.safetensors", p.folder);
    mkdir(p.folder, 0700);
    link_weights(p.weights, config, size);
    FILE *f = fopen(p.config, "wb");
    if (!f || fwrite(config, 1, size, f) != size || fclose(f))
        abort();
    return p;
}

static void remove_place(const struct place *p)
{
    unlink(p->config);
    unlink(p->weights);
    rmdir(p->folder);
}

/* How many rows of a tensor w reaches over. */
static size_t reach(const struct weight *w)
{
    size_t last = w->rows - 1;
    return 1 + (w->run ? last / w->run * w->stride + last % w->run : last);
}

static void check_weight(const struct weight *w, const struct mapping *file)
{
    const unsigned char *begin = w->data;
    size_t bytes = reach(w) * w->cols * dtype_bits(w->dtype) / 8;
    if (!begin || begin < file->data || bytes > file->size ||
        (size_t)(begin - file->data) > file->size - bytes)
        abort();
}

static void check_linear(const struct linear *l, size_t in, size_t out,
                         const struct mapping *file)
{
    if (l->weight.rows != out || l->weight.cols != in)
        abort();
    check_weight(&l->weight, file);
    if (l->bias.rows)
        check_weight(&l->bias, file);
}

static void check_layer(const struct model *m, const struct layer *layer)
{
    const struct mapping *file = &m->checkpoint.files[0];
    const struct attention *a = &layer->attention;
    size_t hidden = m->config.hidden_size;
    size_t q_size = a->n_heads * a->head_dim;
    if (!layer->mlp.activate || a->n_heads % a->n_kv_heads ||
        a->rope >= m->n_ropes)
        abort();
    check_linear(&a->q, hidden, q_size, file);
    check_linear(&a->k, hidden, a->n_kv_heads * a->head_dim, file);
    check_linear(&a->v, hidden, a->n_kv_heads * a->head_dim, file);
    check_linear(&a->o, q_size, hidden, file);
    check_linear(&layer->mlp.gate, hidden, m->config.intermediate_size, file);
    check_linear(&layer->mlp.down, m->config.intermediate_size, hidden, file);
}

static void check_model(const struct model *m)
{
    check_weight(&m->embedding, &m->checkpoint.files[0]);
    check_weight(&m->head, &m->checkpoint.files[0]);
    for (size_t l = 0; l < m->config.n_layers; l++)
        check_layer(m, &m->layers[l]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct place p = make_place(data ? data : (const uint8_t *)"", size);
    struct model m;
    struct error e = {ERROR_NONE, ""};
    if (model_open(&m, p.folder, &e) == 0)
        check_model(&m);
    else if (e.code == ERROR_NONE || m.layers ||
             strncmp(e.message, p.folder, strlen(p.folder)) != 0)
        abort();
    model_close(&m);
    remove_place(&p);
    return 0;
}
