/* A GGUF model's files: one, or the parts that it was split into, which are
 * called NAME-00001-of-00003.gguf and so on.  The first part says what the
 * model is; each has tensors. */
#ifndef GGUF_FILES_H
#define GGUF_FILES_H

#include "error.h"
#include "gguf.h"
#include "mapping.h"
#include "tensor.h"

#include <stdbool.h>
#include <stddef.h>

struct gguf_files {
    struct mapping *maps; /* (n,) */
    struct gguf *tables;  /* (n,), of these */
    size_t n;
};

/* Whether `model` is a GGUF model: a .gguf file, or a folder that holds one
 * and no .safetensors file. */
bool gguf_is_model(const char *model);

/* Open all files of such a model and check their tables, and that they are
 * the parts of one.  After an error *f holds nothing. */
int gguf_files_open(struct gguf_files *f, const char *model, struct error *e);
void gguf_files_close(struct gguf_files *f);

/* The tensors of all files, with the names that they have in folders of
 * safetensors.  *tensors (*n,) is the caller's to free with tensors_free; the
 * files must outlive it, wherever `maps` is moved to by then. */
int gguf_files_tensors(const struct gguf_files *f, struct tensor **tensors,
                       size_t *n, struct error *e);

/* What config.json would say, and tokenizer.json; *path is that of the first
 * file, for messages.  The caller frees both.  NULL after an error. */
json_t *gguf_open_config(const char *model, char **path, struct error *e);
json_t *gguf_open_tokenizer(const char *model, char **path, struct error *e);

#endif
