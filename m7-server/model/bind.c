/* Binding: see bind.h.  Walks through the names that family.c has. */
#include "bind.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A walk through the checkpoint that ticks off what it has used. */
struct binder {
    const struct checkpoint *checkpoint;
    struct model *model;
    const struct family *family;
    size_t turns;    /* that stacked parts take in their tensor; or 0 */
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

/* The tensor of this name in w's shape and a type that can be multiplied, or
 * NULL. */
static const struct tensor *find_fitting(struct binder *b, const char *name,
                                         const char *suffix, int rank,
                                         const struct weight *w,
                                         struct error *e)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s%s", b->prefix, name, suffix);
    const struct tensor *t = take_tensor(b, full);
    if (!t)
        fail(e, ERROR_INPUT, "%s: there is no tensor %s",
             b->checkpoint->files[0].path, full);
    else if (!has_shape(t, w, rank))
        fail_misfit(t, w, rank, e);
    else if (!weight_type_is_known(t->dtype))
        fail(e, ERROR_UNSUPPORTED,
             "%s: tensor %s has numbers of type %s; F32, F16 and BF16 can be "
             "multiplied",
             t->file->path, t->name, tensor_type(t));
    else
        return t;
    return NULL;
}

/* What the file has otherwise than w's rows are. */
static void note_storage(const struct tensor *t, struct weight *w)
{
    w->paired = t->paired;
    w->added = t->added;
}

/* Point w to the quantized matrix of this name: 1, or 0 when there is none. */
static int bind_quantized(struct binder *b, const char *name,
                          struct weight *w, struct error *e)
{
    struct model *m = b->model;
    struct quantized *q = &m->quantized[m->n_quantized];
    char full[256];
    snprintf(full, sizeof full, "%s%s", b->prefix, name);
    const struct sought wanted = {b->checkpoint, full, w->rows, w->cols};
    int found = quantization_find(&m->quantization, &wanted, q, e);
    if (found != 1)
        return found;
    for (size_t i = 0; i < q->n_parts; i++)
        b->used[q->parts[i] - b->checkpoint->tensors] = true;
    note_storage(q->parts[0], w);
    w->quantized = q;
    w->data = q->codes;
    m->n_quantized++;
    return 1;
}

/* Point w, of `rank` dimensions, to the tensor of this name. */
static int bind_tensor(struct binder *b, const char *name, const char *suffix,
                       int rank, struct weight *w, struct error *e)
{
    int found = rank == 2 ? bind_quantized(b, name, w, e) : 0;
    if (found)
        return found == 1 ? 0 : -1;
    const struct tensor *t = find_fitting(b, name, suffix, rank, w, e);
    if (!t)
        return -1;
    note_storage(t, w);
    w->dtype = t->dtype;
    w->data = t->data;
    return 0;
}

/* A part of a layer that may share a tensor with its neighbours. */
struct layer_part {
    const char *name;
    struct linear *linear;
};

/* A part's matrix (rank 2) or bias (rank 1). */
static struct weight *part_weight(const struct layer_part *p, int rank)
{
    return rank == 2 ? &p->linear->weight : &p->linear->bias;
}

/* How often the parts take turns in the tensor of this name; 0: they stand
 * one below the other, as files may have them whatever the family is. */
static size_t turns_in(const struct binder *b, const char *name,
                       const char *suffix)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s%s", b->prefix, name, suffix);
    const struct tensor *t = checkpoint_find(b->checkpoint, full);
    return t && t->stacked ? 0 : b->turns;
}

