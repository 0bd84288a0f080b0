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

/* How the program is called from the current folder: "./rung" or
 * "m7-server/rung" below it, else by its whole path.  "rung" where the system
 * does not tell.  The next call overwrites it. */
const char *own_program(void);

/* The folder of the models that came with the program: ../tests/models or
 * ../share/rungs/models, as seen from the folder that the program stands in;
 * else share/rungs/models below the prefix of `make install`, or of a program
 * that is not installed ../tests/models, as seen from the current folder.
 * NULL: there is none.  The first call's answer stays. */
const char *own_models(void);

/* The one of them that chats, or where it would be. */
const char *own_chat_model(void);

#endif
