/* Keys of a JSON object that must not be overlooked. */
#ifndef KEYS_H
#define KEYS_H

#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

/* True when `word` is one of the words in `list`, which have one space in
 * between. */
bool words_have(const char *list, const char *word);

/* Fail for the first key of `object` that stands in none of the lists
 * (n_lists,), unless it changes nothing: transformers does not read it in
 * models of this type, or its value says what its absence says, null or false,
 * or for a switch that is on anyway, true.  Without a model_type, NULL, each
 * key counts as read.  A key that is read there and not here may well change
 * what the model computes: better no answer than a wrong one.  `whose` says in
 * the message who does not know it, unless one of its values would be right:
 * then that is named.
 *
 * Fail, too, for a key of the lists whose value is null, unless that means
 * the same as no key at all, as in "rope_scaling": null. */
int keys_check(const struct node *object, const char *const *lists,
               size_t n_lists, const char *model_type, const char *whose,
               struct error *e);

/* Fail for a key with another value than the only one that this program
 * computes, which is given as JSON. */
int fail_value(const struct node *n, const char *expected, struct error *e);

#endif
