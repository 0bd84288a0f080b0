/* For the tests of spans: a few random texts over one model, and the logits
 * that each has when it is read alone. */
#ifndef TEST_CROWD_H
#define TEST_CROWD_H

#include "random.h"
#include "sizes.h"
#include "spans.h"

#include "test_numbers.h"
#include "test_reader.h"

enum crowd_sizes {
    TEXTS = 5,
    LONGEST = 68,  /* tokens of a text */
    CAPACITY = 16, /* of a pass */
    CHUNK = 12     /* of a text in it */
};

struct text {
    int ids[LONGEST];
    size_t prompt, n; /* tokens: of its prompt, and of all */
    float *logits;    /* (n, vocab): of each, as prefill reads the prompt, and
                         decode what is behind it; owned */
    struct cache cache; /* in the crowd; no layers: it is not there */
    bool ended;         /* it has been read to its end */
};

struct crowd {
    struct model m;
    const struct cache_form *form;
    struct text texts[TEXTS];
    struct random random;
};

/* A number below n, n > 0. */
static inline size_t below(struct crowd *c, size_t n)
{
    return (size_t)(random_bits(&c->random) % n);
}

/* The logits of the last n rows of the last pass are those of the tokens up
 * to end - 1. */
static inline void keep_logits(struct crowd *c, struct state *s,
                               struct text *t, size_t end, size_t n)
{
    size_t vocab = c->m.config.vocab_size;
    for (size_t i = 1; i <= n; i++)
        memcpy(t->logits + (end - i) * vocab,
               forward_logits(&c->m, s, s->rows - i, NULL),
               vocab * sizeof *t->logits);
}

static inline void read_alone(struct crowd *c, struct text *t)
{
    struct reader r;
    t->logits = calloc(t->n, c->m.config.vocab_size * sizeof *t->logits);
    assert_non_null(t->logits);
    reader_open_form(&r, &c->m, c->form, t->n, t->n);
    prefill(&c->m, &r.state, &r.cache, t->ids, t->prompt, NULL);
    keep_logits(c, &r.state, t, t->prompt, t->prompt);
    for (size_t at = t->prompt; at < t->n; at++) {
        decode(&c->m, &r.state, &r.cache, t->ids[at], NULL);
        keep_logits(c, &r.state, t, at + 1, 1);
    }
    reader_close(&r);
}

/* Texts of any length; the first two grow past, and begin past, 64 tokens,
 * where some of the models change their angles. */
static inline void crowd_open(struct crowd *c, const struct cache_form *form,
                              uint64_t seed)
{
    random_init(&c->random, seed, 0);
    c->form = form;
    for (size_t i = 0; i < TEXTS; i++) {
        struct text *t = &c->texts[i];
        *t = (struct text){.prompt = 1 + below(c, 40)};
        t->prompt = i == 0 ? 62 : i == 1 ? 66 : t->prompt;
        t->n = i < 2 ? LONGEST - i : t->prompt + 1 + below(c, 10);
        for (size_t at = 0; at < t->n; at++)
            t->ids[at] = (int)below(c, c->m.config.vocab_size);
        read_alone(c, t);
    }
}

static inline void crowd_close(struct crowd *c)
{
    for (size_t i = 0; i < TEXTS; i++) {
        cache_free(&c->texts[i].cache);
        free(c->texts[i].logits);
    }
}

/* The logits of row `row` of the last pass are those of token `at`. */
static inline void assert_alone(struct crowd *c, struct state *s, size_t row,
                                const struct text *t, size_t at)
{
    size_t vocab = c->m.config.vocab_size;
    assert_same("logits", forward_logits(&c->m, s, row, NULL),
                t->logits + at * vocab, vocab);
}

#endif
