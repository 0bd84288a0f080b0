/* For the tests of commands with a model that is almost another one: a copy of
 * which one file differs. */
#ifndef TEST_COPIES_H
#define TEST_COPIES_H

#include "buffer.h"
#include "test_commands.h"
#include "test_links.h"

/* A model beside the reading model, by a path that holds in every folder, in
 * out (PATH_MAX,). */
static inline void find_model(const char *name, char *out)
{
    const char *reading = getenv("RUNG_MODEL");
    const char *end = strrchr(reading, '/');
    need_model();
    snprintf(out, PATH_MAX, "%.*s/%s", (int)(end - reading), reading, name);
}

/* Make the current folder a copy of the model `folder`, in whose file `name`
 * the words `from`, which stand there, are `to`. */
static inline void copy_model(const char *folder, const char *name,
                              const char *from, const char *to)
{
    char path[PATH_MAX + 40];
    struct bytes text = {0};
    struct error e;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(bytes_read(&text, f, path, &e), 0);
    fclose(f);
    bytes_add(&text, "", 1);
    char *at = strstr(text.data, from);
    assert_non_null(at);
    assert_true(link_files(folder, name));
    f = fopen(name, "wb");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(at - text.data), text.data, to,
            at + strlen(from));
    fclose(f);
    bytes_free(&text);
}

#endif
