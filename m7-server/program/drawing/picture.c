/* Pictures of numbers: see picture.h.  Lays out a heat map and draws it;
 * knows nothing of models. */
#include "picture.h"

#include "axis.h"
#include "grid.h"
#include "image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Distances in pixels. */
enum distances {
    PAD = 20,        /* around everything */
    GAP = 10,        /* between things that belong together */
    LINE = 26,       /* from one line of text to the next */
    TICK = 5,        /* the length of a tick */
    MOST_SIDE = 40,  /* of a cell */
    LEAST_SIDE = 96, /* of the whole heat map */
    BAR_LABEL = 36,  /* between the numbers of the legend, at least */
    BAR_WIDTH = 22,
    LEAST_BAR = 120, /* the height of the legend's bar */
    MOST_BAR = 420,
    MOST_NOTES = 4,
    MOST_TITLE = 80 /* characters */
};

static const struct colour ink = {26, 26, 26}, faint = {96, 96, 96},
                           line = {160, 160, 160};

struct layout {
    int width, height;           /* of the picture */
    int cell_width, cell_height; /* of a cell */
    struct rectangle plot, bar;
    double bar_least, bar_step; /* the legend's smallest value, and from one
                                   number to the next */
    int bar_labels;             /* the width of the widest of them */
    struct axis rows, columns;
    bool names_up; /* the columns' labels are written upwards */
    char title[4 * MOST_TITLE + 1];
    char notes[MOST_NOTES][AXIS_TEXT];
    int n_notes;
};

struct drawing {
    struct image image;
    const struct heatmap *map;
    struct grid grid;
    struct layout layout;
};

