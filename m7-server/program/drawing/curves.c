/* Curves: see curves.h. */
#include "curves.h"

#include "axis.h"
#include "image.h"

#include <math.h>
#include <stdio.h>

/* Distances in pixels. */
enum curve_distances {
    MARGIN = 20,
    SPACING = 8,   /* between things that belong together */
    ROW = 26,      /* from one line of text to the next */
    NUMBERS = 70,  /* room for those at the left */
    ACROSS = 640,  /* the width of a panel's curves */
    UP = 200,      /* their height */
    STROKE = 3,    /* how thick a curve is */
    SWATCH = 18,   /* the line beside a curve's name */
    LINES_MOST = 5 /* lines of a scale, about */
};

static const struct colour black = {26, 26, 26}, grey = {96, 96, 96},
                           pale = {216, 216, 216};

/* The place of one panel in an image. */
struct frame {
    struct image *image;
    const struct panel *panel;
    size_t n;
    int left, top;      /* of the curves */
    double limit, step; /* of the scale */
};

static int panel_height(const struct panel *p)
{
    return ROW * (1 + (int)p->n_curves) + UP + ROW;
}

static double largest_value(const struct panel *p, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < p->n_curves; i++)
        for (size_t k = 0; k < n; k++)
            most = fmax(most, p->curves[i].values[k]);
    return most;
}

static void choose_curve_scale(struct frame *f)
{
    double most = fmax(largest_value(f->panel, f->n), 1e-9);
    f->step = axis_round_up(most / LINES_MOST);
    f->limit = f->step * ceil(most / f->step);
}

/* How far right place k is, and how far up a value, both in pixels. */
static int x_of(const struct frame *f, size_t k)
{
    size_t spaces = f->n > 1 ? f->n - 1 : 1;
    return (int)lround((double)k / (double)spaces * (ACROSS - 1));
}

static int y_of(const struct frame *f, double value)
{
    return (int)lround(value / f->limit * UP);
}

/* A straight line between two values, column by column: each as high as the
 * line rises in it, so that there is no gap. */
static void draw_segment(const struct frame *f, const struct curve *c,
                         size_t k)
{
    size_t next = k + 1 < f->n ? k + 1 : k;
    int x = x_of(f, k), end = x_of(f, next);
    double y = y_of(f, c->values[k]), last = y_of(f, c->values[next]);
    double slope = end > x ? (last - y) / (end - x) : 0;
    for (int i = x; i <= end; i++) {
        double a = y + slope * (i - x), b = i < end ? a + slope : a;
        int high = (int)lround(fmax(a, b)), low = (int)lround(fmin(a, b));
        image_fill(f->image,
                   (struct rectangle){f->left + i, f->top + UP - high - 1,
                                      STROKE, high - low + STROKE},
                   c->colour);
    }
}

static void draw_curve(const struct frame *f, const struct curve *c)
{
    for (size_t k = 0; k + 1 < f->n || k == 0; k++)
        draw_segment(f, c, k);
}

static void draw_lines(const struct frame *f)
{
    for (double value = 0; value < f->limit + f->step / 2; value += f->step) {
        char text[32];
        int y = f->top + UP - y_of(f, value);
        snprintf(text, sizeof text, "%.4g", value);
        image_fill(f->image, (struct rectangle){f->left, y, ACROSS, 1}, pale);
        image_text(f->image, f->left - SPACING - image_text_width(text),
                   y - IMAGE_TEXT_HEIGHT / 2, text, grey);
    }
}

/* The curves' names, a line each, with the colour before it. */
static void draw_curve_names(const struct frame *f)
{
    for (size_t i = 0; i < f->panel->n_curves; i++) {
        const struct curve *c = &f->panel->curves[i];
        int y = f->top - ROW * (int)(f->panel->n_curves - i);
        image_fill(f->image,
                   (struct rectangle){f->left, y + IMAGE_TEXT_HEIGHT / 2,
                                      SWATCH, STROKE},
                   c->colour);
        image_text(f->image, f->left + SWATCH + SPACING, y, c->name, black);
    }
}

static void draw_panel(struct frame *f)
{
    choose_curve_scale(f);
    image_text(f->image, f->left, f->top - ROW * (int)(1 + f->panel->n_curves),
               f->panel->title, black);
    draw_curve_names(f);
    draw_lines(f);
    for (size_t i = 0; i < f->panel->n_curves; i++)
        draw_curve(f, &f->panel->curves[i]);
}

/* The numbers of the places, below the last panel. */
static void draw_places(const struct frame *f, const char *name)
{
    struct axis a = {NULL, f->n + 1, (double)ACROSS / (double)f->n, 3 * ROW};
    int y = f->top + UP + SPACING;
    for (size_t i = axis_step(&a); i <= f->n; i += axis_step(&a)) {
        char text[AXIS_TEXT];
        axis_text(&a, i, text);
        image_text(f->image,
                   f->left + x_of(f, i - 1) - image_text_width(text) / 2, y,
                   text, grey);
    }
    image_text(f->image, f->left + (ACROSS - image_text_width(name)) / 2,
               y + ROW, name, grey);
}

static void draw_panels(struct image *m, const struct curves *c)
{
    struct frame f = {.image = m, .n = c->n, .left = MARGIN + NUMBERS};
    int top = MARGIN + ROW;
    image_text(m, MARGIN, MARGIN, c->title, black);
    for (size_t i = 0; i < c->n_panels; i++) {
        f.panel = &c->panels[i];
        f.top = top + SPACING + ROW * (int)(1 + f.panel->n_curves);
        draw_panel(&f);
        top += SPACING + panel_height(f.panel);
    }
    draw_places(&f, c->x_axis);
}

int picture_curves(const struct curves *c, const char *path, struct error *e)
{
    struct image m;
    int height = MARGIN + ROW;
    for (size_t i = 0; i < c->n_panels; i++)
        height += SPACING + panel_height(&c->panels[i]);
    if (image_init(&m, 2 * MARGIN + NUMBERS + ACROSS, height + ROW + MARGIN,
                   e))
        return -1;
    draw_panels(&m, c);
    int result = image_write_png(&m, path, e);
    image_free(&m);
    return result;
}
