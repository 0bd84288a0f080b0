/* The bounds of a rendering: see sandbox.h. */
#include "sandbox.h"

#include "sizes.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sandbox_block {
    struct sandbox_block *next;
    size_t used, size;
    max_align_t data[];
};

void sandbox_init(struct sandbox *s, size_t bytes, size_t steps,
                  struct error *e)
{
    *s = (struct sandbox){
        .bytes_left = bytes, .steps_left = steps, .error = e};
}

void sandbox_free(struct sandbox *s)
{
    while (s->blocks) {
        struct sandbox_block *next = s->blocks->next;
        free(s->blocks);
        s->blocks = next;
    }
}

int sandbox_fail(struct sandbox *s, const char *format, ...)
{
    /* A byte more than there is room for: so fail() sees that it was cut. */
    char message[sizeof s->error->message + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(s->error, ERROR_INPUT, "%s", message);
}

int sandbox_room(struct sandbox *s, size_t bytes)
{
    if (bytes <= s->bytes_left)
        return 0;
    return sandbox_fail(s, "the template needs more memory than it may use");
}

int sandbox_charge(struct sandbox *s, size_t bytes)
{
    if (sandbox_room(s, bytes))
        return -1;
    s->bytes_left -= bytes;
    return 0;
}

int sandbox_work(struct sandbox *s, size_t bytes)
{
    size_t steps = 1 + bytes / SANDBOX_STEP_BYTES;
    if (steps > s->steps_left) {
        s->steps_left = 0;
        return sandbox_fail(s, "the template takes more steps than it may");
    }
    s->steps_left -= steps;
    return 0;
}

/* A new block in front of the others, with room for `size` bytes. */
static int add_memory_block(struct sandbox *s, size_t size)
{
    size_t least = s->blocks ? SANDBOX_BLOCK : SANDBOX_FIRST;
    size = larger_size(size, least);
    struct sandbox_block *b = malloc(sizeof *b + size);
    if (!b)
        return fail_memory(s->error, "a template's values");
    *b = (struct sandbox_block){.next = s->blocks, .size = size};
    s->blocks = b;
    return 0;
}

void *sandbox_alloc(struct sandbox *s, size_t count, size_t width)
{
    const size_t align = sizeof(max_align_t);
    if (width && count > (SIZE_MAX / 2 - align) / width) {
        sandbox_room(s, SIZE_MAX);
        return NULL;
    }
    size_t size = (count * width + align - 1) / align * align;
    if (sandbox_charge(s, size) || sandbox_work(s, size))
        return NULL;
    if (!s->blocks || s->blocks->size - s->blocks->used < size)
        if (add_memory_block(s, size))
            return NULL;
    void *result = (char *)s->blocks->data + s->blocks->used;
    s->blocks->used += size;
    return result;
}

void *sandbox_grow(struct sandbox *s, void *array, size_t *capacity,
                   size_t needed, size_t width)
{
    if (needed <= *capacity)
        return array;
    size_t larger = larger_size(needed, larger_size(4, *capacity * 2));
    void *moved = sandbox_alloc(s, larger, width);
    if (!moved)
        return NULL;
    if (*capacity)
        memcpy(moved, array, *capacity * width);
    *capacity = larger;
    return moved;
}

int sandbox_enter(struct sandbox *s)
{
    if (s->depth >= SANDBOX_DEPTH)
        return sandbox_fail(s, "the template goes more than %d levels deep",
                            SANDBOX_DEPTH);
    s->depth++;
    return 0;
}

void sandbox_leave(struct sandbox *s)
{
    s->depth--;
}
