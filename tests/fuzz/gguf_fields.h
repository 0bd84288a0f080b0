/* The numbers that give a GGUF file its form: lengths, counts, types, offsets.
 * For fuzzers, which put others there. */
#ifndef GGUF_FIELDS_H
#define GGUF_FIELDS_H

#include "gguf_cursor.h"

#include <stdint.h>
#include <string.h>

enum most_fields {
    MOST_FIELDS = 512
};

/* A number in the file. */
struct field {
    size_t at, width;
};

struct fields {
    struct field all[MOST_FIELDS];
    size_t n;
};

static inline void note_field(struct fields *f, size_t at, size_t width)
{
    if (f->n < MOST_FIELDS)
        f->all[f->n++] = (struct field){at, width};
}

/* Step over a text, whose length is a field. */
static inline int find_in_text(struct gguf_cursor *c, struct fields *f)
{
    const char *text;
    size_t size;
    struct error e;
    note_field(f, c->at, 8);
    return cursor_text(c, &text, &size, &e);
}

static inline int find_in_value(struct gguf_cursor *c, struct fields *f)
{
    enum gguf_type type;
    struct error e;
    if (find_in_text(c, f))
        return -1;
    note_field(f, c->at, 4);
    if (cursor_type(c, &type, &e))
        return -1;
    if (type == GGUF_ARRAY) {
        note_field(f, c->at, 4);
        note_field(f, c->at + 4, 8);
    } else {
        note_field(f, c->at, type == GGUF_STRING ? 8 : gguf_width(type));
    }
    return cursor_skip(c, type, 0, &e);
}

static inline int find_in_tensor(struct gguf_cursor *c, struct fields *f)
{
    uint32_t rank, kind;
    uint64_t number;
    struct error e;
    if (find_in_text(c, f))
        return -1;
    note_field(f, c->at, 4);
    if (cursor_u32(c, &rank, &e) || rank > GGUF_RANK)
        return -1;
    for (uint32_t i = 0; i < rank; i++) {
        note_field(f, c->at, 8);
        if (cursor_u64(c, &number, &e))
            return -1;
    }
    note_field(f, c->at, 4);
    note_field(f, c->at + 4, 8);
    return cursor_u32(c, &kind, &e) || cursor_u64(c, &number, &e);
}

/* As many fields as can be found before the file is wrong. */
static inline void find_fields(const uint8_t *data, size_t size,
                               struct fields *f)
{
    struct gguf g = {.path = "fuzzed", .data = data, .size = size};
    struct gguf_cursor c = {.file = &g, .at = 8};
    uint64_t tensors, values;
    struct error e;
    note_field(f, 4, 4);
    note_field(f, 8, 8);
    note_field(f, 16, 8);
    if (size < 24 || cursor_u64(&c, &tensors, &e) ||
        cursor_u64(&c, &values, &e))
        return;
    while (values-- > 0 && f->n < MOST_FIELDS)
        if (find_in_value(&c, f))
            return;
    while (tensors-- > 0 && f->n < MOST_FIELDS)
        if (find_in_tensor(&c, f))
            return;
}

static inline unsigned draw(unsigned *seed, unsigned n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

/* A number that is likely to matter where `old` stood. */
static inline uint64_t odd_number(uint64_t old, size_t size, unsigned *seed)
{
    const uint64_t odd[] = {0,
                            1,
                            old + 1,
                            old - 1,
                            old * 2,
                            old + 32,
                            size,
                            size - 1,
                            UINT32_MAX,
                            UINT64_MAX,
                            1u << 31,
                            SIZE_MAX / 2 + 1,
                            SIZE_MAX / 4 + 1,
                            UINT64_C(1) << 40,
                            draw(seed, 42),
                            draw(seed, 256)};
    return odd[draw(seed, sizeof odd / sizeof odd[0])];
}

static inline void change_field(uint8_t *data, size_t size, unsigned *seed)
{
    struct fields f = {.n = 0};
    find_fields(data, size, &f);
    const struct field one = f.all[draw(seed, (unsigned)f.n)];
    uint64_t number = 0;
    if (one.width == 0 || one.at + one.width > size)
        return;
    memcpy(&number, data + one.at, one.width);
    number = odd_number(number, size, seed);
    memcpy(data + one.at, &number, one.width);
}

#endif
