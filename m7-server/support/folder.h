/* A model's folder: the files stand beside each other, as Hugging Face lays
 * them out.  A model is named by its folder or by one file in it. */
#ifndef FOLDER_H
#define FOLDER_H

#include "error.h"

#include <stdbool.h>

/* True when there is something of that name, and when it is a folder. */
bool path_exists(const char *path);
bool path_is_folder(const char *path);

/* True when a path ends in this: ".safetensors". */
bool path_ends(const char *path, const char *end);

/* The folder of a model: `model` itself, or the one that holds the file
 * `model`; "." when that is the current one.  The caller frees it. */
char *folder_of(const char *model, struct error *e);

/* The path of the file `name` in that folder.  The caller frees it. */
char *folder_file(const char *model, const char *name, struct error *e);

#endif
