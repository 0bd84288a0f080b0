/* Windows: how a text that is longer than a model can read at once is cut, so
 * that each of its tokens is judged once, behind as much of the text as the
 * window allows.
 *
 * This is the sliding window of "Perplexity of fixed-length models" in Hugging
 * Face's documentation.  A window reads `size` tokens, from position 0, as if
 * the text began there; the next begins `stride` tokens further on, and the
 * last is the first that reaches the end.  A window scores the tokens that no
 * window before it has read, but never the first that it reads, for which it
 * has nothing to go by.  With size 6 and stride 3, of 11 tokens:
 *
 *     0  1  2  3  4  5  6  7  8  9 10
 *     r  s  s  s  s  s                    r: read only, s: scored
 *              r  r  r  s  s  s
 *                       r  r  r  s  s
 *
 * With a stride below the size every token but the text's first is scored,
 * behind at least size - stride others.  With a stride of the size each token
 * is read once, which is the fastest; but the first of each window is not
 * scored, and the next few have little before them.
 *
 * Of BOS: the text begins as the tokenizer has it begin, with a BOS token
 * where it adds one, which is read and not scored; later windows begin with
 * whatever token stands there, without one. */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "error.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>

enum window_sizes {
    WINDOW_USUAL = 512 /* tokens, or what the model can hold if that is less */
};

struct windows {
    size_t size;   /* tokens that a window reads, at least 2 */
    size_t stride; /* from one window's first token to the next one's: from 1
                      to size */
};

/* One of them. */
struct window {
    size_t begin, end; /* it reads the tokens begin .. end - 1 of the text */
    size_t scored;     /* and scores those from here to end - 1 */
};

/* The windows for a model; 0 stands for the usual size, and for a stride of
 * half the size.  Fails when the model cannot hold so many tokens, when the
 * windows would leave tokens out, or when a window has none to score. */
int windows_init(struct windows *w, const struct model *m, size_t size,
                 size_t stride, struct error *e);

/* Go to the next window of a text of n tokens, from *at, which is {0} before
 * the first; false when there is none. */
bool windows_next(const struct windows *w, size_t n, struct window *at);

/* How many windows such a text has, how many tokens they read in all, and how
 * many they score. */
struct window_count {
    size_t windows, read, scored;
};
struct window_count windows_count(const struct windows *w, size_t n);

#endif
