/* The error of one quantized matrix, followed from its codes to the logits;
 * then that of each layer alone, of embedding and head, alone and together,
 * and of all.  Prints JSON, for the book.
 *
 *     build/plain/bench_error                       nothing
 *     build/plain/bench_error MODEL QUANTIZED TEXT
 *
 * The matrix is `down` of layer 3, its input that of the text's last token.
 * How far two rows of logits are apart: the root of the mean square of their
 * differences, and the Kullback-Leibler divergence, a mean over the text. */
#include "forward.h"
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum error_sizes {
    LAYER = 3
};

struct bench {
    struct input plain, coded;
    struct state s;
    size_t n, width, inner, words;
    float *in, *out;       /* (inner,), (width,): of the matrix */
    float *stream;         /* (width,): the residual stream behind it */
    float *exact, *logits; /* (n, words) */
};

static void show(const char *name, const float *v, size_t n)
{
    printf("\"%s\": [%.9g", name, (double)v[0]);
    for (size_t i = 1; i < n; i++)
        printf(", %.9g", (double)v[i]);
    printf("],\n");
}

/* What goes into the matrix for the last token, what comes out, and the
 * residual stream behind it. */
static void look(void *context, const char *name, int layer, const float *v,
                 struct shape shape)
{
    struct bench *b = context;
    size_t last = shape.rows - 1;
    if (strcmp(name, "layer") != 0 || layer != LAYER)
        return;
    memcpy(b->in, b->s.gate + last * b->inner, b->inner * sizeof *b->in);
    memcpy(b->out, b->s.out + last * b->width, b->width * sizeof *b->out);
    memcpy(b->stream, v + last * b->width, b->width * sizeof *b->stream);
}

static void run(struct bench *b, const struct model *m, float *to)
{
    struct error e;
    struct observer o = {look, b};
    if (forward(m, &b->s, b->plain.ids.data, b->n, &o, &e))
        exit(1);
    for (size_t t = 0; t < b->n; t++)
        memcpy(to + t * b->words, forward_logits(m, &b->s, t, NULL),
               b->words * sizeof *to);
}

/* The logarithm of the sum of e to each logit of a row. */
static double log_sum(const float *row, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)row[i]);
    return log(sum);
}

/* The mean over the text of the sum of p ln(p / q). */
static double divergence(const struct bench *b)
{
    double sum = 0;
    for (size_t t = 0; t < b->n; t++) {
        const float *x = b->exact + t * b->words;
        const float *y = b->logits + t * b->words;
        double a = log_sum(x, b->words), c = log_sum(y, b->words);
        for (size_t i = 0; i < b->words; i++)
            sum += exp((double)x[i] - a) *
                   ((double)x[i] - a - (double)y[i] + c);
    }
    return sum / (double)b->n;
}

/* Of the last row: how far it is from the exact one, in the mean and at most,
 * and both rows' likeliest two logits. */
static void show_logits(const struct bench *b, const char *name)
{
    const float *x = b->exact + (b->n - 1) * b->words;
    const float *y = b->logits + (b->n - 1) * b->words;
    double sum = 0, most = 0;
    size_t first = 0, second = 1;
    for (size_t i = 0; i < b->words; i++) {
        double apart = (double)y[i] - (double)x[i];
        sum += apart * apart;
        most = fmax(most, fabs(apart));
        if (x[i] > x[first])
            first = i;
    }
    second = first == 0;
    for (size_t i = 0; i < b->words; i++)
        if (i != first && x[i] > x[second])
            second = i;
    printf("\"%s\": {\"rms\": %.9g, \"most\": %.9g, \"kl\": %.9g, \"logits\": "
           "[%.9g, %.9g], \"ids\": [%zu, %zu]},\n",
           name, sqrt(sum / (double)b->words), most, divergence(b),
           (double)y[first], (double)y[second], first, second);
}

static void show_matrix(struct bench *b)
{
    const struct linear *p = &b->plain.model.layers[LAYER].mlp.down;
    const struct linear *q = &b->coded.model.layers[LAYER].mlp.down;
    float *row = b->logits; /* free room */
    weight_row(&b->s.compute, &p->weight, 0, row);
    show("row", row, b->inner);
    weight_row(&b->s.compute, &q->weight, 0, row);
    show("coded_row", row, b->inner);
    show("in", b->in, b->inner);
    show("engine", b->out, b->width);
    show("stream", b->stream, b->width);
    linear(&b->s.compute, p, b->in, 1, row);
    show("out", row, b->width);
    linear(&b->s.compute, q, b->in, 1, row);
    show("coded_out", row, b->width);
}

/* With nothing quantized but the embedding, the head, or both. */
static void show_end(struct bench *b, const char *name, bool embedding,
                     bool head)
{
    struct model *m = &b->plain.model;
    const struct weight kept[] = {m->embedding, m->head};
    if (embedding)
        m->embedding = b->coded.model.embedding;
    if (head)
        m->head = b->coded.model.head;
    run(b, m, b->logits);
    printf("\"%s\": %.9g,\n", name, divergence(b));
    m->embedding = kept[0];
    m->head = kept[1];
}

static void compare(struct bench *b)
{
    struct layer *layers = b->plain.model.layers, kept = layers[LAYER];
    run(b, &b->plain.model, b->exact);
    show_matrix(b);
    run(b, &b->plain.model, b->logits);
    show_logits(b, "exact");
    layers[LAYER].mlp.down = b->coded.model.layers[LAYER].mlp.down;
    run(b, &b->plain.model, b->logits);
    show_logits(b, "one");
    layers[LAYER] = kept;
    printf("\"layers\": [");
    for (size_t l = 0; l < b->plain.model.config.n_layers; l++) {
        kept = layers[l];
        layers[l] = b->coded.model.layers[l];
        run(b, &b->plain.model, b->logits);
        printf("%s%.9g", l ? ", " : "", divergence(b));
        layers[l] = kept;
    }
    printf("],\n");
    show_end(b, "embedding", true, false);
    show_end(b, "head", false, true);
    show_end(b, "ends", true, true);
    run(b, &b->coded.model, b->logits);
    show_logits(b, "all");
}

int main(int argc, char **argv)
{
    struct error e;
    static struct bench b;
    if (argc < 4)
        return 0;
    if (input_open(&b.plain, argv[1], argv[3], 0, &e) ||
        input_open(&b.coded, argv[2], argv[3], 0, &e) ||
        state_init(&b.s, &b.coded.model, b.plain.ids.size, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    b.n = b.plain.ids.size;
    b.width = b.plain.model.config.hidden_size;
    b.inner = b.plain.model.config.intermediate_size;
    b.words = b.plain.model.config.vocab_size;
    b.in = calloc(b.inner, sizeof *b.in);
    b.out = calloc(b.width, sizeof *b.out);
    b.stream = calloc(b.width, sizeof *b.stream);
    b.exact = calloc(b.n * b.words, sizeof *b.exact);
    b.logits = calloc(b.n * b.words, sizeof *b.logits);
    printf("{");
    compare(&b);
    printf("\"tokens\": %zu}\n", b.n);
    return 0;
}
