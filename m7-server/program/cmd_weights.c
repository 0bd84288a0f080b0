/* The command that lists a model's weights.  Knows checkpoints only by their
 * header. */
#include "checkpoint.h"
#include "commands.h"
#include "guard.h"
#include "json_write.h"
#include "unpacked.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- as JSON ------------------------------------------------------------ */

static json_t *json_size(size_t size)
{
    return json_integer((json_int_t)size);
}

static json_t *json_shape(const struct tensor *t)
{
    json_t *shape = json_array();
    for (int i = 0; i < t->rank; i++)
        json_add(&shape, json_size(t->shape[i]));
    return shape;
}

static void put_stats(json_t **object, const struct stats *s)
{
    json_put(object, "min", json_real(s->least));
    json_put(object, "mean", json_real(s->mean));
    json_put(object, "max", json_real(s->most));
    json_put(object, "nan", json_size(s->n_nan));
    json_put(object, "inf", json_size(s->n_infinite));
}

/* `row` is room for the longest row; NULL: statistics are not asked for. */
static json_t *json_tensor(const struct tensor *t, float *row)
{
    json_t *object = json_object();
    json_put(&object, "name", json_string(t->name));
    json_put(&object, "dtype", json_string(tensor_type(t)));
    json_put(&object, "shape", json_shape(t));
    json_put(&object, "bytes", json_size(t->bytes));
    json_put(&object, "file", json_string(t->file->path));
    json_put(&object, "offset", json_size(t->offset));
    if (row && tensor_is_whole(t)) {
        struct stats s = whole_stats(t, row);
        put_stats(&object, &s);
    }
    return object;
}

/* An array with one tensor a line. */
static int print_json(const struct checkpoint *c, float *row, struct error *e)
{
    for (size_t i = 0; i < c->n_tensors; i++) {
        fputs(i ? ",\n " : "[", stdout);
        json_t *tensor = json_tensor(&c->tensors[i], row);
        int failed = json_dumpf(tensor, stdout, JSON_REAL_PRECISION(9));
        json_decref(tensor);
        if (failed)
            return fail(e, ERROR_SYSTEM, "cannot print %s",
                        c->tensors[i].name);
    }
    puts(c->n_tensors ? "]" : "[]");
    return 0;
}

/* --- as a table --------------------------------------------------------- */

/* How wide the columns of text are. */
struct widths {
    int name, dtype, shape;
};

static int wider(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static struct widths measure(const struct checkpoint *c)
{
    struct widths w = {(int)strlen("tensor"), (int)strlen("dtype"),
                       (int)strlen("shape")};
    for (size_t i = 0; i < c->n_tensors; i++) {
        const struct tensor *t = &c->tensors[i];
        char shape[TENSOR_SHAPE_TEXT];
        tensor_shape(t, shape);
        w.name = wider(w.name, t->name);
        w.dtype = wider(w.dtype, tensor_type(t));
        w.shape = wider(w.shape, shape);
    }
    return w;
}

static void print_stats(const struct tensor *t, float *row)
{
    if (!tensor_is_whole(t)) {
        printf("  %11s %11s %11s", "-", "-", "-");
        return;
    }
    struct stats s = whole_stats(t, row);
    printf("  %11.4g %11.4g %11.4g", s.least, s.mean, s.most);
    if (s.n_nan)
        printf("  %zu NaN", s.n_nan);
    if (s.n_infinite)
        printf("  %zu infinite", s.n_infinite);
}

static void print_tensor(const struct tensor *t, struct widths w, float *row)
{
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    printf("%-*s  %-*s  %-*s %12zu", w.name, t->name, w.dtype,
           tensor_type(t), w.shape, shape, t->bytes);
    if (row)
        print_stats(t, row);
    putchar('\n');
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_total(const struct checkpoint *c)
{
    size_t values = 0, bytes = 0;
    for (size_t i = 0; i < c->n_tensors; i++) {
        values += c->tensors[i].count;
        bytes += c->tensors[i].bytes;
    }
    printf("\n%zu tensor%s, %zu value%s, %zu byte%s in %zu file%s\n",
           c->n_tensors, plural(c->n_tensors), values, plural(values), bytes,
           plural(bytes), c->n_files, plural(c->n_files));
}

static void print_table(const struct checkpoint *c, float *row)
{
    struct widths w = measure(c);
    printf("%-*s  %-*s  %-*s %12s", w.name, "tensor", w.dtype, "dtype",
           w.shape, "shape", "bytes");
    if (row)
        printf("  %11s %11s %11s", "min", "mean", "max");
    putchar('\n');
    for (size_t i = 0; i < c->n_tensors; i++)
        print_tensor(&c->tensors[i], w, row);
    print_total(c);
}

/* --- the command -------------------------------------------------------- */

static size_t longest_tensor_row(const struct checkpoint *c)
{
    size_t most = 1;
    for (size_t i = 0; i < c->n_tensors; i++)
        if (tensor_cols(&c->tensors[i]) > most)
            most = tensor_cols(&c->tensors[i]);
    return most;
}

static int print_tensors(const struct checkpoint *c, const struct settings *s,
                         struct error *e)
{
    int result = 0;
    float *row = NULL;
    if (checkpoint_check(c, e))
        return -1;
    if (s->stats && !(row = calloc(longest_tensor_row(c), sizeof *row)))
        return fail_memory(e, "the statistics");
    if (s->json)
        result = print_json(c, row, e);
    else
        print_table(c, row);
    free(row);
    return result;
}

int cmd_tensors(const struct settings *s, struct error *e)
{
    const char *model = s->n_arguments ? s->arguments[0] : s->model;
    struct checkpoint c;
    if (checkpoint_open(&c, model, e))
        return -1;
    struct guard g;
    guard_begin(&g, c.files, c.n_files);
    int result = print_tensors(&c, s, e);
    guard_end(&g);
    checkpoint_close(&c);
    return result;
}
