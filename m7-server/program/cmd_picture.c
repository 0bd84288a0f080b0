/* The command that draws.  A kind of picture is a row in a table; a rung that
 * can draw another one adds a row. */
#include "attention_picture.h"
#include "cache_picture.h"
#include "checkpoint.h"
#include "codes_picture.h"
#include "commands.h"
#include "compare_picture.h"
#include "cost_picture.h"
#include "error_picture.h"
#include "grid.h"
#include "guard.h"
#include "picture.h"
#include "probs_picture.h"
#include "roofline_picture.h"
#include "timeline_picture.h"
#include "unpacked.h"

#include <stdio.h>
#include <string.h>

struct picture_kind {
    const char *name;
    const char *arguments; /* what stands behind the name */
    int n_arguments;
    const char *takes; /* its options, by name */
    /* arguments (n_arguments,) */
    int (*draw)(const struct settings *s, char **arguments, struct error *e);
};

/* --- weights ------------------------------------------------------------ */

static void read_row(const void *source, size_t row, float *values)
{
    tensor_row(source, row, values);
}

static int draw_tensor(const struct tensor *t, const char *path,
                       struct error *e)
{
    if (!tensor_is_whole(t))
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: tensor %s: values of %s cannot be drawn",
                    t->file->path, t->name, tensor_type(t));
    size_t columns = tensor_cols(t), rows = columns ? t->count / columns : 0;
    struct heatmap map = {
        .title = t->name,
        .row_axis = "row",
        .column_axis = "column",
        .legend = "weight",
        .rows = rows,
        .columns = columns,
        .row = read_row,
        .source = t,
    };
    /* Signs would cancel out where a cell stands for several weights. */
    map.magnitude = rows > GRID_MOST || columns > GRID_MOST;
    if (map.magnitude)
        map.legend = "mean |weight|";
    return picture_heatmap(&map, path, e);
}

static int draw_named(const struct checkpoint *c, const char *model,
                      const char *name, const char *path, struct error *e)
{
    const struct tensor *t = checkpoint_find(c, name);
    if (!t)
        return fail(e, ERROR_INPUT, "%s: no tensor %s (see: rung tensors)",
                    model, name);
    if (checkpoint_check(c, e))
        return -1;
    return draw_tensor(t, path, e);
}

static int draw_weights(const struct settings *s, char **arguments,
                        struct error *e)
{
    struct checkpoint c;
    if (checkpoint_open(&c, s->model, e))
        return -1;
    struct guard g;
    guard_begin(&g, c.files, c.n_files);
    int result = draw_named(&c, s->model, arguments[0], s->output, e);
    guard_end(&g);
    checkpoint_close(&c);
    return result;
}

/* --- the command -------------------------------------------------------- */

static const struct picture_kind pictures[] = {
    {"weights", "TENSOR", 1, "model output", draw_weights},
    {"attention", "TEXT", 1, "model output layer head cache", draw_attention},
    {"probs", "TEXT", 1, "model output best cache " SAMPLING, draw_probs},
    {"cost", "TEXT", 1, "model output", draw_cost},
    {"cache", "TEXT", 1, "model output chunk cache", draw_cache},
    {"compare", "A B TEXT", 3,
     "output window stride tokens cache exact threads",
     draw_compare},
    {"error", "A B TENSOR", 3, "output", draw_error},
    {"codes", "A B TENSOR", 3, "output", draw_codes},
    {"roofline", "", 0, "output threads", draw_roofline},
    {"timeline", "", 0, "model output exact threads", draw_timeline},
};

static const size_t n_pictures = sizeof pictures / sizeof pictures[0];

/* The error of a kind that does not exist: names those that do. */
static int unknown_kind(const char *name, struct error *e)
{
    char known[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < n_pictures; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 i ? ", " : "", pictures[i].name);
    return fail(e, ERROR_USAGE, "unknown picture %s; there is: %s", name,
                known);
}

static int draw(const struct picture_kind *p, const struct settings *s,
                struct error *e)
{
    char part[80];
    snprintf(part, sizeof part, "picture %s", p->name);
    if (options_check(s, part, p->takes, e))
        return -1;
    if (s->n_arguments - 1 != p->n_arguments)
        return fail(e, ERROR_USAGE, "expected: rung picture %s %s -o FILE",
                    p->name, p->arguments);
    if (!s->output)
        return fail(e, ERROR_USAGE, "where to? rung picture %s %s -o FILE.png",
                    p->name, p->arguments);
    return p->draw(s, s->arguments + 1, e);
}

int cmd_picture(const struct settings *s, struct error *e)
{
    for (size_t i = 0; i < n_pictures; i++)
        if (strcmp(pictures[i].name, s->arguments[0]) == 0)
            return draw(&pictures[i], s, e);
    return unknown_kind(s->arguments[0], e);
}
