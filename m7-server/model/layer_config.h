/* What config.json says about single layers: which of them see everything,
 * which do not rotate, and how large their heads are. */
#ifndef LAYER_CONFIG_H
#define LAYER_CONFIG_H

#include "config.h"
#include "error.h"
#include "family.h"

#include <stdbool.h>
#include <stddef.h>

/* Check, once for all, what is said about single layers and need not be read
 * to know one of them: that each name is a layer's, that a rule which a list
 * overrides makes sense. */
int layers_check(const struct family *f, const struct config *c,
                 struct error *e);

/* How many tokens a token sees in layer l, itself included; 0: all. */
int layer_window(const struct family *f, const struct config *c, size_t l,
                 size_t *window, struct error *e);

/* Whether layer l turns its queries and keys. */
int layer_turns(const struct family *f, const struct config *c, size_t l,
                bool *turns, struct error *e);

/* Whether layer l sees all tokens by the model's plan, whatever the window's
 * size: LAYER_FULL or LAYER_WINDOWED. */
int layer_kind_of(const struct family *f, const struct config *c, size_t l,
                  enum layer_kind *kind, struct error *e);

/* How many heads of keys layer l has, and how large all its heads are. */
int layer_heads(const struct family *f, const struct config *c, size_t l,
                size_t *head_dim, size_t *n_kv_heads, struct error *e);

/* Whether layer l takes its keys for values. */
int layer_shares_keys(const struct family *f, const struct config *c, size_t l,
                      bool *shares, struct error *e);

#endif
