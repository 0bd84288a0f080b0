/* The weights of a plan as safetensors files of a new folder. */
#ifndef WEIGHTS_WRITE_H
#define WEIGHTS_WRITE_H

#include "error.h"
#include "new_folder.h"
#include "plan.h"
#include "work.h"

#include <stddef.h>

/* Round and write them: as model.safetensors or, when the tensors have more
 * than `most` bytes, as files of at most so many (a single tensor may have
 * more) and their index.  Fails at a value that no scale can stand for, with
 * its tensor and place, and when the disk is full.
 * 0; -1: an error; 1: the work was to end before that. */
int weights_write(const struct new_folder *folder, const struct plan *p,
                  size_t most, const struct work *work, struct error *e);

#endif
