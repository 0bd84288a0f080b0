/* Panels of keys and values: see panels.h. */
#include "panels.h"

#include "quantized.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a kind of numbers is. */
static const struct kind_bits {
    size_t number; /* bits of one */
    size_t scale;  /* bytes of one */
} kinds[N_PANEL_KINDS] = {
    [PANEL_F32] = {32, 0},  [PANEL_F16] = {16, 0},  [PANEL_INT8] = {8, 4},
    [PANEL_4BITS] = {4, 2}, [PANEL_3BITS] = {3, 2}, [PANEL_2BITS] = {2, 2}};

static size_t panel_number_bytes(const struct panels *p)
{
    size_t bits = kinds[p->kind].number;
    size_t sharing = bits == 4 ? 8 : 16; /* rows, of whole words */
    if (bits >= 8)
        return p->rows * p->width * (bits / 8);
    return (p->rows + sharing - 1) / sharing * sharing * bits / 8 * p->width;
}

struct panels panels_shape(enum panel_kind kind, bool is_values,
                           size_t n_heads, size_t head_dim)
{
    struct panels p = {.kind = kind,
                       .is_values = is_values,
                       .n_heads = n_heads,
                       .head_dim = head_dim};
    size_t width = 0, parts = 0;
    for (size_t at = 0, size; at < head_dim; at += size, parts++) {
        size = part_size(kind, head_dim - at);
        width += filled_up(size);
    }
    p.rows = is_values ? PANEL_POSITIONS : head_dim;
    p.width = is_values ? width : PANEL_POSITIONS;
    p.n_parts = kinds[kind].scale ? parts : 0;
    p.scale_bytes = p.n_parts * PANEL_POSITIONS * kinds[kind].scale;
    p.bytes = (p.scale_bytes + panel_number_bytes(&p) + 63) / 64 * 64;
    return p;
}

int panels_reserve(struct panels *p, size_t n_blocks, struct error *e)
{
    size_t each = p->n_heads * BLOCK_PANELS * p->bytes;
    p->n_blocks = n_blocks;
    if (each > 0 && n_blocks < (SIZE_MAX - 64) / each)
        p->owned = calloc(n_blocks * each + 64, 1);
    if (!p->owned)
        return fail_memory(e, "the cache");
    p->data = (unsigned char *)(((uintptr_t)p->owned + 63) / 64 * 64);
    return 0;
}

void panels_free(struct panels *p)
{
    free(p->owned);
    *p = (struct panels){0};
}

size_t panels_size(const struct panels *p)
{
    return p->n_blocks * p->n_heads * BLOCK_PANELS * p->bytes;
}

/* --- single numbers ------------------------------------------------------ */

/* Where byte `byte` stands, the lowest being 0, of the word that has the code
 * of a row and column. */
static size_t place_of_byte(const struct panels *p, size_t row, size_t column,
                            size_t byte)
{
    size_t bits = kinds[p->kind].number;
    size_t group = row / 16 * 2 * bits * p->width;
    size_t word = group + 4 * column;
    if (bits == 2 || row % 16 < 8)
        return word + byte;
    if (bits == 4)
        return word + 4 * p->width + byte;
    return byte < 2 ? group + 4 * p->width + 2 * column + byte : word + 3;
}

/* The bits of a word that come before those of a row. */
static size_t bits_before(size_t bits, size_t row)
{
    return row % (bits == 2 ? 16 : 8) * bits;
}

static void put_bits(unsigned char *byte, unsigned mask, unsigned code)
{
    *byte = (unsigned char)((*byte & ~mask) | (code & mask));
}

/* A code may begin in one byte and end in the next. */
static void put_code_at(const struct panels *p, unsigned char *numbers,
                        size_t row, size_t column, unsigned code)
{
    size_t bits = kinds[p->kind].number, before = bits_before(bits, row);
    unsigned mask = ((1u << bits) - 1) << before % 8;
    code <<= before % 8;
    put_bits(numbers + place_of_byte(p, row, column, before / 8), mask, code);
    if (mask > 0xff)
        put_bits(numbers + place_of_byte(p, row, column, before / 8 + 1),
                 mask >> 8, code >> 8);
}

static unsigned take_code_at(const struct panels *p,
                             const unsigned char *numbers, size_t row,
                             size_t column)
{
    size_t bits = kinds[p->kind].number, before = bits_before(bits, row);
    size_t shift = before % 8;
    unsigned code =
        numbers[place_of_byte(p, row, column, before / 8)] >> shift;
    if (shift + bits > 8)
        code |= (unsigned)numbers[place_of_byte(p, row, column,
                                                before / 8 + 1)]
                << (8 - shift);
    return code & ((1u << bits) - 1);
}

/* --- a head of a position ------------------------------------------------ */

/* A part of a head, at its place: its numbers are a column of keys, or stand
 * in a row of values. */