/* Point the weights of parts (n,), which are stacked in one tensor. */
static int bind_stacked(struct binder *b, const struct layer_part *parts,
                        size_t n, const char *suffix, int rank,
                        struct error *e)
{
    struct weight all = *part_weight(&parts[0], rank);
    for (size_t i = 1; i < n; i++)
        all.rows += part_weight(&parts[i], rank)->rows;
    if (all.rows == 0)
        return 0;
    size_t turns = n > 1 ? turns_in(b, parts[0].name, suffix) : 0;
    if (bind_tensor(b, parts[0].name, suffix, rank, &all, e))
        return -1;
    for (size_t i = 0, first = 0; i < n; i++) {
        struct weight *w = part_weight(&parts[i], rank);
        w->dtype = all.dtype;
        w->data = all.data;
        w->quantized = all.quantized;
        w->paired = all.paired;
        w->first = first;
        w->run = turns ? w->rows / turns : 0;
        w->stride = turns ? all.rows / turns : 0;
        first += turns ? w->run : w->rows;
    }
    return 0;
}

/* Parts (n,), at most 3, of which those that share a name are stacked. */
static int bind_parts(struct binder *b, const struct layer_part *parts,
                      size_t n, struct error *e)
{
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && parts[i].name && parts[i + same].name &&
                       strcmp(parts[i].name, parts[i + same].name) == 0;)
            same++;
        if (bind_stacked(b, parts + i, same, ".weight", 2, e) ||
            bind_stacked(b, parts + i, same, ".bias", 1, e))
            return -1;
    }
    return 0;
}

static int bind_norm(struct binder *b, const char *name, struct norm *n,
                     struct error *e)
{
    if (n->weight.rows && bind_tensor(b, name, ".weight", 1, &n->weight, e))
        return -1;
    n->weight_offset -= n->weight.added;
    return n->bias.rows ? bind_tensor(b, name, ".bias", 1, &n->bias, e) : 0;
}

static int bind_attention(struct binder *b, struct attention *a,
                          struct error *e)
{
    const struct weight_names *names = b->family->names;
    const struct layer_part parts[] = {
        {names->q, &a->q}, {names->k, &a->k}, {names->v, &a->v}};
    const struct layer_part o = {names->o, &a->o};
    b->turns = b->family->interleaved_qkv ? a->n_kv_heads : 0;
    if (bind_parts(b, parts, 3, e) || bind_parts(b, &o, 1, e) ||
        bind_norm(b, names->q_norm, &a->q_norm, e) ||
        bind_norm(b, names->k_norm, &a->k_norm, e))
        return -1;
    if (!a->v.weight.rows)
        a->v = a->k;
    return 0;
}

static int bind_layer(struct binder *b, struct layer *layer, struct error *e)
{
    const struct weight_names *names = b->family->names;
    struct mlp *m = &layer->mlp;
    const struct layer_part parts[] = {{names->gate, &m->gate},
                                       {names->up, &m->up}};
    const struct layer_part down = {names->down, &m->down};
    if (bind_norm(b, names->mix_norm, &layer->mix_norm, e) ||
        bind_attention(b, &layer->attention, e) ||
        bind_norm(b, names->mix_after, &layer->mix_after, e) ||
        bind_norm(b, names->feed_norm, &layer->feed_norm, e) ||
        bind_parts(b, parts, names->up ? 2 : 1, e) ||
        bind_parts(b, &down, 1, e) ||
        bind_norm(b, names->feed_after, &layer->feed_after, e))
        return -1;
    return layer->scale.rows
               ? bind_tensor(b, "layer_scalar", "", 1, &layer->scale, e)
               : 0;
}

/* --- a whole model ------------------------------------------------------ */

/* Where the names begin: of the layers, and of the head. */
struct prefixes {
    const char *layers, *head;
};

static const struct prefixes prefixes[] = {
    {"model.", ""},
    {"", ""}, /* without a head: only the inner model was stored */
    {"gpt_neox.", ""},
    {"language_model.model.", "language_model."}, /* one among other parts */
    {"model.language_model.", ""},                /* the same */
};

/* The prefixes with which there is an embedding, or the usual ones. */
static const struct prefixes *find_prefixes(const struct binder *b)
{
    char name[256];
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        snprintf(name, sizeof name, "%s%s.weight", prefixes[i].layers,
                 b->family->names->embedding);
        if (checkpoint_find(b->checkpoint, name))
            return &prefixes[i];
    }
    return &prefixes[0];
}

