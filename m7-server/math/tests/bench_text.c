/* Prints hashes of all bits that a model makes of a text of 200 tokens, so
 * that machines can be compared: `make arm` does.
 *
 *     build/plain/bench_text [MODEL [FORM [THREADS]]]
 *
 * The kernels are those that RUNG_CPU names, FORM is how the cache stores
 * ("f32"), and the model begins with some tokens and writes the others itself,
 * each time the likeliest.  Then it reads all of them again, in chunks. */
#include "forward.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum text_sizes {
    TOKENS = 200,
    GIVEN = 20, /* of them */
    CHUNK = 48  /* as they are read again */
};

struct text {
    struct model model;
    struct threads *threads;
    struct state state;
    struct cache cache;
    int ids[TOKENS];
};

/* Fowler, Noll and Vo's, over the bits of numbers x (n,); the first is made
 * from 0. */
static uint64_t hash_floats(uint64_t hash, const float *x, size_t n)
{
    hash = hash ? hash : 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

static int likeliest(const float *logits, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        best = logits[i] > logits[best] ? i : best;
    return (int)best;
}

/* The logits behind the last token that was read. */
static const float *last_logits(struct text *t)
{
    return forward_logits(&t->model, &t->state, t->state.rows - 1, NULL);
}

/* Fill up the ids, and print what all logits were made of. */
static void write_text(struct text *t)
{
    size_t vocab = t->model.config.vocab_size;
    uint64_t hash = 0;
    prefill(&t->model, &t->state, &t->cache, t->ids, GIVEN, NULL);
    for (size_t i = GIVEN; i < TOKENS; i++) {
        const float *logits = last_logits(t);
        hash = hash_floats(hash, logits, vocab);
        t->ids[i] = likeliest(logits, vocab);
        decode(&t->model, &t->state, &t->cache, t->ids[i], NULL);
    }
    hash = hash_floats(hash, last_logits(t), vocab);
    printf("%d logits behind tokens %016llx\n", TOKENS - GIVEN + 1,
           (unsigned long long)hash);
}

/* A hash of what the last norm makes of each token. */
static void add_norms(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    uint64_t *hash = context;
    (void)layer;
    if (strcmp(name, "norm") == 0)
        *hash = hash_floats(*hash, data, shape.rows * shape.cols);
}

/* Read them again, in chunks, and print what the last norm made of each. */
static void read_text(struct text *t)
{
    uint64_t norms = 0;
    struct observer o = {add_norms, &norms};
    cache_truncate(&t->cache, 0);
    prefill(&t->model, &t->state, &t->cache, t->ids, TOKENS, &o);
    printf("%d tokens read in chunks %016llx\n", TOKENS,
           (unsigned long long)norms);
    printf("the last logits           %016llx\n",
           (unsigned long long)hash_floats(0, last_logits(t),
                                           t->model.config.vocab_size));
}

/* Numbers that follow from their places. */
static void begin_text(struct text *t)
{
    for (size_t i = 0; i < GIVEN; i++)
        t->ids[i] = (int)((i * 37 + 11) % t->model.config.vocab_size);
}

static int open_text(struct text *t, const char *model, const char *form,
                     size_t threads, struct error *e)
{
    *t = (struct text){.threads = NULL};
    if (model_open(&t->model, model, e) ||
        threads_open(&t->threads, threads, e) ||
        model_pack(&t->model, t->threads, e) ||
        state_init_chunked(&t->state, &t->model, TOKENS, CHUNK, e))
        return -1;
    if (!cache_form_named(form))
        return fail(e, ERROR_USAGE, "no form of a cache is named %s", form);
    return cache_init_form(&t->cache, &t->model, cache_form_named(form),
                           TOKENS, CHUNK, e);
}

static void close_text(struct text *t)
{
    cache_free(&t->cache);
    state_free(&t->state);
    model_close(&t->model);
    threads_close(t->threads);
}

int main(int argc, char **argv)
{
    static struct text t;
    struct error e;
    const char *model = argc > 1 ? argv[1] : "../tests/models/tiny-chat";
    const char *form = argc > 2 ? argv[2] : "f32";
    size_t threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 2;
    int failed = open_text(&t, model, form, threads, &e);
    if (failed) {
        fprintf(stderr, "%s\n", e.message);
    } else {
        begin_text(&t);
        write_text(&t);
        read_text(&t);
    }
    close_text(&t);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
