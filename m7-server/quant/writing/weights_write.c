/* The weights of a plan as files: see weights_write.h. */
#include "weights_write.h"

#include "beside.h"
#include "json_write.h"
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum writing_sizes {
    PIECE = 1 << 20, /* bytes that are copied at once */
    NAME_OF_FILE = 64
};

/* The writing of a plan's parts into files of a folder. */
struct writing {
    const struct plan *plan;
    const struct work *work;
    const struct new_folder *folder;
    FILE *file;       /* the one that is being written */
    size_t done, all; /* bytes of tensors */
    float *row;       /* (the longest row's columns,) */
    unsigned char *codes;
    float *scales; /* (rows, groups) of the matrix with the most */
};

/* --- one part ------------------------------------------------------------ */

static int add_bytes(struct writing *w, const void *data, size_t size,
                     struct error *e)
{
    w->done += size;
    return new_folder_add(w->folder, w->file, data, size, e);
}

/* 1 when the work is to end here. */
static int pause_writing(const struct writing *w)
{
    return work_goes_on(w->work, "writing", w->done, w->all) ? 0 : 1;
}

static int check_values(const struct part *p, size_t row, const float *x,
                        struct error *e)
{
    for (size_t i = 0; i < p->cols; i++)
        if (!can_quantize(x[i]))
            return fail(e, ERROR_INPUT,
                        "%s: tensor %s: value [%zu, %zu] is %g, which no "
                        "scale can stand for",
                        p->source->file->path, p->source->name, row, i,
                        (double)x[i]);
    return 0;
}

/* The codes row by row, then all scales. */
static int write_rounded(struct writing *w, const struct part *p,
                         struct error *e)
{
    const struct rounding *r = &w->plan->rounding;
    size_t groups = p->cols / r->group;
    size_t bytes = p->cols * r->format->bits / 8;
    for (size_t row = 0; row < p->rows; row++) {
        if (pause_writing(w))
            return 1;
        part_row(p, row, w->row);
        if (check_values(p, row, w->row, e))
            return -1;
        quantize_row(r, w->row, p->cols, p->importance, w->codes,
                     w->scales + row * groups);
        if (add_bytes(w, w->codes, bytes, e))
            return -1;
    }
    return add_bytes(w, w->scales, p->tensors[1].bytes, e);
}

static int write_copy(struct writing *w, const struct part *p,
                      struct error *e)
{
    for (size_t at = 0; at < p->source->bytes; at += PIECE) {
        if (pause_writing(w))
            return 1;
        if (add_bytes(w, p->source->data + at,
                      smaller_size(PIECE, p->source->bytes - at), e))
            return -1;
    }
    return 0;
}

static int write_floats(struct writing *w, const struct part *p,
                        struct error *e)
{
    for (size_t row = 0; row < p->rows; row++) {
        if (pause_writing(w))
            return 1;
        part_row(p, row, w->row);
        if (add_bytes(w, w->row, p->cols * sizeof *w->row, e))
            return -1;
    }
    return 0;
}

static int write_part(struct writing *w, const struct part *p,
                      struct error *e)
{
    if (p->fate == FATE_ROUNDED)
        return write_rounded(w, p, e);
    return p->copied ? write_copy(w, p, e) : write_floats(w, p, e);
}

/* --- a file of parts ----------------------------------------------------- */

static json_t *metadata_of(const struct rounding *r)
{
    char group[24];
    json_t *metadata = json_object();
    snprintf(group, sizeof group, "%zu", r->group);
    json_put(&metadata, "format", json_string("pt"));
    json_put(&metadata, "quant_method", json_string("rung"));
    json_put(&metadata, "quant_format", json_string(r->format->name));
    json_put(&metadata, "quant_group_size", json_string(group));
    return metadata;
}

static int write_table_of(struct writing *w, const struct part *parts,
                          size_t n, struct error *e)
{
    struct new_tensor *tensors = calloc(2 * n + 1, sizeof *tensors);
    json_t *metadata = metadata_of(&w->plan->rounding);
    size_t count = 0;
    for (size_t i = 0; tensors && i < n; i++)
        for (size_t j = 0; j < parts[i].n_tensors; j++)
            tensors[count++] = parts[i].tensors[j];
    int result = tensors && metadata
                     ? safetensors_write(w->folder, w->file, tensors, count,
                                         metadata, e)
                     : fail_memory(e, "the table of a file");
    json_decref(metadata);
    free(tensors);
    return result;
}

