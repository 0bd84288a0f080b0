/* A plane: see plane.h. */
#include "plane.h"

#include "image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Distances in pixels. */
enum plane_distances {
    PLANE_MARGIN = 20,
    PLANE_GAP = 8,   /* between things that belong together */
    PLANE_ROW = 26,  /* from one line of text to the next */
    PLANE_LEFT = 84, /* room for the numbers at the left */
    PLANE_WIDE = 760,
    PLANE_HIGH = 460,
    PLANE_POINT = 8, /* how large a point is */
    PLANE_STROKE = 3
};

static const struct colour ink = {26, 26, 26}, faint = {96, 96, 96},
                           ruled = {226, 226, 226};

/* The image, and where the plane stands in it. */
struct plane_view {
    struct image image;
    const struct plane *plane;
    int left, top;
};

double plane_below(double x)
{
    return exp2(floor(log2(x)));
}

double plane_above(double x)
{
    return exp2(ceil(log2(x)));
}

/* How far along an axis of so many pixels. */
static double along_axis(double value, double least, double most, int pixels)
{
    return log2(value / least) / log2(most / least) * pixels;
}

static double place_x(const struct plane_view *v, double x)
{
    const struct plane *p = v->plane;
    return v->left + along_axis(x, p->least.x, p->most.x, PLANE_WIDE);
}

static double place_y(const struct plane_view *v, double y)
{
    const struct plane *p = v->plane;
    return v->top + PLANE_HIGH -
           along_axis(y, p->least.y, p->most.y, PLANE_HIGH);
}

/* --- axes --------------------------------------------------------------- */

static void draw_columns(struct plane_view *v)
{
    const struct plane *p = v->plane;
    for (double x = p->least.x; x <= p->most.x; x *= 2) {
        char text[32];
        int at = (int)lround(place_x(v, x));
        snprintf(text, sizeof text, "%g", x);
        image_fill(&v->image,
                   (struct rectangle){at, v->top, 1, PLANE_HIGH}, ruled);
        image_text(&v->image, at - image_text_width(text) / 2,
                   v->top + PLANE_HIGH + PLANE_GAP, text, faint);
    }
    image_text(&v->image,
               v->left + (PLANE_WIDE - image_text_width(p->x_axis)) / 2,
               v->top + PLANE_HIGH + PLANE_GAP + PLANE_ROW, p->x_axis, faint);
}

static void draw_rows(struct plane_view *v)
{
    const struct plane *p = v->plane;
    for (double y = p->least.y; y <= p->most.y; y *= 2) {
        char text[32];
        int at = (int)lround(place_y(v, y));
        snprintf(text, sizeof text, "%g", y);
        image_fill(&v->image,
                   (struct rectangle){v->left, at, PLANE_WIDE, 1}, ruled);
        image_text(&v->image, v->left - PLANE_GAP - image_text_width(text),
                   at - IMAGE_TEXT_HEIGHT / 2, text, faint);
    }
    image_text_up(&v->image, PLANE_MARGIN,
                  v->top + (PLANE_HIGH + image_text_width(p->y_axis)) / 2,
                  p->y_axis, faint);
}

/* --- what is shown ------------------------------------------------------ */

/* Dot beside dot, a pixel or less apart. */
static void draw_line(struct plane_view *v, const struct plane_line *l)
{
    double x = place_x(v, l->from.x), y = place_y(v, l->from.y);
    double right = place_x(v, l->to.x) - x, down = place_y(v, l->to.y) - y;
    int steps = 1 + (int)fmax(fabs(right), fabs(down));
    for (int i = 0; i <= steps; i++)
        image_fill(&v->image,
                   (struct rectangle){(int)lround(x + right * i / steps),
                                      (int)lround(y + down * i / steps) -
                                          PLANE_STROKE / 2,
                                      PLANE_STROKE, PLANE_STROKE},
                   l->colour);
    int width = image_text_width(l->name);
    image_text(&v->image,
               (int)fmin(x + right, v->left + PLANE_WIDE) - width - PLANE_GAP,
               (int)(y + down) - IMAGE_TEXT_HEIGHT - PLANE_STROKE, l->name,
               faint);
}

static void draw_plane_points(struct plane_view *v,
                              const struct plane_series *s)
{
    for (size_t i = 0; i < s->n; i++) {
        int x = (int)lround(place_x(v, s->places[i].x));
        int y = (int)lround(place_y(v, s->places[i].y));
        image_fill(&v->image,
                   (struct rectangle){x - PLANE_POINT / 2, y - PLANE_POINT / 2,
                                      PLANE_POINT, PLANE_POINT},
                   s->colour);
        image_text(&v->image, x + PLANE_POINT, y, s->labels[i], s->colour);
    }
}

/* The names of the series, in one line. */
static void draw_series_names(struct plane_view *v)
{
    int x = v->left, y = PLANE_MARGIN + PLANE_ROW;
    for (size_t i = 0; i < v->plane->n_series; i++) {
        const struct plane_series *s = &v->plane->series[i];
        image_fill(&v->image,
                   (struct rectangle){x, y + IMAGE_TEXT_HEIGHT / 2 - 2,
                                      PLANE_POINT, PLANE_POINT},
                   s->colour);
        x += PLANE_POINT + PLANE_GAP;
        image_text(&v->image, x, y, s->name, ink);
        x += image_text_width(s->name) + 3 * PLANE_GAP;
    }
}

int picture_plane(const struct plane *p, const char *path, struct error *e)
{
    struct plane_view v = {.plane = p,
                           .left = PLANE_MARGIN + PLANE_LEFT,
                           .top = PLANE_MARGIN + 2 * PLANE_ROW + PLANE_GAP};
    if (image_init(&v.image, v.left + PLANE_WIDE + 2 * PLANE_MARGIN,
                   v.top + PLANE_HIGH + 2 * PLANE_ROW + PLANE_MARGIN, e))
        return -1;
    image_text(&v.image, v.left, PLANE_MARGIN, p->title, ink);
    draw_columns(&v);
    draw_rows(&v);
    draw_series_names(&v);
    for (size_t i = 0; i < p->n_lines; i++)
        draw_line(&v, &p->lines[i]);
    for (size_t i = 0; i < p->n_series; i++)
        draw_plane_points(&v, &p->series[i]);
    int result = image_write_png(&v.image, path, e);
    image_free(&v.image);
    return result;
}
