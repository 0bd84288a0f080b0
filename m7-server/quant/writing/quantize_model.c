/* A whole model becomes a folder of codes and scales: see quantize_model.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "quantize_model.h"

#include "beside.h"
#include "calibrate.h"
#include "folder.h"
#include "guard.h"
#include "weights_write.h"

#include <stdlib.h>
#include <string.h>

static const char *scale_said(const struct quantize_request *r)
{
    if (r->calibrate)
        return "least squares, calibrated";
    return r->choice.rounding.search ? "least squares" : "largest value";
}

static int write_all(struct new_folder *folder,
                     const struct quantize_request *r, struct plan *p,
                     struct error *e)
{
    int result =
        beside_write(folder, r->model, &p->rounding, scale_said(r), e);
    if (result == 0 && r->calibrate)
        result = calibrate(p, r->model, r->calibrate, &r->work, e);
    if (result)
        return result;
    return weights_write(folder, p, r->shard_bytes, &r->work, e);
}

static size_t bytes_before(const struct part *p)
{
    return p->quantized ? quantized_row_bytes(p->quantized) * p->rows
                        : p->source->bytes;
}

static void sum_up(const struct plan *p, struct quantize_result *result)
{
    *result = (struct quantize_result){.rounding = p->rounding};
    for (size_t i = 0; i < p->n; i++) {
        const struct part *one = &p->parts[i];
        struct outcome_of *of = &result->by_fate[one->fate];
        of->tensors++;
        of->values += one->rows * one->cols;
        of->before += bytes_before(one);
        of->after += part_bytes(one);
        result->quantized_before += one->quantized != NULL;
    }
}

static int write_planned(const struct quantize_request *r, struct plan *p,
                         struct error *e)
{
    struct new_folder folder;
    if (new_folder_begin(&folder, r->out, e))
        return -1;
    int result = write_all(&folder, r, p, e);
    if (result == 0)
        return new_folder_end(&folder, e);
    new_folder_cancel(&folder);
    return result;
}

static int quantize_open(const struct quantize_request *r,
                         const struct model *m,
                         struct quantize_result *result, struct error *e)
{
    struct plan p;
    if (checkpoint_check(&m->checkpoint, e) ||
        plan_make(&p, m, &r->choice, e))
        return -1;
    sum_up(&p, result);
    int code = write_planned(r, &p, e);
    plan_free(&p);
    return code;
}

/* A folder inside the model's would be part of it from then on. */
static int check_place(const struct quantize_request *r, struct error *e)
{
    char *model = path_is_folder(r->model) ? realpath(r->model, NULL) : NULL;
    char *parent = new_folder_parent(r->out);
    char *place = parent ? realpath(parent, NULL) : NULL;
    size_t length = model ? strlen(model) : 0;
    bool inside = model && place && strncmp(model, place, length) == 0 &&
                  (place[length] == '/' || place[length] == 0);
    free(model);
    free(parent);
    free(place);
    return inside ? fail(e, ERROR_INPUT,
                         "%s: would stand inside the model %s; choose a "
                         "place outside",
                         r->out, r->model)
                  : 0;
}

int quantize_model(const struct quantize_request *r,
                   struct quantize_result *result, struct error *e)
{
    struct model m;
    struct guard g;
    if (check_place(r, e) || model_open(&m, r->model, e))
        return -1;
    guard_begin(&g, m.checkpoint.files, m.checkpoint.n_files);
    int code = quantize_open(r, &m, result, e);
    guard_end(&g);
    model_close(&m);
    return code;
}
