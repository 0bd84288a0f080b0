/* The picture of the timeline: see timeline_picture.h. */
#include "timeline_picture.h"

#include "image.h"
#include "timeline_run.h"

#include <stdio.h>

/* Distances in pixels. */
enum timeline_distances {
    BORDER = 20, /* around everything */
    LINE = 26,   /* from one line of text to the next */
    NAMES = 170, /* room for what stands left of a row */
    CELL = 28,   /* the width of a step, */
    ROW = 30,    /* and the height of a request */
    GAP = 3,     /* between one and the next */
    SQUARE = 18  /* of the legend */
};

static const struct colour black = {26, 26, 26}, grey = {96, 96, 96},
                           white = {255, 255, 255};

struct timeline_view {
    struct image image;
    const struct timeline_run *run;
    uint64_t n_steps;
    int top; /* of the first row */
};

/* --- colours ------------------------------------------------------------- */

static struct colour of_prompt(void)
{
    return colour_signed(0.45f);
}

static struct colour of_answer(void)
{
    return colour_signed(-0.62f);
}

static struct colour of_waiting(void)
{
    return colour_absent();
}

/* --- cells --------------------------------------------------------------- */

/* Steps count from 1, rows from 0. */
static struct rectangle cell(const struct timeline_view *v, uint64_t step,
                             size_t row)
{
    return (struct rectangle){BORDER + NAMES + (int)(step - 1) * CELL,
                              v->top + (int)row * ROW, CELL - GAP, ROW - GAP};
}

static void draw_inside(struct timeline_view *v, struct rectangle r, size_t n,
                        struct colour c)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    image_text(&v->image, r.x + (r.width - image_text_width(text)) / 2 + 1,
               r.y + (r.height - IMAGE_TEXT_HEIGHT) / 2 + 2, text, c);
}

static void draw_part(struct timeline_view *v, const struct rung_part *p)
{
    struct rectangle r = cell(v, p->step, (size_t)p->request - 1);
    image_fill(&v->image, r, p->decodes ? of_answer() : of_prompt());
    draw_inside(v, r, p->tokens, p->decodes ? white : black);
}

/* --- rows ---------------------------------------------------------------- */

/* The first step that has read of request i, or the last one; 0: none. */
static uint64_t step_of(const struct timeline_run *run, size_t i, bool last)
{
    uint64_t step = 0;
    for (size_t p = 0; p < run->n && (last || !step); p++)
        if (run->parts[p].request == i + 1)
            step = run->parts[p].step;
    return step;
}

static void draw_request(struct timeline_view *v, size_t i)
{
    char text[48];
    uint64_t first = step_of(v->run, i, false);
    struct rectangle r = cell(v, 1, i);
    snprintf(text, sizeof text, "request %zu", i + 1);
    image_text(&v->image, BORDER, r.y + 6, text, black);
    for (uint64_t step = v->run->came[i] + 1; step < first; step++)
        image_fill(&v->image, cell(v, step, i), of_waiting());
    if (timeline_requests[i].leaves == 0)
        return;
    r = cell(v, step_of(v->run, i, true) + 1, i);
    image_text(&v->image, r.x + GAP, r.y + 6, "its client leaves", grey);
}

/* What all have had of each step. */
static void draw_sums(struct timeline_view *v)
{
    struct rectangle r = cell(v, 1, TIMELINE_REQUESTS);
    image_text(&v->image, BORDER, r.y + 6, "tokens read", black);
    size_t sum = 0;
    for (size_t i = 0; i < v->run->n; i++) {
        const struct rung_part *p = &v->run->parts[i];
        sum += p->tokens;
        if (i + 1 < v->run->n && p[1].step == p->step)
            continue;
        draw_inside(v, cell(v, p->step, TIMELINE_REQUESTS), sum, black);
        sum = 0;
    }
}

static void draw_steps(struct timeline_view *v)
{
    struct rectangle r = cell(v, 1, TIMELINE_REQUESTS + 1);
    image_text(&v->image, BORDER, r.y + 6, "step", grey);
    for (uint64_t step = 1; step <= v->n_steps; step++)
        if (step == 1 || step % 5 == 0)
            draw_inside(v, cell(v, step, TIMELINE_REQUESTS + 1), step, grey);
}

/* --- the whole ----------------------------------------------------------- */

/* Returns where the next one can stand. */
static int draw_meaning(struct timeline_view *v, int x, int y, struct colour c,
                        const char *text)
{
    struct rectangle r = {x, y, SQUARE, SQUARE};
    image_fill(&v->image, r, c);
    image_text(&v->image, x + SQUARE + 8, y, text, grey);
    return x + SQUARE + 8 + image_text_width(text) + 32;
}

static void draw_head(struct timeline_view *v)
{
    char text[128];
    snprintf(text, sizeof text,
             "%d requests, of which %d are answered at once: what each step "
             "of the engine reads",
             TIMELINE_REQUESTS, TIMELINE_PLACES);
    image_text(&v->image, BORDER, BORDER, text, black);
    int x = BORDER, y = BORDER + LINE + 6;
    x = draw_meaning(v, x, y, of_waiting(), "waits for a place");
    x = draw_meaning(v, x, y, of_prompt(), "reads tokens of its prompt");
    draw_meaning(v, x, y, of_answer(),
                 "reads its last token, and gets the next");
    v->top = y + LINE + 12;
}

static int draw_run(const struct timeline_run *run, const char *path,
                    struct error *e)
{
    struct timeline_view v = {.run = run};
    v.n_steps = run->parts[run->n - 1].step;
    int width = 2 * BORDER + NAMES + (int)v.n_steps * CELL;
    int height = 2 * BORDER + 2 * LINE + 18 + (TIMELINE_REQUESTS + 2) * ROW;
    if (image_init(&v.image, width, height, e))
        return -1;
    draw_head(&v);
    for (size_t i = 0; i < TIMELINE_REQUESTS; i++)
        draw_request(&v, i);
    for (size_t i = 0; i < run->n; i++)
        draw_part(&v, &run->parts[i]);
    draw_sums(&v);
    draw_steps(&v);
    int result = image_write_png(&v.image, path, e);
    image_free(&v.image);
    return result;
}

int draw_timeline(const struct settings *s, char **arguments, struct error *e)
{
    struct timeline_run run = {.n = 0};
    (void)arguments;
    if (timeline_run(&run, s, e))
        return -1;
    return draw_run(&run, s->output, e);
}
