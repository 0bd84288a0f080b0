/* For the tests of GGUF models: the logits of one, and of a folder that should
 * have the same, in every bit. */
#ifndef TEST_GGUF_MODEL_H
#define TEST_GGUF_MODEL_H

#include "forward.h"

#include "test_links.h"
#include "test_numbers.h"

enum gguf_text {
    GGUF_TEXT = 150,
    GGUF_STEP = 6
};

/* The logits of every 6th token of a text into *out, which
 * the caller frees; *n numbers. */
static inline void all_logits(const char *path, float **out, size_t *n)
{
    struct model m;
    struct state s;
    struct error e = {ERROR_NONE, ""};
    int ids[GGUF_TEXT];
    assert_ok(model_open(&m, path, &e), &e);
    size_t vocab = m.config.vocab_size;
    for (size_t i = 0; i < GGUF_TEXT; i++)
        ids[i] = (int)((i * i * 31 + i * 7 + 3) % vocab);
    assert_ok(state_init(&s, &m, GGUF_TEXT, &e), &e);
    assert_ok(forward(&m, &s, ids, GGUF_TEXT, NULL, &e), &e);
    *out = calloc(GGUF_TEXT / GGUF_STEP, vocab * sizeof **out);
    *n = 0;
    for (size_t t = GGUF_STEP - 1; t < GGUF_TEXT; t += GGUF_STEP) {
        memcpy(*out + *n, forward_logits(&m, &s, t, NULL),
               vocab * sizeof **out);
        *n += vocab;
    }
    state_free(&s);
    model_close(&m);
}

static inline void assert_same_logits(const char *a, const char *b)
{
    float *x, *y;
    size_t n, n_y;
    all_logits(a, &x, &n);
    all_logits(b, &y, &n_y);
    assert_int_equal(n, n_y);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&x[i], &y[i], sizeof *x) != 0) {
            print_error("%s: logit %zu is %.9g, but %.9g in %s\n", a, i,
                        (double)x[i], (double)y[i], b);
            assert_true(false);
        }
    free(x);
    free(y);
}

#endif
