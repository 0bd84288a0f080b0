/* The forms of a cache: how the keys and values that it keeps are stored.
 *
 * A cache is written once and read at every step: each token that is decoded
 * fetches all of it.  With fewer bits for a number a longer text fits, and
 * less is fetched.  What is lost is lost where a number is stored, once;
 * attention reads nothing but what was stored, of its own chunk, too, so that
 * a text gives the same bits whatever its chunks were.
 *
 * Keys need more bits than values.  A key's error changes a score, and the
 * weight is exp(score): an error of 0.5 makes a position count 1.6 times as
 * much.  Values are averaged: their errors add up with the weights, as
 * independent ones do, to less than each.  So "k4v3" has 4 bits for a number
 * of a key and 3 for one of a value.  bench_cache_forms measures both halves
 * alone: with 3 bits the reading model's divergence from itself is 1.3 times
 * as large by its keys as by its values, and with 2 bits the worst token in a
 * hundred 1.7 times.
 *
 * The first two layers and the last two are the ends of the model; there,
 * values have as many bits as keys.  In the reading model, of 8 layers, that
 * makes k4v3 1.15 times as near to floats; in SmolLM2-135M, of 30, no
 * difference could be measured.  A model of 4 layers or fewer is all ends.
 *
 * Keys come here as they are compared, normalized and rotated (kvcache.h).
 * Rotated later, a key would be turned again at every step, for each position
 * that a token sees; and a key's rotation is of its own position alone, so
 * that nothing is gained by waiting.
 *
 * Kernels score codes as they are: a form says in which panels its numbers
 * stand (panels.h), and how a query is turned once instead of every key; a
 * Hadamard transform keeps dot products.  So the weighted sum of turned values
 * is turned back once, and not every value.
 *
 * This is where more attaches.  A cache of blocks that many texts share keeps
 * rows of these forms in its blocks: no form knows where its row stands, and
 * each row is whole in itself. */
#ifndef CACHE_FORM_H
#define CACHE_FORM_H

#include "panels.h"

#include <stddef.h>
#include <stdint.h>

/* How the numbers of one head are stored: a key (head_dim,), or a value.  `n`
 * is head_dim, any number from 1 on; `bits` those of the form, below. */

/* How many bytes that takes. */
typedef size_t head_bytes_function(size_t bits, size_t n);

/* Store x (n,) at `out`, which has any alignment.  What is not finite, or too
 * large for the form, is stored so that it is read as no finite number, and
 * never as another one: then the logits are no numbers either, which
 * everybody who chooses from them refuses. */
typedef void head_store_function(size_t bits, const float *x, size_t n,
                                 unsigned char *out);

/* Read them as floats x (n,).  The same bytes give the same bits, always. */
typedef void head_read_function(size_t bits, const unsigned char *in, size_t n,
                                float *x);

/* Turn a head x (n,) in place. */
typedef void head_turn_function(float *x, size_t n);

struct head_form {
    const char *name;
    size_t bits; /* of a number; what a head shares comes on top */
    head_bytes_function *bytes;
    head_store_function *store;
    head_read_function *read; /* NULL: floats stand there as they are, and are
                                 read in place */
    enum panel_kind panel;          /* what panels of it have */
    head_turn_function *turn;       /* a query as its keys are turned; NULL:
                                       they are not */
    head_turn_function *turn_back;  /* a sum of values */
};

/* A row of the table in cache_forms.c. */
struct cache_form {
    const char *name;       /* "k4v3" */
    uint32_t number;        /* what a session's file says for it */
    struct head_form key;   /* of all layers */
    struct head_form value; /* of all but: */
    struct head_form edge;  /* values of the first two layers, the last two */
};

enum cache_form_layers { EDGE_LAYERS = 2 /* at each end */ };

/* Row `i` of the table; NULL past the last.  Row 0 is the one that nobody has
 * to ask for: floats. */
const struct cache_form *cache_form_row(size_t i);

/* The row of that name, large letters or small, or NULL. */
const struct cache_form *cache_form_named(const char *name);

/* The row of that number, or NULL. */
const struct cache_form *cache_form_numbered(uint32_t number);

/* How layer l of n_layers stores its values. */
const struct head_form *value_form(const struct cache_form *f, size_t l,
                                   size_t n_layers);

/* The ways to store a head, a file for each (form_*.c). */
head_bytes_function plain_bytes, int8_bytes, codebook_bytes;
head_store_function store_float, store_half, store_int8, store_codebook;
head_read_function read_half, read_int8, read_codebook;
head_turn_function turn_codebook, turn_codebook_back;

#endif