void picture_matrix_row(const void *source, size_t row, float *values)
{
    const struct picture_matrix *m = source;
    memcpy(values, m->values + row * m->columns, m->columns * sizeof *values);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The lines below the title: what the picture does not show by itself. */
static void write_notes(struct drawing *d)
{
    const struct heatmap *h = d->map;
    const struct grid *g = &d->grid;
    struct layout *l = &d->layout;
    snprintf(l->notes[l->n_notes++], AXIS_TEXT,
             "%zu \u00d7 %zu values from %.4g to %.4g", h->rows, h->columns,
             g->least, g->most);
    if (g->block_rows * g->block_columns > 1)
        snprintf(l->notes[l->n_notes++], AXIS_TEXT,
                 "a cell is the mean of %zu \u00d7 %zu%s", g->block_rows,
                 g->block_columns, h->magnitude ? ", signs dropped" : "");
    if (g->n_beyond > 0)
        snprintf(l->notes[l->n_notes++], AXIS_TEXT,
                 "%zu of %zu cells are beyond the last colour", g->n_beyond,
                 g->n_cells);
    if (g->n_not_finite > 0)
        snprintf(l->notes[l->n_notes++], AXIS_TEXT,
                 "%zu values are not finite: magenta", g->n_not_finite);
}

/* Square cells as large as fit, then wider or higher ones where the whole
 * would be too thin to see. */
static void choose_cells(struct layout *l, const struct grid *g)
{
    int rows = (int)g->rows, columns = (int)g->columns;
    int side = smaller(GRID_MOST / larger(rows, columns), MOST_SIDE);
    l->cell_width = larger(side, LEAST_SIDE / columns);
    l->cell_height = larger(side, LEAST_SIDE / rows);
    l->plot.width = columns * l->cell_width;
    l->plot.height = rows * l->cell_height;
}

static void choose_axes(struct drawing *d)
{
    const struct heatmap *h = d->map;
    struct layout *l = &d->layout;
    l->rows = (struct axis){h->row_names, h->rows,
                            (double)l->cell_height / d->grid.block_rows,
                            h->row_names ? LINE - 6 : 2 * LINE};
    l->columns =
        (struct axis){h->column_names, h->columns,
                      (double)l->cell_width / d->grid.block_columns, 3 * LINE};
    if (!h->column_names)
        return;
    l->columns.room = LINE - 6;
    l->names_up = axis_widest(&l->columns) + GAP >
                  axis_step(&l->columns) * l->columns.pixels;
}

/* A number of the legend, in text (AXIS_TEXT,); zero without a sign. */
static void write_number(char *text, double value)
{
    snprintf(text, AXIS_TEXT, "%.4g", value == 0 ? 0 : value);
}

/* The legend's bar and its numbers. */
static void choose_bar(struct layout *l, const struct grid *g)
{
    l->bar.x = l->plot.x + l->plot.width + 3 * GAP;
    l->bar.y = l->plot.y;
    l->bar.width = BAR_WIDTH;
    l->bar.height = smaller(larger(l->plot.height, LEAST_BAR), MOST_BAR);
    l->bar_least = g->negative ? -g->limit : 0;
    l->bar_step =
        axis_round_up((g->limit - l->bar_least) * BAR_LABEL / l->bar.height);
    double k = ceil(l->bar_least / l->bar_step);
    for (; k * l->bar_step <= g->limit; k++) {
        char text[AXIS_TEXT];
        write_number(text, k * l->bar_step);
        l->bar_labels = larger(l->bar_labels, image_text_width(text));
    }
}

/* The widest of the lines above the picture. */
static int heading_width(const struct drawing *d)
{
    int widest = image_text_width(d->layout.title);
    for (int i = 0; i < d->layout.n_notes; i++)
        widest = larger(widest, image_text_width(d->layout.notes[i]));
    return widest;
}

/* Place everything, from the upper left to the lower right. */
static void lay_out(struct drawing *d)
{
    struct layout *l = &d->layout;
    axis_shorten(d->map->title, MOST_TITLE, l->title);
    write_notes(d);
    choose_cells(l, &d->grid);
    choose_axes(d);

    l->plot.x = PAD + LINE + axis_widest(&l->rows) + TICK + GAP;
    l->plot.y = PAD + LINE * (1 + l->n_notes) + GAP;
    choose_bar(l, &d->grid);

    int labels = l->names_up ? axis_widest(&l->columns) : IMAGE_TEXT_HEIGHT;
    int below_plot = TICK + 4 + labels + GAP + IMAGE_TEXT_HEIGHT;
    int right_of_bar = TICK + GAP + l->bar_labels + GAP + IMAGE_TEXT_HEIGHT;
    l->width = PAD + larger(PAD + heading_width(d),
                            l->bar.x + BAR_WIDTH + right_of_bar);
    l->height = PAD + larger(l->plot.y + l->plot.height + below_plot,
                             l->bar.y + l->bar.height);
}

/* The colour of a value, by the picture's limit. */
static struct colour colour_of(const struct grid *g, float value)
{
    if (!isfinite(value))
        return colour_not_finite();
    float share = value / g->limit;
    return g->negative ? colour_signed(share) : colour_magnitude(share);
}

static void draw_cells(struct drawing *d)
{
    const struct grid *g = &d->grid;
    const struct layout *l = &d->layout;
    for (size_t r = 0; r < g->rows; r++)
        for (size_t c = 0; c < g->columns; c++) {
            struct rectangle cell = {l->plot.x + (int)c * l->cell_width,
                                     l->plot.y + (int)r * l->cell_height,
                                     l->cell_width, l->cell_height};
            bool absent = d->map->causal && c > r;
            image_fill(&d->image, cell,
                       absent ? colour_absent()
                              : colour_of(g, g->cells[r * g->columns + c]));
        }
    image_frame(&d->image, l->plot, line);
}

static void draw_row_labels(struct drawing *d)
{
    const struct layout *l = &d->layout;
    const struct axis *a = &l->rows;
    for (size_t i = 0; i < a->n; i += axis_step(a)) {
        char text[AXIS_TEXT];
        axis_text(a, i, text);
        int y = l->plot.y + (int)((i + 0.5) * a->pixels);
        int x = l->plot.x - 1 - TICK;
        image_fill(&d->image, (struct rectangle){x, y, TICK, 1}, line);
        image_text(&d->image, x - 4 - image_text_width(text),
                   y - IMAGE_TEXT_HEIGHT / 2 + 2, text, ink);
    }
    image_text_up(
        &d->image, PAD,
        l->plot.y + (l->plot.height + image_text_width(d->map->row_axis)) / 2,
        d->map->row_axis, faint);
}

static void draw_column_labels(struct drawing *d)
{
    const struct layout *l = &d->layout;
    const struct axis *a = &l->columns;
    int y = l->plot.y + l->plot.height + 1;
    for (size_t i = 0; i < a->n; i += axis_step(a)) {
        char text[AXIS_TEXT];
        axis_text(a, i, text);
        int x = l->plot.x + (int)((i + 0.5) * a->pixels);
        int width = image_text_width(text);
        image_fill(&d->image, (struct rectangle){x, y, 1, TICK}, line);
        if (l->names_up)
            image_text_up(&d->image, x - IMAGE_TEXT_HEIGHT / 2 + 2,
                          y + TICK + 4 + width, text, ink);
        else
            image_text(&d->image, x - width / 2, y + TICK + 4, text, ink);
    }
    const char *label = d->map->column_axis;
    int labels = l->names_up ? axis_widest(a) : IMAGE_TEXT_HEIGHT;
    image_text(&d->image,
               l->plot.x + (l->plot.width - image_text_width(label)) / 2,
               y + TICK + 4 + labels + GAP, label, faint);
}

/* How far below the top of the bar a value is: the limit is there. */
static int bar_depth(const struct drawing *d, double value)
{
    double limit = d->grid.limit, share;
    share = (limit - value) / (limit - d->layout.bar_least);
    return (int)lround((d->layout.bar.height - 1) * share);
}

static void draw_bar_labels(struct drawing *d)
{
    const struct layout *l = &d->layout;
    int x = l->bar.x + l->bar.width + 1;
    double k = ceil(l->bar_least / l->bar_step);
    for (; k * l->bar_step <= d->grid.limit; k++) {
        char text[AXIS_TEXT];
        write_number(text, k * l->bar_step);
        int y = l->bar.y + bar_depth(d, k * l->bar_step);
        image_fill(&d->image, (struct rectangle){x, y, TICK, 1}, line);
        image_text(&d->image, x + TICK + 4, y - IMAGE_TEXT_HEIGHT / 2 + 2,
                   text, ink);
    }
}

static void draw_legend(struct drawing *d)
{
    const struct layout *l = &d->layout;
    double range = d->grid.limit - l->bar_least;
    for (int y = 0; y < l->bar.height; y++) {
        double value = d->grid.limit - range * y / (l->bar.height - 1);
        image_fill(&d->image,
                   (struct rectangle){l->bar.x, l->bar.y + y, BAR_WIDTH, 1},
                   colour_of(&d->grid, (float)value));
    }
    image_frame(&d->image, l->bar, line);
    draw_bar_labels(d);
    const char *legend = d->map->legend;
    image_text_up(&d->image,
                  l->bar.x + BAR_WIDTH + TICK + GAP + l->bar_labels + GAP,
                  l->bar.y + (l->bar.height + image_text_width(legend)) / 2,
                  legend, faint);
}

static void draw_heading(struct drawing *d)
{
    for (int bold = 0; bold < 2; bold++)
        image_text(&d->image, PAD + bold, PAD, d->layout.title, ink);
    for (int i = 0; i < d->layout.n_notes; i++)
        image_text(&d->image, PAD, PAD + LINE * (i + 1), d->layout.notes[i],
                   faint);
}

int picture_heatmap(const struct heatmap *h, const char *path, struct error *e)
{
    struct drawing d = {.map = h};
    if (grid_init(&d.grid, h, e))
        return -1;
    lay_out(&d);
    int result = image_init(&d.image, d.layout.width, d.layout.height, e);
    if (!result) {
        draw_heading(&d);
        draw_cells(&d);
        draw_row_labels(&d);
        draw_column_labels(&d);
        draw_legend(&d);
        result = image_write_png(&d.image, path, e);
    }
    image_free(&d.image);
    grid_free(&d.grid);
    return result;
}
