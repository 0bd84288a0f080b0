/* The picture of two models: see compare_picture.h. */
#include "compare_picture.h"

#include "compare_run.h"
#include "curves.h"
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>

enum compare_picture_sizes {
    MOST_POINTS = 320 /* half as many as the curves are pixels wide */
};

/* The means of the tokens first .. end - 1, as point i. */
static void average(struct compare_points *p, size_t i,
                    const struct comparison *c, size_t first, size_t end)
{
    double n = (double)(end - first);
    for (size_t t = first; t < end; t++) {
        p->kl[i] += c->tokens[t].kl / n;
        p->a_nats[i] += c->tokens[t].a_nats / n;
        p->b_nats[i] += c->tokens[t].b_nats / n;
    }
}

int compare_points_init(struct compare_points *p, const struct comparison *c,
                        size_t most, struct error *e)
{
    *p = (struct compare_points){.block = (c->n + most - 1) / most};
    p->n = (c->n + p->block - 1) / p->block;
    p->kl = calloc(p->n, sizeof *p->kl);
    p->a_nats = calloc(p->n, sizeof *p->a_nats);
    p->b_nats = calloc(p->n, sizeof *p->b_nats);
    if (!p->kl || !p->a_nats || !p->b_nats) {
        compare_points_free(p);
        return fail_memory(e, "the points of a picture");
    }
    for (size_t i = 0; i < p->n; i++)
        average(p, i, c, i * p->block, smaller_size((i + 1) * p->block, c->n));
    return 0;
}

void compare_points_free(struct compare_points *p)
{
    free(p->kl);
    free(p->a_nats);
    free(p->b_nats);
    *p = (struct compare_points){0};
}

static int draw_points(const struct compare_points *p,
                       const struct comparison_summary *s, const char *path,
                       struct error *e)
{
    char title[120], places[80] = "scored tokens of the text";
    struct colour blue = colour_signed(-0.8f), orange = colour_signed(0.8f);
    snprintf(title, sizeof title,
             "b beside a: KL %.4f nats, top-1 the same at %.1f%%", s->kl_mean,
             100 * s->agreement);
    if (p->block > 1)
        snprintf(places, sizeof places, "the text, %zu scored tokens a point",
                 p->block);
    struct curves curves = {
        .title = title,
        .x_axis = places,
        .panels = {{"nats lost by taking b for a",
                    {{"KL divergence of b from a", p->kl, orange}},
                    1},
                   {"nats of surprise at the token that came",
                    {{"a", p->a_nats, blue}, {"b", p->b_nats, orange}},
                    2}},
        .n_panels = 2,
        .n = p->n};
    return picture_curves(&curves, path, e);
}

int draw_compare(const struct settings *s, char **arguments, struct error *e)
{
    struct compare_run r;
    struct compare_points p;
    if (compare_run_init(&r, s, arguments, e))
        return -1;
    int result = compare_points_init(&p, &r.comparison, MOST_POINTS, e);
    if (result == 0) {
        result = draw_points(&p, &r.summary, s->output, e);
        compare_points_free(&p);
    }
    compare_run_free(&r);
    return result;
}
