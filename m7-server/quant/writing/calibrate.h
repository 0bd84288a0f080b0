/* Calibration: which columns of each matrix matter.
 *
 * A matrix adds up products of its weights with the numbers x that reach it.
 * What an error of a weight does to the sum is that error times x of its
 * column; so its square counts as much as the square of x, on average.  Some
 * columns meet numbers a hundred times larger than others do.  Which those
 * are, only a run shows: a text is read, and the squares are added up where
 * the forward pass multiplies (struct watcher in ops.h).
 *
 * The text should be of the kind that the model is for, and not the one with
 * which the result is judged. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "plan.h"
#include "work.h"

/* Run the text of the file `path` through the plan's model, whose own path is
 * `model`, and give each part that is rounded its importance: the mean square
 * of what each column was multiplied with.  Parts that no text reaches, as an
 * embedding which is no head, get none.
 *
 * The text is read in windows of 512 tokens, which know nothing of each other.
 * 0; -1: an error; 1: the work was to end before that. */
int calibrate(struct plan *p, const char *model, const char *path,
              const struct work *work, struct error *e);

#endif
