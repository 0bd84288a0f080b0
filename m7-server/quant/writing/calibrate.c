/* Calibration: see calibrate.h. */
#include "calibrate.h"

#include "forward.h"
#include "sizes.h"
#include "tokenizer.h"

#include <stdlib.h>
#include <string.h>

enum calibration_sizes { WINDOW_OF_TEXT = 512 };

/* What one matrix has met. */
struct columns {
    double *squares; /* (cols,), summed over all rows; or NULL */
    size_t rows;     /* how many */
};

struct calibration {
    struct plan *plan;
    struct columns *columns; /* (plan->n,) */
    const struct work *work;
    size_t done, all; /* tokens */
};

/* The part that a weight is, of those that are rounded, or NULL. */
static struct columns *columns_of(const struct calibration *c,
                                  const struct weight *w)
{
    for (size_t i = 0; i < c->plan->n; i++) {
        const struct part *p = &c->plan->parts[i];
        bool same = p->quantized ? w->quantized == p->quantized
                                 : !w->quantized && w->data == p->source->data;
        if (same && p->fate == FATE_ROUNDED)
            return &c->columns[i];
    }
    return NULL;
}

/* Rows x (n, w->cols) have reached w. */
static void add_squares(void *context, const struct weight *w, const float *x,
                        size_t n)
{
    struct columns *all = columns_of(context, w);
    if (!all)
        return;
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < w->cols; i++) {
            double value = x[t * w->cols + i];
            all->squares[i] += value * value;
        }
    all->rows += n;
}

/* The head is asked for few rows, or none; what it would be multiplied with
 * is seen in all. */
static void see_norm(void *context, const char *name, int layer,
                     const float *data, struct shape shape)
{
    struct calibration *c = context;
    (void)layer;
    if (strcmp(name, "norm") != 0)
        return;
    add_squares(c, &c->plan->model->head, data, shape.rows);
    c->done += shape.rows;
}

static bool is_to_end(void *context)
{
    const struct calibration *c = context;
    return !work_goes_on(c->work, "calibrating", c->done, c->all);
}

/* Whether the tokenizer began the text with a token of its own. */
static bool begins_itself(const struct model *m, const struct ids *ids)
{
    return m->config.bos >= 0 && ids->size > 0 &&
           ids->data[0] == m->config.bos;
}

/* Run ids (n,) in windows.  Where the tokenizer begins a text with a token of
 * its own, each window has it. */
static int run_windows(struct calibration *c, struct state *s,
                       const struct ids *ids, struct error *e)
{
    const struct model *m = c->plan->model;
    const struct observer o = {see_norm, c};
    bool begins = m->max_positions > 1 && begins_itself(m, ids);
    int window[WINDOW_OF_TEXT] = {m->config.bos};
    size_t most = smaller_size(WINDOW_OF_TEXT, m->max_positions) - begins;
    for (size_t at = begins; at < ids->size; at += most) {
        size_t n = smaller_size(most, ids->size - at);
        memcpy(window + begins, ids->data + at, n * sizeof *window);
        int result = forward(m, s, window, n + begins, &o, e);
        if (result)
            return result;
    }
    return 0;
}

static int run_text(struct calibration *c, const struct ids *ids,
                    struct error *e)
{
    struct state s;
    const struct watcher watcher = {add_squares, c};
    if (state_init_chunked(&s, c->plan->model, WINDOW_OF_TEXT, STATE_CHUNK, e))
        return -1;
    s.compute.watcher = &watcher;
    s.cancelled = is_to_end;
    s.cancel_context = c;
    c->all = ids->size;
    int result = run_windows(c, &s, ids, e);
    state_free(&s);
    return result;
}

/* --- the text ------------------------------------------------------------ */

static int read_text(const char *path, struct bytes *text, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return fail_errno(e, path);
    int result = bytes_read(text, f, path, e);
    fclose(f);
    return result;
}

static int read_calibration(const char *model, const char *path,
                            struct ids *ids, struct error *e)
{
    struct bytes text = {0};
    struct tokenizer *t = tokenizer_load(model, e);
    int result = t ? read_text(path, &text, e) : -1;
    if (result == 0)
        result = tokenizer_encode(t, text.data ? text.data : "", text.size,
                                  true, ids, e);
    if (result == 0 && text.size == 0)
        result = fail(e, ERROR_INPUT,
                      "%s: is empty: there is nothing to calibrate with",
                      path);
    bytes_free(&text);
    tokenizer_free(t);
    return result;
}

/* --- the whole ----------------------------------------------------------- */

static int make_columns(struct calibration *c, struct error *e)
{
    const struct plan *p = c->plan;
    c->columns = calloc(p->n + 1, sizeof *c->columns);
    if (!c->columns)
        return fail_memory(e, "a calibration");
    for (size_t i = 0; i < p->n; i++) {
        if (p->parts[i].fate != FATE_ROUNDED)
            continue;
        c->columns[i].squares = calloc(p->parts[i].cols, sizeof(double));
        if (!c->columns[i].squares)
            return fail_memory(e, "a calibration");
    }
    return 0;
}

static int take_means(struct part *p, const struct columns *c, struct error *e)
{
    if (c->rows == 0)
        return 0;
    p->importance = malloc(p->cols * sizeof *p->importance);
    if (!p->importance)
        return fail_memory(e, "a calibration");
    for (size_t i = 0; i < p->cols; i++)
        p->importance[i] = (float)(c->squares[i] / (double)c->rows);
    return 0;
}

static void free_columns(struct calibration *c)
{
    for (size_t i = 0; c->columns && i < c->plan->n; i++)
        free(c->columns[i].squares);
    free(c->columns);
}

int calibrate(struct plan *p, const char *model, const char *path,
              const struct work *work, struct error *e)
{
    struct calibration c = {.plan = p, .work = work};
    struct ids ids = {0};
    int result = make_columns(&c, e);
    if (result == 0)
        result = read_calibration(model, path, &ids, e);
    if (result == 0 && ids.size == begins_itself(p->model, &ids))
        result = fail(e, ERROR_INPUT,
                      "%s: holds no token to calibrate with", path);
    if (result == 0)
        result = run_text(&c, &ids, e);
    for (size_t i = 0; result == 0 && i < p->n; i++)
        result = take_means(&p->parts[i], &c.columns[i], e);
    free_columns(&c);
    ids_free(&ids);
    return result;
}
