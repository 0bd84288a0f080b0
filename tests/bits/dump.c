/* Writes to standard output the logits (n, vocab_size) of all tokens of a
 * text, as they stand in memory.
 *
 *     dump MODEL GOLDENS NAME CHUNK
 *
 * The text is the tensor NAME of the file GOLDENS; it is read in chunks of at
 * most CHUNK tokens, where the rung can do that. */
#include "checkpoint.h"
#include "forward.h"

#include "dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump {
    struct model model;
    struct checkpoint goldens;
    struct state state;
    int *ids; /* (n,) */
    size_t n;
};

static int read_text(struct dump *d, const char *name, struct error *e)
{
    const struct tensor *t = checkpoint_find(&d->goldens, name);
    if (!t)
        return fail(e, ERROR_INPUT, "there is no tensor %s", name);
    d->ids = calloc(t->count, sizeof *d->ids);
    float *values = calloc(t->count, sizeof *values);
    if (!d->ids || !values)
        return fail_memory(e, name);
    tensor_read(t, 0, t->count, values);
    for (size_t i = 0; i < t->count; i++)
        d->ids[i] = (int)values[i];
    d->n = t->count;
    free(values);
    return 0;
}

/* The logits of each token of a chunk, once the last norm is there. */
static void write_logits(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    struct dump *d = context;
    (void)layer;
    (void)data;
    if (strcmp(name, "norm") != 0)
        return;
    for (size_t t = 0; t < shape.rows; t++)
        fwrite(forward_logits(&d->model, &d->state, t, NULL), sizeof(float),
               d->model.config.vocab_size, stdout);
}

static int dump(struct dump *d, char **words, struct error *e)
{
    struct observer o = {write_logits, d};
    if (model_open(&d->model, words[1], e) ||
        checkpoint_open(&d->goldens, words[2], e) ||
        read_text(d, words[3], e) ||
        make_room(&d->state, &d->model, d->n, strtoul(words[4], NULL, 10), e))
        return -1;
    return forward(&d->model, &d->state, d->ids, d->n, &o, e);
}

int main(int argc, char **argv)
{
    struct dump d = {.n = 0};
    struct error e = {ERROR_USAGE, "dump MODEL GOLDENS NAME CHUNK"};
    int failed = argc == 5 ? dump(&d, argv, &e) : -1;
    if (failed)
        fprintf(stderr, "%s\n", e.message);
    free(d.ids);
    state_free(&d.state);
    checkpoint_close(&d.goldens);
    model_close(&d.model);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
