/* For the tests of quantized models: what one makes of a text. */
#ifndef TEST_QUANTIZED_LOGITS_H
#define TEST_QUANTIZED_LOGITS_H

#include "forward.h"
#include "test_numbers.h"

enum quantized_logits_sizes {
    VOCABULARY = 64, /* of it */
    LENGTH = 40
};

/* The logits (LENGTH, VOCABULARY) of a text, to be freed. */
static inline float *logits_by(const struct model *m)
{
    struct state s;
    struct error e;
    int ids[LENGTH];
    float *logits = malloc(LENGTH * VOCABULARY * sizeof *logits);
    assert_true(m->config.vocab_size >= VOCABULARY);
    assert_ok(state_init(&s, m, LENGTH, &e), &e);
    for (int t = 0; t < LENGTH; t++)
        ids[t] = t * 37 % VOCABULARY;
    assert_ok(forward(m, &s, ids, LENGTH, NULL, &e), &e);
    for (size_t t = 0; t < LENGTH; t++)
        memcpy(logits + t * VOCABULARY, forward_logits(m, &s, t, NULL),
               VOCABULARY * sizeof *logits);
    state_free(&s);
    return logits;
}

/* Those of the model at `path`. */
static inline float *logits_of(const char *path)
{
    struct model m;
    struct error e;
    assert_ok(model_open(&m, path, &e), &e);
    float *logits = logits_by(&m);
    model_close(&m);
    return logits;
}

#endif
