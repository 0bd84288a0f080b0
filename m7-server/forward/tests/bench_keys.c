/* What rounding does to keys, and what to values: how far a head's result is
 * from the exact one, over all layers and heads and all tokens that see 16
 * positions or more, when only keys or only values are rounded to so many
 * bits, each head's row with a scale of its own; and by how much the rounded
 * keys move a score, the exponent, in the root of the mean square.
 *
 *     build/plain/bench_keys                  the reading model, a story
 *     build/plain/bench_keys MODEL TEXT       */
#include "forward.h"
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum keys_sizes {
    LEAST_SEEN = 16,
    FEWEST_BITS = 2,
    MOST_BITS = 8,
    KINDS = 2 /* keys, values */
};

struct bench {
    const struct model *model;
    struct state s;
    float *rows[KINDS], *rounded[KINDS]; /* (n, head_dim), of one head */
    double *exact, *found;               /* (head_dim,) */
    double *weights;                     /* (n,) */

    double lost[KINDS][MOST_BITS + 1], whole; /* squares, summed up */
    double moved[MOST_BITS + 1];              /* the same, of scores */
    size_t n_scores;
    double largest[KINDS];                    /* of a row, by its mean size */
    size_t n_rows;
};

/* As codes of so many bits and a scale have it. */
static void round_row(const float *row, size_t n, int bits, float *out)
{
    float most = 0, steps = (float)((1 << (bits - 1)) - 1);
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(row[i]));
    for (size_t i = 0; i < n; i++)
        out[i] = most > 0 ? rintf(row[i] / most * steps) * most / steps : 0;
}

static double score_of(const float *q, const float *key, size_t d)
{
    double score = 0;
    for (size_t i = 0; i < d; i++)
        score += (double)q[i] * (double)key[i];
    return score / sqrt((double)d);
}

/* The weights of n positions for the query q. */
static void weigh(struct bench *b, const float *q, const float *keys, size_t n,
                  size_t d)
{
    double most = -1e30, sum = 0;
    for (size_t p = 0; p < n; p++) {
        b->weights[p] = score_of(q, keys + p * d, d);
        most = fmax(most, b->weights[p]);
    }
    for (size_t p = 0; p < n; p++)
        sum += b->weights[p] = exp(b->weights[p] - most);
    for (size_t p = 0; p < n; p++)
        b->weights[p] /= sum;
}

static void attend_to(struct bench *b, const float *q, const float *keys,
                      const float *values, size_t n, size_t d, double *out)
{
    weigh(b, q, keys, n, d);
    memset(out, 0, d * sizeof *out);
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d; i++)
            out[i] += b->weights[p] * (double)values[p * d + i];
}

static double square(double x)
{
    return x * x;
}

/* Only keys are rounded, or only values. */
static void try_bits(struct bench *b, const float *q, size_t n, size_t d,
                     int bits)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t p = 0; p < n; p++)
            round_row(b->rows[kind] + p * d, d, bits,
                      b->rounded[kind] + p * d);
        attend_to(b, q, kind == 0 ? b->rounded[0] : b->rows[0],
                  kind == 1 ? b->rounded[1] : b->rows[1], n, d, b->found);
        for (size_t i = 0; i < d; i++)
            b->lost[kind][bits] += square(b->found[i] - b->exact[i]);
    }
    for (size_t p = 0; p < n; p++)
        b->moved[bits] += square(score_of(q, b->rounded[0] + p * d, d) -
                                 score_of(q, b->rows[0] + p * d, d));
}

/* A row's largest number, divided by the root of its mean square. */
static double largest_of(const float *row, size_t d)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < d; i++) {
        most = fmax(most, fabs((double)row[i]));
        sum += square((double)row[i]);
    }
    return most / sqrt(sum / (double)d);
}

static void take_rows(struct bench *b, const struct attention *a, size_t h,
                      size_t n)
{
    size_t d = a->head_dim, head = h / (a->n_heads / a->n_kv_heads);
    const float *all[KINDS] = {b->s.k, b->s.v};
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t p = 0; p < n; p++)
            memcpy(b->rows[kind] + p * d,
                   all[kind] + (p * a->n_kv_heads + head) * d,
                   d * sizeof **b->rows);
    for (size_t kind = 0; kind < KINDS; kind++)
        b->largest[kind] += largest_of(b->rows[kind] + (n - 1) * d, d);
    b->n_rows++;
}

static void look(void *context, const char *name, int layer,
                 const float *weights, struct shape shape)
{
    struct bench *b = context;
    size_t n = shape.cols;
    (void)weights;
    if (strcmp(name, "attention") != 0 || n < LEAST_SEEN)
        return;
    const struct attention *a = &b->model->layers[layer].attention;
    for (size_t h = 0; h < a->n_heads; h++) {
        const float *q = b->s.q + ((n - 1) * a->n_heads + h) * a->head_dim;
        take_rows(b, a, h, n);
        attend_to(b, q, b->rows[0], b->rows[1], n, a->head_dim, b->exact);
        for (size_t i = 0; i < a->head_dim; i++)
            b->whole += square(b->exact[i]);
        b->n_scores += n;
        for (int bits = FEWEST_BITS; bits <= MOST_BITS; bits++)
            try_bits(b, q, n, a->head_dim, bits);
    }
}

static void print(const struct bench *b)
{
    printf("bits      keys    values    score\n");
    for (int bits = FEWEST_BITS; bits <= MOST_BITS; bits++)
        printf("%4d %8.2f%% %8.2f%% %8.4f\n", bits,
               100 * sqrt(b->lost[0][bits] / b->whole),
               100 * sqrt(b->lost[1][bits] / b->whole),
               sqrt(b->moved[bits] / (double)b->n_scores));
    printf("peak %9.2f %9.2f\n", b->largest[0] / (double)b->n_rows,
           b->largest[1] / (double)b->n_rows);
}

static void reserve_rows(struct bench *b, size_t n, size_t d)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        b->rows[kind] = calloc(n * d, sizeof **b->rows);
        b->rounded[kind] = calloc(n * d, sizeof **b->rounded);
    }
    b->exact = calloc(d, sizeof *b->exact);
    b->found = calloc(d, sizeof *b->found);
    b->weights = calloc(n, sizeof *b->weights);
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct input in;
    struct error e;
    struct observer o = {look, &b};
    const char *model = argc > 1 ? argv[1] : "../tests/models/tiny-chat";
    const char *text = argc > 2 ? argv[2]
                                : "Once upon a time, there was a little girl "
                                  "who lived in a house by the sea.";
    if (input_open(&in, model, text, 0, &e) ||
        state_init(&b.s, &in.model, in.ids.size, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    b.model = &in.model;
    reserve_rows(&b, in.ids.size, in.model.layers[0].attention.head_dim);
    if (forward(&in.model, &b.s, in.ids.data, in.ids.size, &o, &e))
        return 1;
    print(&b);
    return 0;
}
