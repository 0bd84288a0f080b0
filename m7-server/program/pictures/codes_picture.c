/* The picture of codes: see codes_picture.h. */
#include "codes_picture.h"

#include "formats.h"
#include "histogram.h"
#include "sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum codes_sizes {
    FEW_CODES = 6,   /* bits: so many codes that each can have a wide bar */
    SHARE_GROUP = 32 /* values: neighbours, where no group is known */
};

/* --- the measure -------------------------------------------------------- */

/* Of a group: measure = (value - offset) / scale. */
struct group_measure {
    double scale, offset;
};

static bool is_rounded(const struct quantized *q)
{
    return q->format->unpack == unpack_int8 ||
           q->format->unpack == unpack_int4;
}

static bool has_codes(const struct quantized *q)
{
    return is_rounded(q) || q->format->unpack == unpack_affine;
}

/* How many values of a row are measured alike. */
static size_t measure_group(const struct quantized *q)
{
    if (q->group == 0 || q->group_index)
        return smaller_size(SHARE_GROUP, q->cols);
    return q->group;
}

/* Of group g, whose values are b (n,): of row `row`. */
static struct group_measure measure_of(const struct quantized *q, size_t row,
                                       size_t g, const float *b, size_t n)
{
    double most = 0;
    if (has_codes(q))
        return (struct group_measure){
            (double)group_value(q, q->scales, row, g),
            q->offsets ? (double)group_value(q, q->offsets, row, g) : 0};
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)b[i]));
    return (struct group_measure){most, 0};
}

/* A group whose scale is 0 holds nothing but its offset: code 0. */
static double measure_value(const struct group_measure *m, float value)
{
    return m->scale != 0 ? ((double)value - m->offset) / m->scale : 0;
}

/* --- counting ----------------------------------------------------------- */

/* Which bars there are: one for each code; or some more than the codes could
 * fill, from -1 to 1. */
static void choose_bars(struct code_counts *c, const struct quantized *q)
{
    size_t bits = q->format->bits, n = (size_t)1 << bits;
    c->codes = has_codes(q);
    c->finer = bits <= FEW_CODES ? 8 : 1;
    c->step = 1;
    c->n = n;
    if (is_rounded(q)) {
        c->n = n - 1;
        c->least = -(double)(n / 2 - 1);
    } else if (!c->codes) {
        c->n = bits <= 4 ? 4 * n + 1 : 257;
        c->finer = 1;
        c->least = -1;
        c->step = 2 / (double)(c->n - 1);
    }
}

/* Add one to the bin of x, of bins (n,), `finer` to a step. */
static bool count_in(const struct code_counts *c, double *bins, size_t finer,
                     double x)
{
    double at = floor(((x - c->least) / c->step + 0.5) * (double)finer);
    bool within = at >= 0 && at < (double)(c->n * finer);
    if (within)
        bins[(size_t)at]++;
    return within;
}

static void count_group(struct code_counts *c, const struct group_measure *m,
                        const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        count_in(c, c->bars, 1, measure_value(m, b[i]));
        c->n_beyond +=
            !count_in(c, c->original, c->finer, measure_value(m, a[i]));
    }
    c->n_all += n;
}

static void count_row(struct code_counts *c, struct matrix_pair *p,
                      const struct quantized *q, size_t row)
{
    size_t group = measure_group(q);
    matrix_pair_read(p, row);
    for (size_t i = 0; i < q->cols; i += group) {
        size_t n = smaller_size(group, q->cols - i);
        struct group_measure m =
            measure_of(q, row, i / group, p->row_b + i, n);
        count_group(c, &m, p->row_a + i, p->row_b + i, n);
    }
}

int code_counts_init(struct code_counts *c, struct matrix_pair *p,
                     struct error *e)
{
    const struct quantized *q = p->b.quantized;
    *c = (struct code_counts){.n_all = 0};
    if (!q)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s is not quantized: it has no codes",
                    p->b.tensor->file->path, p->b.tensor->name);
    choose_bars(c, q);
    c->bars = calloc(c->n, sizeof *c->bars);
    c->original = calloc(c->n * c->finer, sizeof *c->original);
    if (!c->bars || !c->original) {
        code_counts_free(c);
        return fail_memory(e, "the bars of a picture");
    }
    for (size_t r = 0; r < q->rows; r++)
        count_row(c, p, q, r);
    return 0;
}

void code_counts_free(struct code_counts *c)
{
    free(c->bars);
    free(c->original);
    *c = (struct code_counts){.n_all = 0};
}

/* --- drawing ------------------------------------------------------------ */

/* Numbers of values become percentages for a step. */
static void scale_to_shares(struct code_counts *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->bars[i] *= 100 / (double)c->n_all;
    for (size_t i = 0; i < c->n * c->finer; i++)
        c->original[i] *= 100 * (double)c->finer / (double)c->n_all;
}

static int draw_counts(struct code_counts *c, const struct matrix_pair *p,
                       const char *path, struct error *e)
{
    char title[400], note[120] = "";
    snprintf(title, sizeof title, "%s: %s", p->a.tensor->name,
             p->b.quantized->format->name);
    if (c->n_beyond > 0)
        snprintf(note, sizeof note, "%zu of %zu weights lie beyond the ends",
                 c->n_beyond, c->n_all);
    scale_to_shares(c);
    struct histogram h = {
        .title = title,
        .note = note,
        .x_axis = c->codes ? "code: where a weight stands by its group's scale"
                           : "value / largest of its group",
        .bars_name = "% of the values, by bar",
        .behind_name = "% of the original weights, to the width of a bar",
        .least = c->least - c->step / 2,
        .most = c->least + c->step * ((double)c->n - 0.5),
        .bars = c->bars,
        .n_bars = c->n,
        .behind = c->original,
        .n_behind = c->n * c->finer,
    };
    return picture_histogram(&h, path, e);
}

int draw_codes(const struct settings *s, char **arguments, struct error *e)
{
    struct matrix_pair p;
    struct code_counts c;
    if (matrix_pair_open(&p, arguments[0], arguments[1], arguments[2], e))
        return -1;
    int result = code_counts_init(&c, &p, e);
    if (result == 0) {
        result = draw_counts(&c, &p, s->output, e);
        code_counts_free(&c);
    }
    matrix_pair_close(&p);
    return result;
}
