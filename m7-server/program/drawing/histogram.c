/* Histograms: see histogram.h. */
#include "histogram.h"

#include "axis.h"
#include "image.h"

#include <math.h>
#include <stdio.h>

/* Distances in pixels. */
enum histogram_distances {
    BORDER = 20,     /* around everything */
    BESIDE = 8,      /* between things that belong together */
    TEXT_ROW = 26,   /* from one line of text to the next */
    FIGURES = 70,    /* room for the numbers at the left */
    PLOT_WIDE = 771, /* 3 pixels for each of 257 bars */
    PLOT_HIGH = 320,
    KEY_WIDE = 18, /* the patch of colour beside a name */
    KEY_HIGH = 12,
    SCALE_LINES = 5, /* lines of the scale, about */
    SCALE_PLACES = 8 /* numbers below the bars, about */
};

static const struct colour dark = {26, 26, 26}, medium = {96, 96, 96},
                           light = {216, 216, 216}, area = {244, 190, 140};

/* Where the bars stand in an image, and what the highest is. */
struct histogram_frame {
    struct image *image;
    const struct histogram *h;
    int left, top;
    double limit, step;
};

static double highest(const double *values, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, values[i]);
    return most;
}

static void choose_heights(struct histogram_frame *f)
{
    const struct histogram *h = f->h;
    double most =
        fmax(highest(h->bars, h->n_bars), highest(h->behind, h->n_behind));
    most = fmax(most, 1e-9);
    f->step = axis_round_up(most / SCALE_LINES);
    f->limit = f->step * ceil(most / f->step);
}

/* Column i of n, of which each takes the same width, less a gap. */
static void draw_column(const struct histogram_frame *f, size_t i, size_t n,
                        double value, int gap, struct colour c)
{
    int x = (int)(i * PLOT_WIDE / n), end = (int)((i + 1) * PLOT_WIDE / n);
    int high = (int)lround(value / f->limit * PLOT_HIGH);
    image_fill(f->image,
               (struct rectangle){f->left + x, f->top + PLOT_HIGH - high,
                                  end - x - gap, high},
               c);
}

/* The area first, then bars that leave some of it to be seen: of each bar's
 * place they take the half in the middle. */
static void draw_bars(const struct histogram_frame *f)
{
    const struct histogram *h = f->h;
    struct colour blue = colour_magnitude(0.7f);
    for (size_t i = 0; i < h->n_behind; i++)
        draw_column(f, i, h->n_behind, h->behind[i], 0, area);
    if (h->n_bars > 100) {
        for (size_t i = 0; i < h->n_bars; i++)
            draw_column(f, i, h->n_bars, h->bars[i], 2, blue);
        return;
    }
    for (size_t i = 0; i < h->n_bars; i++)
        for (size_t part = 1; part <= 2; part++)
            draw_column(f, 4 * i + part, 4 * h->n_bars, h->bars[i], 0, blue);
}

static void draw_heights(const struct histogram_frame *f)
{
    for (double value = 0; value < f->limit + f->step / 2; value += f->step) {
        char text[32];
        int y = f->top + PLOT_HIGH - (int)lround(value / f->limit * PLOT_HIGH);
        snprintf(text, sizeof text, "%.4g", value);
        image_fill(f->image, (struct rectangle){f->left, y, PLOT_WIDE, 1},
                   light);
        image_text(f->image, f->left - BESIDE - image_text_width(text),
                   y - IMAGE_TEXT_HEIGHT / 2, text, medium);
    }
}

/* The numbers below the bars. */
static void draw_numbers(const struct histogram_frame *f)
{
    const struct histogram *h = f->h;
    double range = h->most - h->least;
    double step = axis_round_up(range / SCALE_PLACES);
    int y = f->top + PLOT_HIGH + BESIDE;
    for (double k = ceil(h->least / step); k * step <= h->most; k++) {
        char text[32];
        double share = (k * step - h->least) / range;
        snprintf(text, sizeof text, "%.4g", k == 0 ? 0 : k * step);
        image_text(f->image,
                   f->left + (int)lround(share * PLOT_WIDE) -
                       image_text_width(text) / 2,
                   y, text, medium);
    }
    image_text(f->image,
               f->left + (PLOT_WIDE - image_text_width(h->x_axis)) / 2,
               y + TEXT_ROW, h->x_axis, medium);
}

/* A patch of colour and what it stands for. */
static void draw_key(const struct histogram_frame *f, int y, const char *name,
                     struct colour c)
{
    image_fill(f->image,
               (struct rectangle){f->left,
                                  y + (IMAGE_TEXT_HEIGHT - KEY_HIGH) / 2,
                                  KEY_WIDE, KEY_HIGH},
               c);
    image_text(f->image, f->left + KEY_WIDE + BESIDE, y, name, dark);
}

static void draw_histogram(struct histogram_frame *f)
{
    const struct histogram *h = f->h;
    image_text(f->image, BORDER, BORDER, h->title, dark);
    image_text(f->image, BORDER, BORDER + TEXT_ROW, h->note, medium);
    draw_key(f, BORDER + 2 * TEXT_ROW, h->bars_name, colour_magnitude(0.7f));
    draw_key(f, BORDER + 3 * TEXT_ROW, h->behind_name, area);
    choose_heights(f);
    draw_heights(f);
    draw_bars(f);
    draw_numbers(f);
}

int picture_histogram(const struct histogram *h, const char *path,
                      struct error *e)
{
    struct image m;
    struct histogram_frame f = {.image = &m,
                                .h = h,
                                .left = BORDER + FIGURES,
                                .top = BORDER + 4 * TEXT_ROW + BESIDE};
    int below = BESIDE + 2 * TEXT_ROW + BORDER;
    if (image_init(&m, f.left + PLOT_WIDE + BORDER, f.top + PLOT_HIGH + below,
                   e))
        return -1;
    draw_histogram(&f);
    int result = image_write_png(&m, path, e);
    image_free(&m);
    return result;
}
