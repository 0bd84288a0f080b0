/* Axes: see axis.h.  Draws nothing. */
#include "axis.h"

#include "image.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum axis_limits {
    MOST_CHARACTERS = 24 /* of a name */
};

double axis_round_up(double x)
{
    double power = pow(10, floor(log10(x)));
    if (x <= power)
        return power;
    if (x <= 2 * power)
        return 2 * power;
    return x <= 5 * power ? 5 * power : 10 * power;
}

size_t axis_step(const struct axis *a)
{
    double least = a->room / a->pixels;
    if (least <= 1)
        return 1;
    return (size_t)(a->names ? ceil(least) : axis_round_up(least));
}

/* How many bytes the first n characters of UTF-8 take, or all if fewer: up to
 * four each, also where the text is broken. */
static size_t prefix_length(const char *text, int n)
{
    size_t length = 0;
    while (text[length] && n-- > 0) {
        size_t end = length + 4;
        do
            length++;
        while (length < end && (text[length] & 0xc0) == 0x80);
    }
    return length;
}

void axis_shorten(const char *text, int most, char *out)
{
    size_t length = prefix_length(text, most);
    bool cut = text[length] != 0;
    if (cut)
        length = prefix_length(text, most - 1);
    memcpy(out, text, length);
    strcpy(out + length, cut ? "\u2026" : "");
}

void axis_text(const struct axis *a, size_t i, char *out)
{
    if (!a->names) {
        snprintf(out, AXIS_TEXT, "%zu", i);
        return;
    }
    axis_shorten(a->names[i], MOST_CHARACTERS, out);
}

int axis_widest(const struct axis *a)
{
    int widest = 0;
    size_t step = axis_step(a);
    for (size_t i = 0; i < a->n; i += step) {
        char text[AXIS_TEXT];
        axis_text(a, i, text);
        int width = image_text_width(text);
        widest = width > widest ? width : widest;
    }
    return widest;
}
