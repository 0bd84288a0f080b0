/* Any bytes as what config.json says about quantization, a zero byte, the
 * rows and columns of a matrix "m", and a safetensors file in which it is
 * looked for: it is refused with a message, or not there, or all of its rows
 * become floats without a byte read outside of the file. */
#include "safetensors.h"
#include "scheme.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "fuzzed";

static void check_error(const struct error *e)
{
    if (e->code == ERROR_NONE || strncmp(e->message, path, strlen(path)) != 0)
        abort();
}

static void unpack_all(const struct quantized *q)
{
    float *row = malloc(q->cols * sizeof *row);
    if (!row || !q->format || quantized_row_bytes(q) > SIZE_MAX / 2)
        abort();
    for (size_t r = 0; r < q->rows; r++)
        quantized_row(q, r, row);
    free(row);
}

static int compare_tensors(const void *a, const void *b)
{
    return tensor_order(((const struct tensor *)a)->name,
                        ((const struct tensor *)b)->name);
}

/* The files' bytes (size,) begin with rows and columns, of a byte each. */
static void look_for_matrix(const struct quantization *s, const uint8_t *data,
                            size_t size)
{
    struct error e = {ERROR_NONE, ""};
    struct mapping file = {.path = path, .data = data + 2, .size = size - 2};
    struct checkpoint c = {.files = &file, .n_files = 1};
    struct quantized q;
    if (safetensors_read(&file, &c.tensors, &c.n_tensors, &e))
        return;
    if (c.n_tensors)
        qsort(c.tensors, c.n_tensors, sizeof *c.tensors, compare_tensors);
    const struct sought wanted = {&c, "m", 1u + data[0], 1u + data[1]};
    int found = quantization_find(s, &wanted, &q, &e);
    if (found == 1)
        unpack_all(&q);
    else if (found != 0)
        check_error(&e);
    tensors_free(c.tensors, c.n_tensors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {ERROR_NONE, ""};
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    if (!zero || (size_t)(zero - data) + 3 > size)
        return 0;
    size_t length = (size_t)(zero - data);
    json_t *root = json_parse((const char *)data, length, path, 0, &e);
    struct config c = {.root = node_root(path, root)};
    struct quantization s;
    if (!root || !json_is_object(root) || quantization_read(&s, &c, &e)) {
        if (root && json_is_object(root))
            check_error(&e);
    } else {
        look_for_matrix(&s, zero + 1, size - length - 1);
    }
    json_decref(root);
    return 0;
}
