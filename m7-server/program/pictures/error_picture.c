/* The picture of an error: see error_picture.h. */
#include "error_picture.h"

#include "grid.h"
#include "picture.h"

#include <math.h>
#include <stdio.h>

double relative_error(struct matrix_pair *p)
{
    double error = 0, all = 0;
    for (size_t r = 0; r < p->a.rows; r++) {
        matrix_pair_read(p, r);
        for (size_t i = 0; i < p->a.cols; i++) {
            double w = (double)p->row_a[i], off = w - (double)p->row_b[i];
            error += off * off;
            all += w * w;
        }
    }
    return error > 0 ? sqrt(error / all) : 0;
}

/* A row of the differences; the heat map drops their signs. */
static void read_difference(const void *source, size_t row, float *values)
{
    struct matrix_pair *const *pair = source;
    struct matrix_pair *p = *pair;
    matrix_pair_read(p, row);
    for (size_t i = 0; i < p->a.cols; i++)
        values[i] = p->row_a[i] - p->row_b[i];
}

static int draw_difference(struct matrix_pair *p, const char *path,
                           struct error *e)
{
    char title[400];
    bool blocks = p->a.rows > GRID_MOST || p->a.cols > GRID_MOST;
    snprintf(title, sizeof title, "%s: error %.3g%% of the weights",
             p->a.tensor->name, 100 * relative_error(p));
    struct heatmap map = {
        .title = title,
        .row_axis = "row",
        .column_axis = "column",
        .legend = blocks ? "mean |error|" : "|error|",
        .rows = p->a.rows,
        .columns = p->a.cols,
        .row = read_difference,
        .source = &p,
        .magnitude = true,
    };
    return picture_heatmap(&map, path, e);
}

int draw_error(const struct settings *s, char **arguments, struct error *e)
{
    struct matrix_pair p;
    if (matrix_pair_open(&p, arguments[0], arguments[1], arguments[2], e))
        return -1;
    int result = draw_difference(&p, s->output, e);
    matrix_pair_close(&p);
    return result;
}
