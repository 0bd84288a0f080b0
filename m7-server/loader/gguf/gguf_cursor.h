/* A place in a GGUF file, which moves on as numbers are read; for gguf*.c
 * only. */
#ifndef GGUF_CURSOR_H
#define GGUF_CURSOR_H

#include "gguf.h"

struct gguf_cursor {
    const struct gguf *file;
    size_t at;        /* at most the file's size */
    const char *what; /* "key", "tensor" or NULL: nothing yet */
    const char *name; /* of that; any bytes, */
    size_t name_size; /* so many */
};

/* Fail with the file's path, the key or tensor that is being read, the words
 * and "at byte N". */
int cursor_fail(const struct gguf_cursor *c, size_t at, enum error_code code,
                struct error *e, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Step over `size` bytes; *bytes points to them.  Fails when the file ends
 * before. */
int cursor_take(struct gguf_cursor *c, uint64_t size,
                const unsigned char **bytes, struct error *e);

int cursor_u32(struct gguf_cursor *c, uint32_t *value, struct error *e);
int cursor_u64(struct gguf_cursor *c, uint64_t *value, struct error *e);

/* A length and so many bytes. */
int cursor_text(struct gguf_cursor *c, const char **text, size_t *size,
                struct error *e);

/* The type of a value, or of an array's elements. */
int cursor_type(struct gguf_cursor *c, enum gguf_type *type, struct error *e);

/* An array's type of elements and their number, each of which takes a byte at
 * least. */
int cursor_array(struct gguf_cursor *c, enum gguf_type *type, size_t *n,
                 struct error *e);

/* How many bytes a value of the type takes; 0: that depends. */
size_t gguf_width(enum gguf_type type);

/* Step over a value, checking it. */
int cursor_skip(struct gguf_cursor *c, enum gguf_type type, int depth,
                struct error *e);

#endif
