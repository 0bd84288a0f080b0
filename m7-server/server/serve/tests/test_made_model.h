/* For tests of the server: a model with a template that was made for them. */
#ifndef TEST_MADE_MODEL_H
#define TEST_MADE_MODEL_H

#include "test_serving.h"

#include "test_files.h"

/* A path that held where the scratch folder was entered, in out (4096,). */
static inline void path_from(const struct scratch *s, const char *path,
                             char *out)
{
    snprintf(out, 4096, "%s/%s", *path == '/' ? "" : s->before, path);
}

/* A folder with the files of tiny-chat, which is at `source`, and with this
 * template in place of its own. */
static inline void make_model(const char *source, const char *name,
                              const char *template)
{
    static const char *const files[] = {"config.json", "model.safetensors",
                                        "tokenizer.json"};
    char path[256], file[8192];
    assert_int_equal(mkdir(name, 0700), 0);
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s/%s", source, files[i]);
        snprintf(path, sizeof path, "%s/%s", name, files[i]);
        assert_int_equal(symlink(file, path), 0);
    }
    snprintf(path, sizeof path, "%s/chat_template.jinja", name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(template, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

#endif
