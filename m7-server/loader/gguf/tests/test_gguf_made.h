/* For the tests of GGUF files: files made to order, in memory. */
#ifndef TEST_GGUF_MADE_H
#define TEST_GGUF_MADE_H

#include "gguf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct made {
    unsigned char bytes[8192];
    size_t size;
};

static inline void put(struct made *m, const void *bytes, size_t size)
{
    assert_true(m->size + size <= sizeof m->bytes);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static inline void put_number(struct made *m, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * i);
        put(m, &byte, 1);
    }
}

static inline void put_u32(struct made *m, uint64_t value)
{
    put_number(m, value, 4);
}

static inline void put_u64(struct made *m, uint64_t value)
{
    put_number(m, value, 8);
}

static inline void put_string(struct made *m, const char *text)
{
    put_u64(m, strlen(text));
    put(m, text, strlen(text));
}

/* The beginning, 24 bytes. */
static inline struct made begin(uint64_t version, uint64_t tensors,
                                uint64_t values)
{
    struct made m = {.size = 0};
    put(&m, "GGUF", 4);
    put_u32(&m, version);
    put_u64(&m, tensors);
    put_u64(&m, values);
    return m;
}

static inline void put_key(struct made *m, const char *key,
                           enum gguf_type type)
{
    put_string(m, key);
    put_u32(m, type);
}

static inline void put_size(struct made *m, const char *key, uint64_t value)
{
    put_key(m, key, GGUF_U32);
    put_u32(m, value);
}

static inline void put_text(struct made *m, const char *key, const char *text)
{
    put_key(m, key, GGUF_STRING);
    put_string(m, text);
}

static inline void put_array(struct made *m, const char *key,
                             enum gguf_type type, uint64_t n)
{
    put_key(m, key, GGUF_ARRAY);
    put_u32(m, type);
    put_u64(m, n);
}

/* A tensor of rows * cols values. */
static inline void put_tensor(struct made *m, const char *name, uint64_t cols,
                              uint64_t rows, uint64_t kind, uint64_t offset)
{
    put_string(m, name);
    put_u32(m, 2);
    put_u64(m, cols);
    put_u64(m, rows);
    put_u32(m, kind);
    put_u64(m, offset);
}

/* Zeros up to the next multiple of `align`, then `size` bytes. */
static inline void put_data(struct made *m, size_t align, size_t size)
{
    while (m->size % align)
        put_number(m, 0, 1);
    for (size_t i = 0; i < size; i++)
        put_number(m, i, 1);
}

/* --- reading ------------------------------------------------------------ */

/* Read the file from memory of just its size, so that a sanitizer sees every
 * step past its end. */
static inline int read_made(const struct made *m, struct gguf *g,
                            unsigned char **copy, struct error *e)
{
    *copy = malloc(m->size ? m->size : 1);
    assert_non_null(*copy);
    memcpy(*copy, m->bytes, m->size);
    *e = (struct error){ERROR_NONE, ""};
    return gguf_read(g, "x.gguf", *copy, m->size, e);
}

#endif
