/* Growing arrays: see buffer.h. */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *grow(void *array, size_t *capacity, size_t needed, size_t width)
{
    if (needed <= *capacity && array)
        return array;
    size_t larger = *capacity < 16 ? 16 : *capacity;
    while (larger < needed && larger <= SIZE_MAX / 2)
        larger *= 2;
    if (larger < needed || larger > SIZE_MAX / width)
        return NULL;
    void *moved = realloc(array, larger * width);
    if (moved)
        *capacity = larger;
    return moved;
}

void bytes_add(struct bytes *b, const void *data, size_t size)
{
    if (b->failed || size == 0)
        return;
    char *moved = size <= SIZE_MAX - b->size
                      ? grow(b->data, &b->capacity, b->size + size, 1)
                      : NULL;
    if (!moved) {
        b->failed = true;
        return;
    }
    b->data = moved;
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void bytes_add_string(struct bytes *b, const char *string)
{
    bytes_add(b, string, strlen(string));
}

int bytes_read(struct bytes *b, FILE *f, const char *name, struct error *e)
{
    char block[65536];
    size_t got;
    while (!b->failed && (got = fread(block, 1, sizeof block, f)) > 0)
        bytes_add(b, block, got);
    if (ferror(f))
        return fail_errno(e, name);
    return b->failed ? fail_memory(e, name) : 0;
}

void bytes_free(struct bytes *b)
{
    free(b->data);
    *b = (struct bytes){0};
}

void ids_add(struct ids *list, int id)
{
    int *moved = list->failed ? NULL
                              : grow(list->data, &list->capacity,
                                     list->size + 1, sizeof *list->data);
    if (!moved) {
        list->failed = true;
        return;
    }
    list->data = moved;
    list->data[list->size++] = id;
}

void ids_free(struct ids *list)
{
    free(list->data);
    *list = (struct ids){0};
}
