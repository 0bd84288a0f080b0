/* Stop strings: see stop.h.  Knows bytes, not tokens. */
#include "stop.h"

#include "sizes.h"

#include <stdlib.h>
#include <string.h>

/* One byte further: the state after it.  Where the byte is not the one that
 * the string has next, the text may still end with a shorter beginning of it
 * (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977). */
static size_t advance(const struct stop_string *s, size_t matched, char byte)
{
    while (matched > 0 && s->text[matched] != byte)
        matched = s->fallback[matched - 1];
    return matched + (s->text[matched] == byte);
}

/* A beginning falls back to the longest shorter one that it ends with: which
 * is what the string, but for its first byte, leads itself to. */
static void fill_fallback(struct stop_string *s)
{
    size_t matched = 0;
    s->fallback[0] = 0;
    for (size_t i = 1; i < s->size; i++) {
        matched = advance(s, matched, s->text[i]);
        s->fallback[i] = matched;
    }
}

int stop_init(struct stop *s, const char *const *strings, size_t n,
              struct error *e)
{
    *s = (struct stop){.strings = calloc(n ? n : 1, sizeof *s->strings)};
    if (!s->strings)
        return fail_memory(e, "the stop strings");
    for (; s->n < n; s->n++) {
        struct stop_string *one = &s->strings[s->n];
        one->text = strings[s->n];
        one->size = strlen(one->text);
        one->fallback = calloc(one->size, sizeof *one->fallback);
        if (!one->fallback) {
            stop_free(s);
            return fail_memory(e, "the stop strings");
        }
        fill_fallback(one);
    }
    return 0;
}

void stop_free(struct stop *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->strings[i].fallback);
    free(s->strings);
    bytes_free(&s->held);
    *s = (struct stop){0};
}

/* Append the first `size` bytes that are held to `out`. */
static void let_go(struct stop *s, size_t size, struct bytes *out)
{
    bytes_add(out, s->held.data, size);
    s->held.size -= size;
    memmove(s->held.data, s->held.data + size, s->held.size);
}

/* Take a byte, and keep of the text as much as still matters: the longest
 * stop string that it ends with, else the longest beginning of one. */
static void put_byte(struct stop *s, char byte, struct bytes *out)
{
    size_t begun = 0, complete = 0;
    bytes_add(&s->held, &byte, 1);
    if (s->held.failed)
        return;
    for (size_t i = 0; i < s->n; i++) {
        struct stop_string *one = &s->strings[i];
        one->matched = advance(one, one->matched, byte);
        begun = larger_size(begun, one->matched);
        if (one->matched == one->size)
            complete = larger_size(complete, one->size);
    }
    s->found = complete > 0;
    let_go(s, s->held.size - (s->found ? complete : begun), out);
}

int stop_put(struct stop *s, const char *text, size_t size, struct bytes *out,
             struct error *e)
{
    for (size_t i = 0; i < size && !s->found; i++)
        put_byte(s, text[i], out);
    return s->held.failed || out->failed ? fail_memory(e, "the text") : 0;
}

int stop_end(struct stop *s, struct bytes *out, struct error *e)
{
    if (!s->found)
        bytes_add(out, s->held.data, s->held.size);
    s->held.size = 0;
    return out->failed ? fail_memory(e, "the text") : 0;
}
