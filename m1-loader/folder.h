/* A model's folder: the files stand beside each other, as Hugging Face lays
 * them out.  A model is named by its folder or by one file in it. */
#ifndef FOLDER_H
#define FOLDER_H

#include "error.h"

#include <stdbool.h>

bool folder_is(const char *path);

/* The path of the file `name` of a model: in the folder `model`, or beside the
 * file `model`.  The caller frees it. */
char *folder_file(const char *model, const char *name, struct error *e);

#endif
