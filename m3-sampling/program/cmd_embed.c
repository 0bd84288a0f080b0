/* The command that turns each text into one vector. */
#include "commands.h"
#include "pool.h"
#include "print.h"
#include "reading.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* The vectors of some texts: (n, width), row-major. */
struct vectors {
    float *data; /* owned */
    size_t n, width;
};

static int pool_text(const struct reading *r, float *out, struct error *e)
{
    struct state s;
    if (state_init(&s, &r->model, r->ids.size, e))
        return -1;
    pool(&r->model, &s, r->ids.data, r->ids.size, out);
    state_free(&s);
    return 0;
}

/* The vectors of all texts; the first has been read. */
static int pool_all(struct reading *r, const struct settings *s,
                    struct vectors *v, struct error *e)
{
    v->n = (size_t)s->n_arguments;
    v->width = r->model.config.hidden_size;
    v->data = calloc(v->n, v->width * sizeof *v->data);
    if (!v->data)
        return fail_memory(e, "the vectors");
    for (size_t i = 0; i < v->n; i++)
        if ((i > 0 && reading_next(r, s->arguments[i], 0, e)) ||
            pool_text(r, v->data + i * v->width, e))
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
    struct reading r;
    struct vectors v = {0};
    if (reading_open(&r, s->model, s->arguments[0], 0, e))
        return -1;
    print_ignored(&r.model);
    int result = pool_all(&r, s, &v, e);
    if (result == 0 && s->json)
        result = print_vectors(&v, e);
    else if (result == 0 && v.n == 1)
        print_numbers(&v);
    else if (result == 0)
        print_likeness(&v, s->arguments);
    free(v.data);
    reading_close(&r);
    return result;
}
