/* The roofline: see roofline_picture.h.
 *
 * Memory delivers so many bytes a second, and a kernel makes so many
 * operations of each: so under the sloping line lies what reading allows, and
 * under a level one what the processor's arithmetic does.  Williams, Waterman
 * and Patterson 2009. */
#include "roofline_picture.h"

#include "plane.h"
#include "progress.h"
#include "threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum roofline_sizes { MOST_SERIES = 8, MOST_LABEL = 32, N_LINES = 4 };

static const double giga = 1e9;

/* All that the picture shows. */
struct roofline_view {
    struct plane_place places[MOST_POINTS]; /* operations a byte; Gop/s */
    char labels[MOST_POINTS][MOST_LABEL];
    const char *label_list[MOST_POINTS];
    char names[MOST_SERIES][MOST_LABEL];
    struct plane_series series[MOST_SERIES];
    size_t n_series;
    char reading[MOST_LABEL]; /* the name of the sloping line */
    struct plane_line lines[N_LINES];
};

static struct colour series_colour(size_t i)
{
    static const float shares[] = {-1, -0.55f, 1, 0.55f};
    if (i < sizeof shares / sizeof *shares)
        return colour_signed(shares[i]);
    return (struct colour){60, 60, 60};
}

/* "int4 x 8" is "8" of the series "int4". */
static void split_point_name(const struct point *p, char *series, char *label)
{
    const char *times = strstr(p->name, " x ");
    int length = times ? (int)(times - p->name) : (int)strlen(p->name);
    snprintf(series, MOST_LABEL, "%.*s", length, p->name);
    snprintf(label, MOST_LABEL, "%s", times ? times + 3 : "");
}

static void add_point(struct roofline_view *v, const struct point *p, size_t i)
{
    char name[MOST_LABEL];
    split_point_name(p, name, v->labels[i]);
    v->label_list[i] = v->labels[i];
    v->places[i] =
        (struct plane_place){p->intensity, point_speed(p) / giga};
    struct plane_series *last = &v->series[v->n_series];
    if (v->n_series > 0 && strcmp(last[-1].name, name) == 0) {
        last[-1].n++;
        return;
    }
    char *kept = v->names[v->n_series];
    memcpy(kept, name, sizeof name);
    *last = (struct plane_series){kept, series_colour(v->n_series),
                                  &v->places[i], &v->label_list[i], 1};
    v->n_series++;
}

/* The ends of the axes: all points and limits are between them. */
static void choose_ends(const struct roofline_view *v, size_t n,
                        struct plane *p)
{
    double left = v->places[0].x, right = left, low = v->places[0].y;
    double high = v->lines[0].to.y;
    for (size_t i = 0; i < n; i++) {
        left = fmin(left, v->places[i].x);
        right = fmax(right, v->places[i].x);
        low = fmin(low, v->places[i].y);
    }
    for (size_t i = 0; i < N_LINES; i++)
        high = fmax(high, v->lines[i].to.y);
    p->least = (struct plane_place){plane_below(left) / 2, plane_below(low)};
    p->most = (struct plane_place){plane_above(right) * 2,
                                   plane_above(high) * 2};
}

/* Where codes of 4 and of 8 bits have the same instructions, their lines are
 * as good as one. */
static void join_lines(struct roofline_view *v)
{
    const double same = 0.05;
    struct plane_line *four = &v->lines[1], *eight = &v->lines[2];
    if (fabs(four->to.y / eight->to.y - 1) > same)
        return;
    four->name = "4- and 8-bit products";
    eight->name = "";
}

/* The roof: reading, up to what the fastest arithmetic allows; and each kind
 * of arithmetic, from where reading allows as much. */
static void choose_lines(struct roofline_view *v, const struct limits *l)
{
    const struct colour grey = {150, 150, 150};
    double read = fmax(limit_speed(l, LIMIT_STREAMS, true),
                       limit_speed(l, LIMIT_READ, true)) / giga;
    double most = 0;
    for (int i = 1; i < N_LINES; i++) {
        enum limit_kind kind = (enum limit_kind)(LIMIT_STREAMS + i);
        double speed = limit_speed(l, kind, true) / giga;
        v->lines[i] = (struct plane_line){{speed / read, speed},
                                          {1, speed},
                                          limit_name(kind),
                                          grey};
        most = fmax(most, speed);
    }
    snprintf(v->reading, MOST_LABEL, "reading, %.0f GB/s", read);
    v->lines[0] = (struct plane_line){
        {1, read}, {most / read, most}, v->reading, grey};
    join_lines(v);
}

/* Lines go to the edges, which are known last. */
static void stretch_lines(struct roofline_view *v, const struct plane *p)
{
    double read = v->lines[0].from.y;
    double left = fmax(p->least.x, p->least.y / read);
    v->lines[0].from = (struct plane_place){left, left * read};
    for (size_t i = 1; i < N_LINES; i++)
        v->lines[i].to.x = p->most.x;
}

int roofline_draw(const struct roofline *r, const char *path, struct error *e)
{
    struct roofline_view v = {.n_series = 0};
    char title[120];
    const struct limits *l = &r->limits;
    for (size_t i = 0; i < r->n_points; i++)
        add_point(&v, &r->points[i], i);
    choose_lines(&v, l);
    snprintf(title, sizeof title,
             "roofline: %s, %zu threads; numbers are rows of inputs",
             l->set->name, threads_count(l->threads));
    struct plane plane = {.title = title,
                          .x_axis = "operations for each byte read",
                          .y_axis = "Gop/s",
                          .lines = v.lines,
                          .n_lines = N_LINES,
                          .series = v.series,
                          .n_series = v.n_series};
    choose_ends(&v, r->n_points, &plane);
    stretch_lines(&v, &plane);
    return picture_plane(&plane, path, e);
}

static void show_roofline(void *context, size_t done, size_t all)
{
    progress_show(context, "measuring", done, all);
}

int draw_roofline(const struct settings *s, char **arguments, struct error *e)
{
    struct threads *threads;
    struct roofline r;
    struct progress progress = {.shown = false};
    (void)arguments;
    if (threads_open(&threads, number_or(s->threads, 0), e))
        return -1;
    int result = roofline_open(&r, threads, e);
    if (result == 0) {
        r.progress = show_roofline;
        r.context = &progress;
        roofline_measure(&r);
        progress_end(&progress);
        result = roofline_draw(&r, s->output, e);
        roofline_close(&r);
    }
    threads_close(threads);
    return result;
}
