/* For the tests of added tokens: lists of them, read. */
#ifndef TEST_ADDED_H
#define TEST_ADDED_H

#include "added.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A line of the list.  Flags: (w)hole words, (l)strip, (r)strip,
 * (n)ormalized, (s)pecial. */
struct line {
    int id;
    const char *content, *flags;
};

struct fixture {
    struct vocabulary vocabulary; /* "a" and "b": ids 0 and 1 */
    struct normalizer normalizer;
    struct added added;
    struct error e;
};

static inline json_t *json_of(const struct line *line)
{
    static const char *const names[] = {"single_word", "lstrip", "rstrip",
                                        "normalized", "special"};
    json_t *value =
        json_pack("{s:i, s:s}", "id", line->id, "content", line->content);
    for (size_t i = 0; i < 5; i++)
        json_object_set_new(
            value, names[i],
            json_boolean(strchr(line->flags, "wlrns"[i]) != NULL));
    return value;
}

static inline void read_normalizer(struct fixture *f, const char *type)
{
    json_t *value = json_pack("{s:s}", "type", type);
    if (strcmp(type, "Strip") == 0) {
        json_object_set_new(value, "strip_left", json_true());
        json_object_set_new(value, "strip_right", json_true());
    }
    if (strcmp(type, "Sequence") == 0)
        json_object_set_new(
            value, "normalizers",
            json_pack("[{s:s}, {s:s}]", "type", "Lowercase", "type", "NFC"));
    struct node root = node_root("t.json", value);
    assert_int_equal(normalizer_read(&root, &f->normalizer, &f->e), 0);
    json_decref(value);
}

/* Begin with a vocabulary and a normalizer. */
static inline void begin(struct fixture *f, const char *normalizer)
{
    *f = (struct fixture){.e = {ERROR_NONE, ""}};
    assert_int_equal(vocabulary_add(&f->vocabulary, "a", 1, 0, true, &f->e),
                     0);
    assert_int_equal(vocabulary_add(&f->vocabulary, "b", 1, 1, true, &f->e),
                     0);
    read_normalizer(f, normalizer);
}

/* Read the value of "added_tokens", which is taken over; what is wrong with
 * it, or "". */
static inline const char *read_list(struct fixture *f, json_t *list)
{
    json_t *value = json_pack("{s:o}", "added_tokens", list);
    struct node root = node_root("t.json", value);
    struct node node = node_member(&root, "added_tokens");
    int result =
        added_read(&node, &f->normalizer, &f->vocabulary, &f->added, &f->e);
    assert_int_equal(result, *f->e.message ? -1 : 0);
    json_decref(value);
    return f->e.message;
}

static inline const char *read_lines(struct fixture *f,
                                     const struct line *lines, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_of(&lines[i]));
    return read_list(f, list);
}

static inline void finish(struct fixture *f)
{
    added_free(&f->added);
    normalizer_free(&f->normalizer);
    vocabulary_free(&f->vocabulary);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

#endif
