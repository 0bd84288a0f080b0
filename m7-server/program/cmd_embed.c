/* The command that turns each text into one vector. */
#include "commands.h"
#include "input.h"
#include "pool.h"
#include "print.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* The vectors of some texts: (n, width), row-major. */
struct vectors {
    float *data; /* owned */
    size_t n, width;
};

static int pool_text(const struct input *in, const struct settings *settings,
                     float *out, struct error *e)
{
    struct state s;
    if (state_init(&s, &in->model, in->ids.size, e))
        return -1;
    s.cache_form = settings->cache;
    int result = pool(&in->model, &s, in->ids.data, in->ids.size, out, e);
    state_free(&s);
    return result;
}

/* The vectors of all texts; the first has been read. */
static int pool_all(struct input *in, const struct settings *s,
                    struct vectors *v, struct error *e)
{
    v->n = (size_t)s->n_arguments;
    v->width = in->model.config.hidden_size;
    v->data = calloc(v->n, v->width * sizeof *v->data);
    if (!v->data)
        return fail_memory(e, "the vectors");
    for (size_t i = 0; i < v->n; i++)
        if ((i > 0 && input_next(in, s->arguments[i], 0, e)) ||
            pool_text(in, s, v->data + i * v->width, e))
            return -1;
    return 0;
}

static int print_vectors(const struct vectors *v, struct error *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < v->width; j++)
            json_add(&row, json_real((double)v->data[i * v->width + j]));
        json_add(&list, row);
    }
    return print_json_line(list, e);
}

/* The numbers of one text, eight a line. */
static void print_numbers(const struct vectors *v)
{
    for (size_t j = 0; j < v->width; j++)
        printf("%8.4f%s", (double)v->data[j],
               j % 8 == 7 || j + 1 == v->width ? "\n" : " ");
}

/* How alike each text is to each. */
static void print_likeness(const struct vectors *v, char *const *texts)
{
    for (size_t i = 0; i < v->n; i++) {
        for (size_t j = 0; j < v->n; j++)
            printf("%7.4f ",
                   (double)likeness(v->data + i * v->width,
                                    v->data + j * v->width, v->width));
        printf(" %s\n", texts[i]);
    }
}

int cmd_embed(const struct settings *s, struct error *e)
{
    struct input in;
    struct vectors v = {0};
    if (input_open(&in, s->model, s->arguments[0], 0, e))
        return -1;
    print_ignored(&in.model);
    int result = input_pack(&in, s, e);
    if (result == 0)
        result = pool_all(&in, s, &v, e);
    if (result == 0 && s->json)
        result = print_vectors(&v, e);
    else if (result == 0 && v.n == 1)
        print_numbers(&v);
    else if (result == 0)
        print_likeness(&v, s->arguments);
    free(v.data);
    input_close(&in);
    return result;
}
