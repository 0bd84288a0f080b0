/* For the tests of schemes: what config.json says, and files made to order in
 * which a matrix "m" is looked for. */
#ifndef TEST_REFUSED_H
#define TEST_REFUSED_H

#include "scheme.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A model's configuration and its files. */
struct made {
    struct config config;
    struct quantization quantization;
    struct checkpoint checkpoint;
};

/* Read the text of a config.json; what quantization_read returns. */
static inline int made_read(struct made *m, const char *text, struct error *e)
{
    json_t *config = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(config);
    *m = (struct made){.config = {.root = node_root("config.json", config)}};
    *e = (struct error){ERROR_NONE, ""};
    return quantization_read(&m->quantization, &m->config, e);
}

static inline void made_free(struct made *m)
{
    json_decref(m->config.root.value);
    checkpoint_close(&m->checkpoint);
}

static inline void assert_said_refused(const char *text, enum error_code code,
                                       const char *message)
{
    struct made m;
    struct error e;
    assert_int_equal(made_read(&m, text, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
    made_free(&m);
}

/* The size of a tensor in bytes, by its shape's text "2, 3". */
static inline size_t part_bytes(const char *dtype, const char *shape)
{
    enum dtype type;
    assert_true(dtype_find(dtype, &type));
    size_t count = 1, size;
    for (int used; sscanf(shape, " %zu%n", &size, &used) == 1;) {
        count *= size;
        shape += used;
        shape += *shape == ',';
    }
    return count * dtype_bits(type) / 8;
}

/* Write m.safetensors with the tensors of a text such as
 * "m.codes I32 [2, 3]; m.scales F16 [2]"; its bytes are 0, 1, 2 ... */
static inline void write_parts(const char *parts)
{
    char table[DATA_AT] = "{";
    size_t end = 0;
    while (*parts) {
        char name[64], dtype[16], shape[32] = "";
        size_t begin = end, used = strlen(table);
        assert_true(sscanf(parts, " %63s %15s [%31[^]]", name, dtype, shape) >=
                    2);
        end += part_bytes(dtype, shape);
        snprintf(table + used, sizeof table - used,
                 "%s\"%s\": {\"dtype\": \"%s\", \"shape\": [%s], "
                 "\"data_offsets\": [%zu, %zu]}",
                 begin ? ", " : "", name, dtype, shape, begin, end);
        parts += strcspn(parts, ";");
        parts += strspn(parts, "; ");
    }
    strcat(table, "}");
    write_safetensors("m.safetensors", table, end);
}

/* Look for the matrix in the file: what quantization_find returns. */
static inline int look_for(const char *text, size_t rows, size_t cols,
                           struct quantized *q, struct error *e)
{
    struct made m;
    assert_int_equal(made_read(&m, text, e), 0);
    assert_int_equal(checkpoint_open(&m.checkpoint, "m.safetensors", e), 0);
    const struct sought wanted = {&m.checkpoint, "m", rows, cols};
    int found = quantization_find(&m.quantization, &wanted, q, e);
    made_free(&m);
    return found;
}

static inline void assert_found(const char *text, const char *parts,
                                size_t rows, size_t cols, int expected)
{
    struct quantized q;
    struct error e;
    write_parts(parts);
    int found = look_for(text, rows, cols, &q, &e);
    if (found < 0)
        print_error("%s\n", e.message);
    assert_int_equal(found, expected);
}

/* In the file that was written last. */
static inline void assert_look_refused(const char *text, size_t rows,
                                       size_t cols, const char *message)
{
    struct quantized q;
    struct error e;
    assert_int_equal(look_for(text, rows, cols, &q, &e), -1);
    assert_string_equal(e.message, message);
}

static inline void assert_matrix_refused(const char *text, const char *parts,
                                         size_t rows, size_t cols,
                                         const char *message)
{
    write_parts(parts);
    assert_look_refused(text, rows, cols, message);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

#endif