static int write_file_of(struct writing *w, const char *name,
                         const struct part *parts, size_t n, struct error *e)
{
    w->file = new_folder_file(w->folder, name, e);
    if (!w->file)
        return -1;
    int result = write_table_of(w, parts, n, e);
    for (size_t i = 0; result == 0 && i < n; i++)
        result = write_part(w, &parts[i], e);
    struct error unused; /* the first error is the one to tell */
    int closed = new_folder_close(w->folder, w->file, result ? &unused : e);
    return result ? result : closed;
}

/* --- all files ----------------------------------------------------------- */

/* How many parts from `first` on one file holds. */
static size_t parts_of_file(const struct plan *p, size_t first, size_t most)
{
    size_t n = 0, bytes = 0;
    for (size_t i = first; i < p->n; i++, n++) {
        bytes += part_bytes(&p->parts[i]);
        if (n > 0 && bytes > most)
            break;
    }
    return n;
}

static size_t count_files(const struct plan *p, size_t most)
{
    size_t n = 0;
    for (size_t at = 0; at < p->n; at += parts_of_file(p, at, most))
        n++;
    return n;
}

static void name_file(char *name, size_t i, size_t n)
{
    if (n == 1)
        strcpy(name, "model.safetensors");
    else
        snprintf(name, NAME_OF_FILE, "model-%05zu-of-%05zu.safetensors",
                 i + 1, n);
}

/* Which tensor is in which file, as others write it, too. */
static int write_index(const struct writing *w, json_t *map, struct error *e)
{
    json_t *index = json_object(), *metadata = json_object();
    json_put(&metadata, "total_size", json_integer((json_int_t)w->all));
    json_put(&index, "metadata", metadata);
    json_put(&index, "weight_map", map);
    return json_write_file(w->folder, "model.safetensors.index.json", index,
                           e);
}

static int write_files(struct writing *w, size_t most, struct error *e)
{
    const struct plan *p = w->plan;
    size_t n = count_files(p, most);
    json_t *map = json_object();
    int result = 0;
    for (size_t i = 0, at = 0; result == 0 && i < n; i++) {
        char name[NAME_OF_FILE];
        size_t count = parts_of_file(p, at, most);
        name_file(name, i, n);
        for (size_t j = at; j < at + count; j++)
            for (size_t k = 0; k < p->parts[j].n_tensors; k++)
                json_put(&map, p->parts[j].tensors[k].name,
                         json_string(name));
        result = write_file_of(w, name, p->parts + at, count, e);
        at += count;
    }
    if (result == 0 && n > 1)
        return write_index(w, map, e);
    json_decref(map);
    return result;
}

/* Room for the longest row, and for the scales of the largest matrix. */
static int make_room(struct writing *w, struct error *e)
{
    size_t cols = 1, scales = 1;
    for (size_t i = 0; i < w->plan->n; i++) {
        const struct part *p = &w->plan->parts[i];
        w->all += part_bytes(p);
        cols = larger_size(cols, p->copied ? 1 : p->cols);
        if (p->fate == FATE_ROUNDED)
            scales = larger_size(scales, p->tensors[1].bytes);
    }
    w->row = malloc(cols * sizeof *w->row);
    w->codes = malloc(cols);
    w->scales = malloc(scales);
    return w->row && w->codes && w->scales
               ? 0
               : fail_memory(e, "the rows of a matrix");
}

int weights_write(const struct new_folder *folder, const struct plan *p,
                  size_t most, const struct work *work, struct error *e)
{
    struct writing w = {.plan = p, .work = work, .folder = folder};
    int result = make_room(&w, e);
    if (result == 0)
        result = new_folder_check_room(folder, w.all, e);
    if (result == 0)
        result = write_files(&w, most, e);
    free(w.row);
    free(w.codes);
    free(w.scales);
    return result;
}
