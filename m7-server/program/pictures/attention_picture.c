/* A picture of attention: see attention_picture.h. */
#include "attention_picture.h"

#include "forward.h"
#include "input.h"
#include "picture.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The weights of one layer, gathered query by query. */
struct gathering {
    int layer;
    size_t first_head, end_head; /* whose mean is wanted */
    size_t n;                    /* tokens */
    size_t query;                /* the next */
    float *weights;              /* (n, n): query, position */
};

static void gather(void *context, const char *name, int layer,
                   const float *data, struct shape shape)
{
    struct gathering *g = context;
    if (strcmp(name, "attention") != 0 || layer != g->layer)
        return;
    size_t first = g->query + 1 - shape.cols; /* of those that are seen */
    float *row = g->weights + g->query++ * g->n + first;
    float share = 1 / (float)(g->end_head - g->first_head);
    for (size_t h = g->first_head; h < g->end_head; h++)
        for (size_t p = 0; p < shape.cols; p++)
            row[p] += share * data[h * shape.cols + p];
}

/* --- the tokens' names --------------------------------------------------- */

/* In quotes, so that a space at its end can be seen. */
static char *token_name(const struct tokenizer *t, int id, struct error *e)
{
    struct bytes piece = {0}, text = {0};
    int result = tokenizer_bytes(t, id, &piece, e);
    if (result == 0) {
        bytes_add_string(&text, "\"");
        show_text(piece.data, piece.size, &text);
        bytes_add(&text, "\"", 2);
        if (text.failed)
            result = fail_memory(e, "the names of the tokens");
    }
    bytes_free(&piece);
    if (result)
        bytes_free(&text);
    return text.data;
}

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; names && i < n; i++)
        free(names[i]);
    free(names);
}

/* (ids.size,) names, each and all to be freed by free_names. */
static char **token_names(const struct input *in, struct error *e)
{
    char **names = calloc(in->ids.size, sizeof *names);
    if (!names) {
        fail_memory(e, "the names of the tokens");
        return NULL;
    }
    for (size_t i = 0; i < in->ids.size; i++) {
        names[i] = token_name(in->tokenizer, in->ids.data[i], e);
        if (!names[i]) {
            free_names(names, in->ids.size);
            return NULL;
        }
    }
    return names;
}

/* --- the picture --------------------------------------------------------- */

static int draw_weights_of(const struct gathering *g, char *const *names,
                           const char *path, struct error *e)
{
    struct picture_matrix matrix = {g->weights, g->n};
    char title[80];
    if (g->end_head - g->first_head == 1)
        snprintf(title, sizeof title, "attention: layer %d, head %zu",
                 g->layer, g->first_head);
    else
        snprintf(title, sizeof title, "attention: layer %d, mean of %zu heads",
                 g->layer, g->end_head - g->first_head);
    struct heatmap map = {
        .title = title,
        .row_axis = "token",
        .column_axis = "looks at (grey: comes later)",
        .legend = "weight",
        .row_names = (const char *const *)names,
        .column_names = (const char *const *)names,
        .rows = g->n,
        .columns = g->n,
        .row = picture_matrix_row,
        .source = &matrix,
        .causal = true,
    };
    return picture_heatmap(&map, path, e);
}

/* Run the text, watching one layer. */
static int gather_weights(const struct input *in,
                          const struct settings *settings, struct gathering *g,
                          struct error *e)
{
    struct state s;
    struct observer o = {gather, g};
    g->weights = calloc(g->n, g->n * sizeof *g->weights);
    if (!g->weights)
        return fail_memory(e, "the weights of the attention");
    if (state_init(&s, &in->model, g->n, e))
        return -1;
    s.cache_form = settings->cache;
    int result = forward(&in->model, &s, in->ids.data, g->n, &o, e);
    state_free(&s);
    return result;
}

/* Which layer and heads are asked for; both count from 0. */
static int choose(const struct model *m, const struct settings *s,
                  struct gathering *g, struct error *e)
{
    size_t layer = number_or(s->layer, 0);
    if (layer >= m->config.n_layers)
        return fail(e, ERROR_USAGE, "there is no layer %zu: 0 to %zu are",
                    layer, m->config.n_layers - 1);
    size_t heads = m->layers[layer].attention.n_heads;
    size_t head = number_or(s->head, 0);
    if (head >= heads)
        return fail(e, ERROR_USAGE, "there is no head %zu: 0 to %zu are", head,
                    heads - 1);
    g->layer = (int)layer;
    g->first_head = head;
    g->end_head = s->head.said ? head + 1 : heads;
    return 0;
}

static int draw_input(const struct input *in, const struct settings *s,
                      struct error *e)
{
    struct gathering g = {.n = in->ids.size};
    char **names = NULL;
    int result = choose(&in->model, s, &g, e);
    if (result == 0)
        result = gather_weights(in, s, &g, e);
    if (result == 0 && !(names = token_names(in, e)))
        result = -1;
    if (result == 0)
        result = draw_weights_of(&g, names, s->output, e);
    free_names(names, g.n);
    free(g.weights);
    return result;
}

int draw_attention(const struct settings *s, char **arguments, struct error *e)
{
    struct input in;
    if (input_open(&in, s->model, arguments[0], 0, e))
        return -1;
    int result = draw_input(&in, s, e);
    input_close(&in);
    return result;
}
