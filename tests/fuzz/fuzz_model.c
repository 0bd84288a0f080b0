/* Any bytes as config.json beside the weights of a small Qwen3: the model is
 * refused with a message, or opened with every weight in its place. */
#include "model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where the weights are, seen from the folder in which the fuzzers run. */
static const char weights[] = "../checkpoints/qwen3-1/model.safetensors";

struct place {
    char folder[64], config[96], weights[96];
};

static void link_weights(const char *path)
{
    char here[2048], whole[sizeof here + sizeof weights];
    if (!getcwd(here, sizeof here))
        abort();
    snprintf(whole, sizeof whole, "%s/%s", here, weights);
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
    link_weights(p.weights);
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

static void check_weight(const struct weight *w, const struct mapping *file)
{
    const unsigned char *begin = w->data;
    size_t bytes = w->rows * w->cols * dtype_bits(w->dtype) / 8;
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
