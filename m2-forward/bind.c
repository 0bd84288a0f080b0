/* Binding: see bind.h.  The only file that knows the weights' names. */
#include "bind.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A walk through the checkpoint that ticks off what it has used. */
struct binder {
    const struct checkpoint *checkpoint;
    bool *used;      /* (checkpoint->n_tensors,) */
    char prefix[64]; /* of all names at present: "model.layers.7." */
};

/* The tensor of a name, ticked off, or NULL. */
static const struct tensor *take_tensor(struct binder *b, const char *name)
{
    const struct tensor *t = checkpoint_find(b->checkpoint, name);
    if (t)
        b->used[t - b->checkpoint->tensors] = true;
    return t;
}

/* A vector is a tensor of rank 1, a matrix of rank 2. */
static bool has_shape(const struct tensor *t, const struct weight *w, int rank)
{
    return t->rank == rank && t->shape[0] == w->rows &&
           (rank == 1 || t->shape[1] == w->cols);
}

static int fail_misfit(const struct tensor *t, const struct weight *w,
                       int rank, struct error *e)
{
    char found[TENSOR_SHAPE_TEXT], expected[64];
    tensor_shape(t, found);
    snprintf(expected, sizeof expected, rank == 1 ? "[%zu]" : "[%zu, %zu]",
             w->rows, w->cols);
    return fail(e, ERROR_INPUT,
                "%s: tensor %s is %s, but by config.json it should be %s",
                t->file->path, t->name, found, expected);
}

/* Point w, of `rank` dimensions, to the tensor of this name. */
static int bind_tensor(struct binder *b, const char *name, const char *suffix,
                       int rank, struct weight *w, struct error *e)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s%s", b->prefix, name, suffix);
    const struct tensor *t = take_tensor(b, full);
    if (!t)
        return fail(e, ERROR_INPUT, "%s: there is no tensor %s",
                    b->checkpoint->files[0].path, full);
    if (!has_shape(t, w, rank))
        return fail_misfit(t, w, rank, e);
    if (!weight_type_is_known(t->dtype))
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: tensor %s has numbers of type %s; F32, F16 and BF16 "
                    "can be multiplied",
                    t->file->path, t->name, dtype_name(t->dtype));
    w->dtype = t->dtype;
    w->data = t->data;
    return 0;
}

static int bind_linear(struct binder *b, const char *name, struct linear *l,
                       struct error *e)
{
    if (bind_tensor(b, name, ".weight", 2, &l->weight, e))
        return -1;
    return l->bias.rows ? bind_tensor(b, name, ".bias", 1, &l->bias, e) : 0;
}

static int bind_norm(struct binder *b, const char *name, struct norm *n,
                     struct error *e)
{
    return n->kind == NORM_NONE
               ? 0
               : bind_tensor(b, name, ".weight", 1, &n->weight, e);
}

static int bind_layer(struct binder *b, struct layer *layer, struct error *e)
{
    struct attention *a = &layer->attention;
    struct mlp *m = &layer->mlp;
    if (bind_norm(b, "input_layernorm", &layer->mix_norm, e) ||
        bind_linear(b, "self_attn.q_proj", &a->q, e) ||
        bind_linear(b, "self_attn.k_proj", &a->k, e) ||
        bind_linear(b, "self_attn.v_proj", &a->v, e) ||
        bind_linear(b, "self_attn.o_proj", &a->o, e) ||
        bind_norm(b, "self_attn.q_norm", &a->q_norm, e) ||
        bind_norm(b, "self_attn.k_norm", &a->k_norm, e))
        return -1;
    if (bind_norm(b, "post_attention_layernorm", &layer->feed_norm, e) ||
        bind_linear(b, "mlp.gate_proj", &m->gate, e) ||
        bind_linear(b, "mlp.up_proj", &m->up, e) ||
        bind_linear(b, "mlp.down_proj", &m->down, e))
        return -1;
    return 0;
}

/* A tied head need not be in the file; where it is, it is what counts. */
static int bind_head(struct binder *b, struct model *m, struct error *e)
{
    bool absent = !checkpoint_find(b->checkpoint, "lm_head.weight");
    b->prefix[0] = 0;
    if (m->config.tie_word_embeddings && absent) {
        m->head = m->embedding;
        return 0;
    }
    return bind_tensor(b, "lm_head", ".weight", 2, &m->head, e);
}

static int bind_all(struct binder *b, struct model *m, struct error *e)
{
    strcpy(b->prefix, "model.");
    if (bind_tensor(b, "embed_tokens", ".weight", 2, &m->embedding, e) ||
        bind_norm(b, "norm", &m->norm, e))
        return -1;
    for (size_t l = 0; l < m->config.n_layers; l++) {
        snprintf(b->prefix, sizeof b->prefix, "model.layers.%zu.", l);
        if (bind_layer(b, &m->layers[l], e))
            return -1;
    }
    return bind_head(b, m, e);
}

/* Old files hold the rotary frequencies, which follow from config.json. */
static bool is_harmless(const struct tensor *t)
{
    static const char end[] = "rotary_emb.inv_freq";
    size_t length = strlen(t->name);
    return length >= strlen(end) &&
           strcmp(t->name + length - strlen(end), end) == 0;
}

static int check_unused(const struct binder *b, struct error *e)
{
    for (size_t i = 0; i < b->checkpoint->n_tensors; i++) {
        const struct tensor *t = &b->checkpoint->tensors[i];
        if (!b->used[i] && !is_harmless(t))
            return fail(e, ERROR_UNSUPPORTED,
                        "%s: nothing uses tensor %s, so the model is not what "
                        "config.json says it is",
                        t->file->path, t->name);
    }
    return 0;
}

int bind_weights(struct model *m, struct error *e)
{
    struct binder b = {.checkpoint = &m->checkpoint};
    b.used = calloc(m->checkpoint.n_tensors + 1, sizeof *b.used);
    if (!b.used)
        return fail_memory(e, "the list of tensors");
    int result = bind_all(&b, m, e) || check_unused(&b, e) ? -1 : 0;
    free(b.used);
    return result;
}
