/* What GGUF files call models, their tensors and their numbers, and what model
 * folders as Hugging Face lays them out call them: a table with a row for each
 * architecture that both know. */
#ifndef GGUF_FAMILY_H
#define GGUF_FAMILY_H

#include "gguf.h"

#include <stdbool.h>
#include <stddef.h>

/* A name in the file, and elsewhere. */
struct gguf_word {
    const char *own, *usual;
};

enum gguf_family_limits {
    GGUF_WORDS = 16
};

struct gguf_family {
    const char *name;                      /* general.architecture */
    const char *architecture, *model_type; /* in config.json */

    const char *prefix; /* of all but the head; NULL: "model." */
    struct gguf_word names[GGUF_WORDS]; /* of tensors, where not as most
                                           call them; ends with {0} */
    struct gguf_word keys[GGUF_WORDS];  /* what is said of it and not of all:
                                           GGUF key without "ARCH.", and
                                           config.json's; ends with {0} */

    const char *bias_key;     /* whether q, k and v have a bias; NULL: it is
                                 not said */
    const char *mlp_bias_key; /* the same for the MLP */
    const char *theta_key;    /* NULL: "rope_theta" */
    const char *fraction_key; /* how much of a head turns; NULL: all */
    bool no_heads; /* config.json lacks num_key_value_heads and head_dim */
    const char *constants; /* what the file does not say, as JSON; or NULL */

    /* How tensors are stored otherwise than elsewhere. */
    bool paired;  /* q and k: rows that turn together stand together */
    float added;  /* norms: this was added to each weight */
    bool stacked; /* q, k, v in one tensor stand behind each other, where
                     elsewhere they take turns, head by head */
};

/* The row of the file's general.architecture; NULL and an error when it is not
 * in the table. */
const struct gguf_family *gguf_family_find(const struct gguf *g,
                                           struct error *e);

/* The name that the tensor has elsewhere, in out (GGUF_NAME + 100,); its own
 * where it has no other. */
void gguf_tensor_name(const struct gguf_family *f, const char *name,
                      char *out);

/* How many heads the rows of this tensor are, of q and k that are stored in
 * pairs: 'q', 'k', or 0 for all other tensors. */
char gguf_is_paired(const struct gguf_family *f, const char *name);

/* What was added to each of its values. */
float gguf_added(const struct gguf_family *f, const char *name);

#endif
