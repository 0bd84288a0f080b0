/* The configuration: what config.json says about a model, checked.
 *
 * Holds what every family of models has.  What only some have (norms, biases,
 * rotary scaling ...) is read from `text` by whoever needs it. */
#ifndef CONFIG_H
#define CONFIG_H

#include "buffer.h"
#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

/* Lives where config_load filled it in and must not be copied: `text` may
 * point to `root`. */
struct config {
    const char *architecture; /* "Qwen3ForCausalLM"; "" when not said */
    const char *model_type;   /* "qwen3" */

    size_t vocab_size;        /* rows of the embedding */
    size_t hidden_size;       /* numbers that stand for one token */
    size_t intermediate_size; /* numbers inside the MLP */
    size_t n_layers;
    size_t n_heads;       /* query heads */
    size_t n_kv_heads;    /* key and value heads; divides n_heads */
    size_t head_dim;      /* numbers in one head */
    size_t max_positions; /* the longest text the model is made for */
    bool tie_word_embeddings;

    int bos;        /* begins a text; -1: none */
    struct ids eos; /* each ends a text; may be empty */

    json_t *by_default; /* the keys that config.json leaves out and that its
                           family has a value for; owned */

    char *file;       /* the path of config.json */
    struct node root; /* the whole file; its value is owned */
    struct node text; /* the object that the fields above are from: the root,
                         or in a checkpoint that also sees or hears, its
                         text_config */
};

/* Read config.json and, if there is one, generation_config.json of a model: a
 * folder, or a file beside which they stand; of a GGUF file what it says in
 * their place.  A field that is missing,
 * malformed or at odds with another is an error that names it.  After an
 * error *c holds nothing. */
int config_load(struct config *c, const char *model, struct error *e);

/* The same in two steps, for who wants to know first whose model it is:
 * config_open finds the file, its part about texts and both names,
 * config_read the rest. */
int config_open(struct config *c, const char *model, struct error *e);
int config_read(struct config *c, const char *model, struct error *e);

/* The keys of config.json that no field above is from: a list of names, those
 * inside of the part about texts as "text_config.name".  The caller frees it
 * with json_decref.  NULL: memory failed. */
json_t *config_unread(const struct config *c, struct error *e);

void config_free(struct config *c);

#endif
