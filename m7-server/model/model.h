/* A model, ready to run: its weights where their files are mapped, and every
 * choice that its family makes, as data.
 *
 * model.c and bind.c fill it in when a model is opened.  The forward pass
 * reads nothing else, and knows no family's name: a part that a model lacks
 * has no weight, a window or a cap that it does not use is 0. */
#ifndef MODEL_H
#define MODEL_H

#include "activation.h"
#include "checkpoint.h"
#include "config.h"
#include "error.h"
#include "ops.h"
#include "pack.h"
#include "rope.h"
#include "scheme.h"
#include "store.h"

#include <stdbool.h>
#include <stddef.h>

/* How the tokens are mixed. */
struct attention {
    size_t n_heads;    /* of queries */
    size_t n_kv_heads; /* of keys and values; divides n_heads */
    size_t head_dim;

    struct linear q;            /* hidden to (n_heads, head_dim) */
    struct linear k, v;         /* hidden to (n_kv_heads, head_dim) */
    struct linear o;            /* (n_heads, head_dim) to hidden */
    struct norm q_norm, k_norm; /* of each head, or of all together */
    bool turns_first;           /* they are of heads that have turned */
    struct norm v_norm;         /* of each head */

    size_t rope;    /* which of the model's ropes turns q and k */
    float scale;    /* of the scores; mostly 1 / sqrt(head_dim) */
    float soft_cap; /* of the scores; 0: none */
    size_t window;  /* how many tokens one sees, itself included; 0: all */
};

/* How each token is fed: down(activate(gate(x)) * up(x)), the gated MLP of
 * Shazeer 2020; in older models, whose `up` is absent,
 * down(activate(gate(x))). */
struct mlp {
    struct linear gate, up; /* hidden to intermediate */
    struct linear down;     /* intermediate to hidden */
    activation *activate;
};

struct layer {
    struct norm mix_norm; /* before the mixing */
    struct attention attention;
    struct norm mix_after; /* of what the mixing adds */
    struct norm feed_norm; /* before the feeding */
    struct mlp mlp;
    struct norm feed_after; /* of what the feeding adds */

    bool parallel;       /* the feeding reads what the mixing read */
    float residual;      /* both halves' results are multiplied by it */
    struct weight scale; /* (1,), multiplies what leaves the layer; may be
                            absent */
};

/* Lives where model_open filled it in and must not be copied: its config
 * points into itself. */
struct model {
    struct config config;
    struct checkpoint checkpoint;

    size_t max_positions; /* the longest text */

    struct weight embedding; /* (vocab_size, hidden_size) */
    float embedding_scale;   /* multiplies each of its rows */
    struct layer *layers;    /* (config.n_layers,); owned */
    struct norm norm;        /* after the last layer */
    struct weight head;      /* (vocab_size, hidden_size): a tied head is the
                                embedding once more */
    float logit_scale;       /* multiplies the logits */
    float logit_cap;         /* soft cap of the logits; 0: none */

    bool tied; /* the head may be missing in the files */

    struct quantization quantization; /* how the files hold matrices */
    struct quantized *quantized;      /* (n_quantized,); owned */
    size_t n_quantized;

    struct rope *ropes; /* (n_ropes,); owned */
    size_t n_ropes;

    /* Since model_pack: what kernels compute with; else NULL. */
    const struct cpu_set *set;
    struct threads *threads; /* not owned; NULL: the caller's alone */
    struct packed *packed;   /* (n_packed,): copies of the matrices; owned */
    size_t n_packed;
    struct store store;       /* where they stand */
    struct packing *packings; /* (n_packed,): how they are made, as long as
                                 that goes on; owned */
    float *vectors; /* copies of norms and biases as floats; owned */

    size_t n_ignored;    /* tensors that are not for texts */
    const char *ignored; /* the name of the first */
};

/* Open the model that is in the folder `path`, or beside the file `path`.
 * Whatever this program does not know is refused by name: first the
 * architecture, then each key of config.json, then each tensor that is
 * missing, has another shape or type than expected, or would not be used.  No
 * weight is read before all of that is settled.  After an error *m holds
 * nothing. */
int model_open(struct model *m, const char *path, struct error *e);

/* The same without weights: what config.json alone says, refused where
 * model_open would refuse it.  A forward pass needs model_open. */
int model_describe(struct model *m, const char *path, struct error *e);

/* From now on kernels compute, shared among these threads, which must live
 * longer: make a copy of every matrix in the order in which kernels read it.
 * The files' own pages of these matrices are given back to the system.  After
 * an error *m is as it was. */
int model_pack(struct model *m, struct threads *t, struct error *e);

/* The same in steps, for who may have the copies already (kept/): say what is
 * to be made; give back what was looked at of the files; make it in memory,
 * unless m->store has it; go on.  After an error, model_unpack. */
int model_pack_begin(struct model *m, struct threads *t, struct error *e);
void model_pack_release(struct model *m);
int model_pack_fill(struct model *m, struct error *e);
void model_pack_end(struct model *m);

/* The matrices of a layer; those that it lacks have no rows. */
enum layer_matrices { LAYER_MATRICES = 7 };

void list_matrices(struct layer *l, struct weight **list);

/* Its part for vectors: the weights of norms and all biases become floats,
 * which kernels read.  And the end of that. */
int model_pack_vectors(struct model *m, struct error *e);
void model_unpack_vectors(struct model *m);

/* Undo model_pack: the copies are gone, math/ computes alone. */
void model_unpack(struct model *m);

void model_close(struct model *m);

/* Fail unless the model can hold a text of `n` tokens, then `more` tokens. */
int model_check_length(const struct model *m, size_t n, size_t more,
                       struct error *e);

#endif
