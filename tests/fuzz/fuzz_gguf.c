/* Any bytes as a GGUF file: it is refused by name, or all of its tensors lie
 * inside it, side by side, its rows of blocks become floats, and what it says
 * of a model and of a tokenizer is translated or refused.
 *
 * Files are changed where their numbers are: every second one keeps its form
 * but for a length, a count, a type or an offset (fields of 4 and 8 bytes). */
#include "formats.h"
#include "gguf.h"
#include "gguf_config.h"
#include "gguf_cursor.h"
#include "gguf_tokenizer.h"
#include "tokenizer_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* --- changing a file ---------------------------------------------------- */

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

static void note_field(struct fields *f, size_t at, size_t width)
{
    if (f->n < MOST_FIELDS)
        f->all[f->n++] = (struct field){at, width};
}

/* Step over a text, whose length is a field. */
static int find_in_text(struct gguf_cursor *c, struct fields *f)
{
    const char *text;
    size_t size;
    struct error e;
    note_field(f, c->at, 8);
    return cursor_text(c, &text, &size, &e);
}

static int find_in_value(struct gguf_cursor *c, struct fields *f)
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

static int find_in_tensor(struct gguf_cursor *c, struct fields *f)
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
static void find_fields(const uint8_t *data, size_t size, struct fields *f)
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

static unsigned draw(unsigned *seed, unsigned n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

/* A number that is likely to matter where `old` stood. */
static uint64_t odd_number(uint64_t old, size_t size, unsigned *seed)
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

static void change_field(uint8_t *data, size_t size, unsigned *seed)
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

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed)
{
    if (draw(&seed, 2) == 0 || size < 24)
        return LLVMFuzzerMutate(data, size, most);
    for (unsigned n = draw(&seed, 3); n < 3; n++)
        change_field(data, size, &seed);
    return size;
}

/* --- reading it --------------------------------------------------------- */

static void check_message(const struct error *e)
{
    if (e->code == ERROR_NONE || !*e->message)
        abort();
}

/* The first row and the last. */
static void unpack_rows(const struct gguf *g, const struct gguf_tensor *t)
{
    const struct format *f = format_named(t->kind->name);
    size_t cols = t->rank ? t->shape[t->rank - 1] : 1;
    if (!f || cols > 1 << 20)
        return;
    struct quantized q = {.format = f, .cols = cols, .rows = t->count / cols};
    q.codes = g->data + t->offset;
    q.row_bytes = t->bytes / q.rows;
    float *row = malloc(cols * sizeof *row);
    quantized_row(&q, 0, row);
    quantized_row(&q, q.rows - 1, row);
    free(row);
}

static void check_gguf_tensor(const struct gguf *g,
                              const struct gguf_tensor *t)
{
    size_t count = 1;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    if (count != t->count || t->offset > g->size ||
        t->bytes > g->size - t->offset ||
        t->bytes != count / t->kind->values * t->kind->bytes)
        abort();
    unpack_rows(g, t);
}

static void use_translations(const struct gguf *g)
{
    struct error e = {ERROR_NONE, ""};
    json_t *config = gguf_config(g, 1, &e);
    if (!config)
        check_message(&e);
    json_decref(config);
    json_t *speech = gguf_tokenizer(g, 1, &e);
    if (!speech) {
        check_message(&e);
        return;
    }
    struct node root = node_root(g->path, speech);
    struct tokenizer *t = tokenizer_read(&root, &e);
    struct ids ids = {0};
    if (!t)
        check_message(&e);
    else
        tokenizer_encode(t, "a tea, 12", 9, true, &ids, &e);
    ids_free(&ids);
    tokenizer_free(t);
    json_decref(speech);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gguf g;
    struct error e = {ERROR_NONE, ""};
    if (gguf_read(&g, "fuzzed", data, size, &e)) {
        check_message(&e);
        if (g.values || g.tensors || strncmp(e.message, "fuzzed", 6) != 0)
            abort();
        return 0;
    }
    for (size_t i = 0; i < g.n_tensors; i++) {
        check_gguf_tensor(&g, &g.tensors[i]);
        if (i > 0 && g.tensors[i].offset <
                         g.tensors[i - 1].offset + g.tensors[i - 1].bytes)
            abort();
    }
    use_translations(&g);
    gguf_free(&g);
    return 0;
}