/* A tied head need not be in the file; where it is, it is what counts. */
static int bind_head(struct binder *b, const char *prefix, struct model *m,
                     struct error *e)
{
    const char *head = b->family->names->head;
    char name[256];
    snprintf(name, sizeof name, "%s%s.weight", prefix, head);
    snprintf(b->prefix, sizeof b->prefix, "%s", prefix);
    if (m->tied && !checkpoint_find(b->checkpoint, name)) {
        m->head = m->embedding;
        return 0;
    }
    return bind_tensor(b, head, ".weight", 2, &m->head, e);
}

static int bind_all(struct binder *b, struct model *m, struct error *e)
{
    const struct weight_names *names = b->family->names;
    const struct prefixes *p = find_prefixes(b);
    snprintf(b->prefix, sizeof b->prefix, "%s", p->layers);
    if (bind_tensor(b, names->embedding, ".weight", 2, &m->embedding, e) ||
        bind_norm(b, names->norm, &m->norm, e))
        return -1;
    for (size_t l = 0; l < m->config.n_layers; l++) {
        snprintf(b->prefix, sizeof b->prefix, "%slayers.%zu.", p->layers, l);
        if (bind_layer(b, &m->layers[l], e))
            return -1;
    }
    return bind_head(b, p->head, m, e);
}

/* Whether the name is a layer's `part`; NULL: there is no such part. */
static bool is_part(const char *name, const char *part)
{
    size_t length = strlen(name), tail = part ? strlen(part) : length;
    return part && length > tail && name[length - tail - 1] == '.' &&
           strcmp(name + length - tail, part) == 0;
}

/* GGUF files hold the numbers that rotary frequencies are divided by, which
 * are in their config.json, too. */
static bool is_gguf_rope(const char *name)
{
    return strcmp(name, "rope_freqs.weight") == 0 ||
           strcmp(name, "rope_factors_long.weight") == 0 ||
           strcmp(name, "rope_factors_short.weight") == 0;
}

/* Old files hold the rotary frequencies, and those of some families masks,
 * which follow from config.json. */
static bool is_harmless(const struct family *f, const struct tensor *t)
{
    return is_part(t->name, "rotary_emb.inv_freq") ||
           is_gguf_rope(t->name) || is_part(t->name, f->names->mask) ||
           is_part(t->name, f->names->mask_value);
}

/* Whether the tensor belongs to a part of the model that is not for texts. */
static bool is_other(const struct family *f, const struct tensor *t)
{
    const char *at = f->other_tensors;
    while (at && *at) {
        size_t length = strcspn(at, " ");
        if (strncmp(t->name, at, length) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

static int check_unused(const struct binder *b, struct model *m,
                        struct error *e)
{
    for (size_t i = 0; i < b->checkpoint->n_tensors; i++) {
        const struct tensor *t = &b->checkpoint->tensors[i];
        bool other = !b->used[i] && is_other(b->family, t);
        if (other && m->n_ignored++ == 0)
            m->ignored = t->name;
        if (!b->used[i] && !other && !is_harmless(b->family, t))
            return fail(e, ERROR_UNSUPPORTED,
                        "%s: nothing uses tensor %s, so the model is not what "
                        "config.json says it is",
                        t->file->path, t->name);
    }
    return 0;
}

int bind_weights(struct model *m, const struct family *f, struct error *e)
{
    struct binder b = {
        .checkpoint = &m->checkpoint, .model = m, .family = f};
    size_t most = m->checkpoint.n_tensors + 1;
    b.used = calloc(most, sizeof *b.used);
    m->quantized = calloc(most, sizeof *m->quantized);
    int result = -1;
    if (!b.used || !m->quantized)
        fail_memory(e, "the list of tensors");
    else if (bind_all(&b, m, e) == 0)
        result = check_unused(&b, m, e);
    free(b.used);
    return result;
}
