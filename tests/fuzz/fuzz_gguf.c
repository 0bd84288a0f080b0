/* Any bytes as a GGUF file: it is refused by name, or all of its tensors lie
 * inside it, side by side, its rows of blocks become floats, and what it says
 * of a model and of a tokenizer is translated or refused.
 *
 * Files are changed where their numbers are: every second one keeps its form
 * but for a length, a count, a type or an offset (fields of 4 and 8 bytes). */
#include "formats.h"
#include "gguf.h"
#include "gguf_config.h"
#include "gguf_fields.h"
#include "gguf_tokenizer.h"
#include "tokenizer_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned seed)
{
    if (draw(&seed, 2) == 0 || size < 24)
        return LLVMFuzzerMutate(data, size, most);
    for (unsigned n = draw(&seed, 3); n < 3; n++)
        change_field(data, size, &seed);
    return size;
}

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
