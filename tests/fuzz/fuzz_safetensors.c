/* Any bytes as a safetensors file: it is refused, or all of its tensors lie
 * inside it, side by side, and can be read. */
#include "safetensors.h"
#include "stats.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tensor(const struct tensor *t, const struct mapping *file)
{
    size_t count = 1;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    if (count != t->count || t->bytes != count * dtype_bits(t->dtype) / 8 ||
        t->offset > file->size || t->bytes > file->size - t->offset ||
        t->data != file->data + t->offset)
        abort();
    if (!dtype_is_real(t->dtype))
        return;
    struct stats s = tensor_stats(t);
    if (s.n_nan + s.n_infinite + s.n_finite != count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "fuzzed";
    const struct mapping file = {.path = path, .data = data, .size = size};
    struct tensor *tensors = NULL;
    size_t n = 0, end = 0;
    struct error e = {ERROR_NONE, ""};
    if (safetensors_read(&file, &tensors, &n, &e)) {
        if (tensors || e.code == ERROR_NONE ||
            strncmp(e.message, path, strlen(path)) != 0)
            abort();
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        check_tensor(&tensors[i], &file);
        if (i > 0 && tensors[i].offset != end)
            abort();
        end = tensors[i].offset + tensors[i].bytes;
    }
    if (n > 0 && end != size)
        abort();
    tensors_free(tensors, n);
    return 0;
}
