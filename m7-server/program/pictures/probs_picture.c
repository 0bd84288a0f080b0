/* The picture of sampling: see probs_picture.h. */
#include "probs_picture.h"

#include "axis.h"
#include "image.h"
#include "input.h"
#include "show.h"
#include "views.h"

#include <math.h>
#include <stdio.h>

/* Distances in pixels. */
enum bar_distances {
    EDGE = 20,         /* around everything */
    SPACE = 8,         /* between things that belong together */
    TEXT_LINE = 26,    /* from one line of text to the next */
    SCALE = 60,        /* room for the numbers at the left */
    SLOT = 58,         /* for a token's bar */
    BAR = 40,          /* its width */
    BAR_MOST = 110,    /* the height of the highest */
    MOST_BARS = 24,    /* tokens that can be shown */
    MOST_LETTERS = 14, /* of a token */
    NAME_SIZE = 4 * MOST_LETTERS + 1
};

static const struct colour black = {26, 26, 26}, grey = {96, 96, 96},
                           pale = {200, 200, 200};

struct bars {
    struct image image;
    const struct views *views;
    int ids[MOST_BARS]; /* of the tokens that are shown */
    char names[MOST_BARS][NAME_SIZE];
    size_t n;
    double limit; /* the probability that the highest bar can have */
};

/* How high a row of bars is, with its title and the numbers above it. */
static int row_height(void)
{
    return TEXT_LINE + IMAGE_TEXT_HEIGHT + BAR_MOST + 4 * SPACE;
}

static int name_token(const struct tokenizer *t, int id, char *name,
                      struct error *e)
{
    struct bytes piece = {0}, text = {0};
    int result = tokenizer_bytes(t, id, &piece, e);
    show_text(piece.data, piece.size, &text);
    bytes_add(&text, "", 1);
    if (result == 0 && text.failed)
        result = fail_memory(e, "the names of the tokens");
    if (result == 0)
        axis_shorten(text.data, MOST_LETTERS, name);
    bytes_free(&piece);
    bytes_free(&text);
    return result;
}

/* The likeliest tokens, `most` at most, with their names. */
static int choose_tokens(struct bars *b, const struct tokenizer *t,
                         size_t most, struct error *e)
{
    const struct views *v = b->views;
    for (size_t i = 0; i < v->n_ranked && b->n < most; i++) {
        int id = v->ranking[i].id;
        b->ids[b->n] = id;
        if (name_token(t, id, b->names[b->n++], e))
            return -1;
    }
    return 0;
}

/* A round number that no bar exceeds. */
static void choose_scale(struct bars *b)
{
    double most = 0;
    for (size_t i = 0; i < b->views->n; i++)
        for (size_t k = 0; k < b->n; k++)
            most = fmax(most,
                        (double)b->views->items[i].probabilities[b->ids[k]]);
    double step = axis_round_up(fmax(most, 1e-6) / 5);
    b->limit = step * ceil(most / step);
}

/* One bar and its number; what was taken out has neither, but a stroke. */
static void draw_bar(struct bars *b, double p, int x, int bottom)
{
    char text[32];
    int height = (int)lround(p / b->limit * BAR_MOST);
    snprintf(text, sizeof text, p > 0 ? "%.2f" : "-", p);
    image_fill(
        &b->image,
        (struct rectangle){x + (SLOT - BAR) / 2, bottom - height, BAR, height},
        colour_magnitude(0.7f));
    image_text(&b->image, x + (SLOT - image_text_width(text)) / 2,
               bottom - height - IMAGE_TEXT_HEIGHT - 2, text,
               p > 0 ? black : grey);
}

static void draw_scale(struct bars *b, int bottom)
{
    for (int half = 0; half <= 2; half++) {
        char text[32];
        int y = bottom - half * BAR_MOST / 2;
        snprintf(text, sizeof text, "%.3g", b->limit * half / 2);
        image_text(&b->image, EDGE + SCALE - SPACE - image_text_width(text),
                   y - IMAGE_TEXT_HEIGHT / 2, text, grey);
        image_fill(&b->image,
                   (struct rectangle){EDGE + SCALE, y, (int)b->n * SLOT, 1},
                   pale);
    }
}

/* The bars of one view; (0, top) is where its title begins. */
static void draw_view(struct bars *b, const struct view *v, int top)
{
    char title[80];
    int bottom = top + row_height() - 3 * SPACE;
    snprintf(title, sizeof title, "%s: %zu tokens left", v->name, v->left);
    image_text(&b->image, EDGE + SCALE, top, title, black);
    draw_scale(b, bottom);
    for (size_t k = 0; k < b->n; k++)
        draw_bar(b, (double)v->probabilities[b->ids[k]],
                 EDGE + SCALE + (int)k * SLOT, bottom);
}

static int widest_name(const struct bars *b)
{
    int widest = 0;
    for (size_t k = 0; k < b->n; k++) {
        int width = image_text_width(b->names[k]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void draw_names(struct bars *b, int top)
{
    for (size_t k = 0; k < b->n; k++) {
        int x = EDGE + SCALE + (int)k * SLOT;
        image_text_up(&b->image, x + (SLOT - IMAGE_TEXT_HEIGHT) / 2,
                      top + image_text_width(b->names[k]), b->names[k], black);
    }
}

static int draw_views(struct bars *b, const char *path, struct error *e)
{
    int rows = (int)b->views->n;
    int width = 2 * EDGE + SCALE + (int)b->n * SLOT;
    int names = EDGE + rows * row_height() + SPACE;
    if (image_init(&b->image, width, names + widest_name(b) + EDGE, e))
        return -1;
    for (int i = 0; i < rows; i++)
        draw_view(b, &b->views->items[i], EDGE + i * row_height());
    draw_names(b, names);
    int result = image_write_png(&b->image, path, e);
    image_free(&b->image);
    return result;
}

static int draw_input_probs(const struct input *in, const struct settings *s,
                            struct error *e)
{
    struct views v;
    size_t most = number_or(s->best, 12);
    if (most < 1 || most > MOST_BARS)
        return fail(e, ERROR_USAGE, "option --best must be from 1 to %d here",
                    MOST_BARS);
    if (views_init(&v, in, s, e))
        return -1;
    struct bars b = {.views = &v};
    int result = choose_tokens(&b, in->tokenizer, most, e);
    if (result == 0) {
        choose_scale(&b);
        result = draw_views(&b, s->output, e);
    }
    views_free(&v);
    return result;
}

int draw_probs(const struct settings *s, char **arguments, struct error *e)
{
    struct input in;
    if (input_open(&in, s->model, arguments[0], 0, e))
        return -1;
    int result = draw_input_probs(&in, s, e);
    input_close(&in);
    return result;
}
