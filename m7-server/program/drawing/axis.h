/* An axis of a picture: which of its places get a label, and what it says. */
#ifndef AXIS_H
#define AXIS_H

#include <stddef.h>

enum axis_sizes {
    AXIS_TEXT = 128 /* bytes that hold any label */
};

struct axis {
    const char *const *names; /* (n,), UTF-8, or NULL for numbers */
    size_t n;                 /* places */
    double pixels;            /* from one place to the next */
    int room;                 /* pixels that a label needs along the axis */
};

/* Every how many places there is a label: 1, or so many that they have room;
 * numbers go in steps of 1, 2 or 5 times a power of ten. */
size_t axis_step(const struct axis *a);

/* The label of place i, in out (AXIS_TEXT,); a long name is cut short. */
void axis_text(const struct axis *a, size_t i, char *out);

/* The first `most` characters of UTF-8, or one fewer and an ellipsis when
 * there are more, in out (4 * most + 1,). */
void axis_shorten(const char *text, int most, char *out);

/* How wide the widest label is that is shown, in pixels. */
int axis_widest(const struct axis *a);

/* The smallest of 1, 2, 5, 10, 20, 50 ... (and 0.5, 0.2 ...) that is at least
 * x, which is above zero. */
double axis_round_up(double x);

#endif
