/* Writing a safetensors file: see safetensors_write.h. */
#include "safetensors_write.h"

#include "json_write.h"

#include <stdlib.h>
#include <string.h>

static json_t *size_value(size_t size)
{
    return json_integer((json_int_t)size);
}

/* One row of the table, for a tensor whose data begins at `first`. */
static json_t *table_row(const struct new_tensor *t, size_t first)
{
    json_t *row = json_object(), *shape = json_array(),
           *offsets = json_array();
    for (int i = 0; i < t->rank; i++)
        json_add(&shape, size_value(t->shape[i]));
    json_add(&offsets, size_value(first));
    json_add(&offsets, size_value(first + t->bytes));
    json_put(&row, "dtype", json_string(dtype_name(t->dtype)));
    json_put(&row, "shape", shape);
    json_put(&row, "data_offsets", offsets);
    return row;
}

/* The table as text, to be freed; NULL without memory. */
static char *table_text(const struct new_tensor *tensors, size_t n,
                        json_t *metadata)
{
    json_t *table = json_object();
    size_t at = 0;
    json_put(&table, "__metadata__", json_incref(metadata));
    for (size_t i = 0; i < n; i++) {
        json_put(&table, tensors[i].name, table_row(&tensors[i], at));
        at += tensors[i].bytes;
    }
    char *text = json_text(table, JSON_COMPACT);
    json_decref(table);
    return text;
}

/* The length, the text, and spaces to the next multiple. */
static int write_table(const struct new_folder *folder, FILE *file,
                       const char *text, struct error *e)
{
    static const char spaces[] = "        "
                                 "                                "
                                 "                        ";
    unsigned char length[8];
    size_t size = strlen(text), before = sizeof length + size;
    size_t fill = (WRITTEN_ALIGNMENT - before % WRITTEN_ALIGNMENT) %
                  WRITTEN_ALIGNMENT;
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)((size + fill) >> 8 * i);
    if (new_folder_add(folder, file, length, sizeof length, e) ||
        new_folder_add(folder, file, text, size, e))
        return -1;
    return new_folder_add(folder, file, spaces, fill, e);
}

int safetensors_write(const struct new_folder *folder, FILE *file,
                      const struct new_tensor *tensors, size_t n,
                      json_t *metadata, struct error *e)
{
    char *text = table_text(tensors, n, metadata);
    if (!text)
        return fail_memory(e, "the table of a file");
    int result = write_table(folder, file, text, e);
    free(text);
    return result;
}