struct part_place {
    size_t first, end;   /* numbers of the head */
    size_t row, column;  /* where the first of them stands */
    size_t slot;         /* of the position, in its block */
};

/* Write codes of few bits of a part, from the stream of those of a head. */
static void put_codes(const struct panels *p, unsigned char *numbers,
                      const struct part_place *at, const unsigned char *stream)
{
    size_t bits = kinds[p->kind].number;
    for (size_t i = at->first; i < at->end; i++) {
        size_t on = i - at->first;
        put_code_at(p, numbers, at->row + (p->is_values ? 0 : on),
                    at->column + (p->is_values ? on : 0),
                    code_at(stream, bits, i));
    }
}

/* Add codes to a stream that was zero, the lowest bits first. */
static void take_codes(const struct panels *p, const unsigned char *numbers,
                       const struct part_place *at, unsigned char *stream)
{
    size_t bits = kinds[p->kind].number;
    for (size_t i = at->first; i < at->end; i++) {
        size_t on = i - at->first, first = i * bits;
        unsigned code =
            take_code_at(p, numbers, at->row + (p->is_values ? 0 : on),
                         at->column + (p->is_values ? on : 0))
            << first % 8;
        stream[first / 8] |= (unsigned char)code;
        if (code > 0xff)
            stream[first / 8 + 1] |= (unsigned char)(code >> 8);
    }
}

/* Whole bytes: from or to numbers that stand `step` numbers apart. */
static void put_panel_numbers(const struct panels *p, unsigned char *numbers,
                        const struct part_place *at, const unsigned char *from)
{
    size_t size = kinds[p->kind].number / 8;
    size_t step = p->is_values ? size : p->width * size;
    numbers += (at->row * p->width + at->column) * size;
    if (size == 2)
        for (size_t i = at->first; i < at->end; i++)
            memcpy(numbers + i * step, from + 2 * i, 2);
    else
        for (size_t i = at->first; i < at->end; i++)
            memcpy(numbers + i * step, from + size * i, size);
}

static void take_numbers(const struct panels *p, const unsigned char *numbers,
                         const struct part_place *at, unsigned char *to)
{
    size_t size = kinds[p->kind].number / 8;
    size_t step = p->is_values ? size : p->width * size;
    numbers += (at->row * p->width + at->column) * size;
    for (size_t i = at->first; i < at->end; i++)
        memcpy(to + size * i, numbers + i * step, size);
}

/* The place of a position's first part, and then of the next. */
static struct part_place first_place(const struct panels *p, size_t position)
{
    struct part_place at = {.slot = position % PANEL_POSITIONS};
    at.end = part_size(p->kind, p->head_dim);
    at.row = p->is_values ? at.slot : 0;
    at.column = p->is_values ? 0 : at.slot;
    return at;
}

static void next_place(const struct panels *p, struct part_place *at)
{
    size_t size = at->end - at->first;
    at->first = at->end;
    if (at->end < p->head_dim)
        at->end += part_size(p->kind, p->head_dim - at->end);
    at->row += p->is_values ? 0 : size;
    at->column += p->is_values ? filled_up(size) : 0;
}

/* Where the scale of part `part` stands, among those of a panel. */
static size_t scale_place(const struct panels *p, size_t part, size_t slot)
{
    return (part * PANEL_POSITIONS + slot) * kinds[p->kind].scale;
}

void panels_put(const struct panels *p, size_t position, size_t head,
                const unsigned char *head_bytes)
{
    unsigned char *panel = panel_of(p, position, head);
    unsigned char *numbers = panel + p->scale_bytes;
    size_t size = kinds[p->kind].scale;
    const unsigned char *stored = head_bytes + p->n_parts * size;
    struct part_place at = first_place(p, position);
    for (size_t part = 0; at.first < p->head_dim; part++) {
        memcpy(panel + scale_place(p, part, at.slot), head_bytes + part * size,
               size);
        if (kinds[p->kind].number < 8)
            put_codes(p, numbers, &at, stored);
        else
            put_panel_numbers(p, numbers, &at, stored);
        next_place(p, &at);
    }
}

void panels_take(const struct panels *p, size_t position, size_t head,
                 unsigned char *head_bytes)
{
    const unsigned char *panel = panel_of(p, position, head);
    const unsigned char *numbers = panel + p->scale_bytes;
    size_t size = kinds[p->kind].scale, bits = kinds[p->kind].number;
    unsigned char *stored = head_bytes + p->n_parts * size;
    struct part_place at = first_place(p, position);
    memset(stored, 0, (p->head_dim * bits + 7) / 8);
    for (size_t part = 0; at.first < p->head_dim; part++) {
        memcpy(head_bytes + part * size, panel + scale_place(p, part, at.slot),
               size);
        if (bits < 8)
            take_codes(p, numbers, &at, stored);
        else
            take_numbers(p, numbers, &at, stored);
        next_place(p, &at);
    }
}
