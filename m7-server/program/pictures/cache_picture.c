/* The picture of the cache: see cache_picture.h. */
#include "cache_picture.h"

#include "forward.h"
#include "image.h"
#include "input.h"
#include "ops.h"

#include <math.h>
#include <stdio.h>

/* Distances in pixels. */
enum cache_distances {
    EDGE = 20,      /* around everything */
    SPACE = 8,      /* between layers */
    TEXT_LINE = 26, /* from one line of text to the next */
    LABELS = 100,   /* room for the layers' names */
    STRIPE = 9,     /* the height of a head */
    WIDEST_SLOT = 32,
    ACROSS = 768, /* all slots of a layer, at most */
    MOMENTS = 3   /* at which the cache is drawn */
};

static const struct colour black = {26, 26, 26}, grey = {96, 96, 96},
                           line = {160, 160, 160};

struct filling {
    struct image image;
    const struct model *model;
    struct state state;
    struct cache cache;
    int slot; /* the width of one */
    int top;  /* where the next moment is drawn */
};

static size_t count_heads(const struct filling *f, size_t l)
{
    return f->model->layers[l].attention.n_kv_heads;
}

/* With a line for the positions' numbers. */
static int layer_height(const struct filling *f, size_t l)
{
    return IMAGE_TEXT_HEIGHT + STRIPE * (int)count_heads(f, l) + SPACE;
}

static int moment_height(const struct filling *f)
{
    int height = TEXT_LINE + SPACE;
    for (size_t l = 0; l < f->cache.n_layers; l++)
        height += layer_height(f, l);
    return height;
}

/* The length of the value of head h at a position. */
static float value_length(const struct filling *f, size_t l, size_t p,
                          size_t h)
{
    const struct cache_layer *past = &f->cache.layers[l];
    size_t head_dim = f->model->layers[l].attention.head_dim;
    const float *values = cache_value(past, p, f->state.compute.row);
    const float *value = values + h * head_dim;
    return sqrtf(dot(value, value, head_dim));
}

static float longest_value(const struct filling *f, size_t l)
{
    const struct cache *c = &f->cache;
    const struct cache_layer *past = &c->layers[l];
    float most = 1e-30f;
    for (size_t p = cache_first_kept(past, c->length); p < c->length; p++)
        for (size_t h = 0; h < count_heads(f, l); h++)
            most = fmaxf(most, value_length(f, l, p, h));
    return most;
}

/* --- drawing ------------------------------------------------------------ */

static void draw_number(struct filling *f, size_t slot, size_t position,
                        int top)
{
    char text[32];
    int left = EDGE + LABELS + (int)slot * f->slot;
    snprintf(text, sizeof text, "%zu", position);
    int room = f->slot - image_text_width(text);
    if (room >= 4)
        image_text(&f->image, left + room / 2, top, text, black);
}

static void draw_stripe(struct filling *f, size_t slot, size_t h, int top,
                        struct colour colour)
{
    struct rectangle r = {EDGE + LABELS + (int)slot * f->slot,
                          top + IMAGE_TEXT_HEIGHT + (int)h * STRIPE, f->slot,
                          STRIPE};
    image_fill(&f->image, r, colour);
}

/* The slots that hold something, each with the number of its position. */
static void draw_held(struct filling *f, size_t l, int top)
{
    const struct cache *c = &f->cache;
    const struct cache_layer *past = &c->layers[l];
    float most = longest_value(f, l);
    for (size_t p = cache_first_kept(past, c->length); p < c->length; p++) {
        size_t slot = slot_of(past->slots, p);
        draw_number(f, slot, p, top);
        for (size_t h = 0; h < count_heads(f, l); h++)
            draw_stripe(f, slot, h, top,
                        colour_magnitude(value_length(f, l, p, h) / most));
    }
}

static void draw_layer(struct filling *f, size_t l, int top)
{
    char text[48];
    const struct cache_layer *past = &f->cache.layers[l];
    snprintf(text, sizeof text, "layer %zu", l);
    image_text(&f->image, EDGE, top + IMAGE_TEXT_HEIGHT, text, grey);
    for (size_t slot = 0; slot < past->slots; slot++)
        for (size_t h = 0; h < count_heads(f, l); h++)
            draw_stripe(f, slot, h, top, colour_absent());
    draw_held(f, l, top);
    image_frame(&f->image,
                (struct rectangle){EDGE + LABELS - 1,
                                   top + IMAGE_TEXT_HEIGHT - 1,
                                   (int)past->slots * f->slot + 2,
                                   STRIPE * (int)count_heads(f, l) + 2},
                line);
}

/* The cache as it is now. */
static void draw_moment(struct filling *f)
{
    char text[80];
    const struct cache *c = &f->cache;
    snprintf(text, sizeof text, "after %zu tokens", c->length);
    image_text(&f->image, EDGE, f->top, text, black);
    f->top += TEXT_LINE;
    for (size_t l = 0; l < c->n_layers; l++) {
        draw_layer(f, l, f->top);
        f->top += layer_height(f, l);
    }
    f->top += SPACE;
}

/* --- filling ------------------------------------------------------------ */

static void draw_filling(struct filling *f, const struct ids *ids)
{
    size_t done = 0;
    image_text(&f->image, EDGE, f->top,
               "the slots of the cache, and which positions they hold", black);
    f->top += TEXT_LINE;
    image_text(&f->image, EDGE, f->top,
               "a stripe is a head; the darker, the longer its value", grey);
    f->top += TEXT_LINE;
    for (size_t i = 1; i <= MOMENTS; i++) {
        size_t next = (ids->size * i + MOMENTS - 1) / MOMENTS;
        if (next > done)
            prefill(f->model, &f->state, &f->cache, ids->data + done,
                    next - done, NULL);
        done = next;
        draw_moment(f);
    }
}

static int draw_image(struct filling *f, const struct ids *ids,
                      const char *path, struct error *e)
{
    int width = EDGE + LABELS + (int)ids->size * f->slot + EDGE;
    int least = 2 * EDGE + 600; /* what the title needs */
    f->top = EDGE;
    if (image_init(&f->image, width > least ? width : least,
                   2 * EDGE + 2 * TEXT_LINE + MOMENTS * moment_height(f), e))
        return -1;
    draw_filling(f, ids);
    int result = image_write_png(&f->image, path, e);
    image_free(&f->image);
    return result;
}

static int draw_input_cache(const struct input *in, const struct settings *s,
                            struct error *e)
{
    struct filling f = {.model = &in->model};
    size_t n = in->ids.size, chunk = number_or(s->chunk, 1);
    if (n > ACROSS)
        return fail(e, ERROR_INPUT,
                    "the text has %zu tokens; this picture can show %d", n,
                    ACROSS);
    f.slot = ACROSS / (int)n < WIDEST_SLOT ? ACROSS / (int)n : WIDEST_SLOT;
    if (state_init_chunked(&f.state, &in->model, n, chunk, e))
        return -1;
    int result = cache_init_form(&f.cache, &in->model, s->cache, n, chunk, e);
    if (result == 0)
        result = draw_image(&f, &in->ids, s->output, e);
    cache_free(&f.cache);
    state_free(&f.state);
    return result;
}

int draw_cache(const struct settings *s, char **arguments, struct error *e)
{
    struct input in;
    if (input_open(&in, s->model, arguments[0], 0, e))
        return -1;
    int result = draw_input_cache(&in, s, e);
    input_close(&in);
    return result;
}
