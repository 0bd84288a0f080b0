/* The command that shows how the tokens' vectors grow from layer to layer. */
#include "commands.h"
#include "forward.h"
#include "input.h"
#include "print.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the results go: as lines, or into an array. */
struct layer_table {
    bool json; /* or printed as they come */
    json_t *rows;
};

static double length_of(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

static void print_lengths(const char *name, const float *x, struct shape shape)
{
    double least = INFINITY, most = 0, sum = 0;
    for (size_t t = 0; t < shape.rows; t++) {
        double length = length_of(x + t * shape.cols, shape.cols);
        least = fmin(least, length);
        most = fmax(most, length);
        sum += length;
    }
    printf("%-10s %10.4g %10.4g %10.4g\n", name, least,
           sum / (double)shape.rows, most);
}

static json_t *json_lengths(const char *name, const float *x,
                            struct shape shape)
{
    json_t *object = json_object(), *lengths = json_array();
    for (size_t t = 0; t < shape.rows; t++)
        json_add(&lengths,
                 json_real(length_of(x + t * shape.cols, shape.cols)));
    json_put(&object, "after", json_string(name));
    json_put(&object, "lengths", lengths);
    return object;
}

static void add_layer(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct layer_table *table = context;
    char label[32];
    if (strcmp(name, "attention") == 0)
        return;
    if (layer < 0)
        snprintf(label, sizeof label, "%s", name);
    else
        snprintf(label, sizeof label, "%s %d", name, layer);
    if (table->json)
        json_add(&table->rows, json_lengths(label, data, shape));
    else
        print_lengths(label, data, shape);
}

static int show_layers(const struct input *in,
                       const struct settings *settings, struct error *e)
{
    struct state s;
    bool json = settings->json;
    if (state_init(&s, &in->model, in->ids.size, e))
        return -1;
    s.cache_form = settings->cache;
    struct layer_table table = {json, json ? json_array() : NULL};
    struct observer o = {add_layer, &table};
    if (!json)
        printf("after           least       mean       most   length of the "
               "%zu tokens' vectors\n",
               in->ids.size);
    int result = forward(&in->model, &s, in->ids.data, in->ids.size, &o, e);
    state_free(&s);
    if (json && result == 0)
        return print_json_line(table.rows, e);
    json_decref(table.rows);
    return result;
}

int cmd_layers(const struct settings *s, struct error *e)
{
    struct input in;
    if (input_open(&in, s->model, s->arguments[0], 0, e))
        return -1;
    print_ignored(&in.model);
    int result = show_layers(&in, s, e);
    input_close(&in);
    return result;
}
