/* Colours that tell how large a number is.
 *
 * Both scales are straight lines in OKLab (Bjorn Ottosson, "A perceptual color
 * space for image processing", 2020), where equal distances look equally
 * different.  They get darker all the way from zero, so that they can be read
 * without seeing hues; and signs are blue and orange, which the common kinds
 * of colour blindness tell apart. */
#ifndef COLOUR_H
#define COLOUR_H

struct colour {
    unsigned char red, green, blue; /* sRGB */
};

/* A share of the limit, from 0 to 1: pale, green-blue, dark blue. */
struct colour colour_magnitude(float share);

/* A share of the limit, from -1 to 1: blue below zero, orange above. */
struct colour colour_signed(float share);

/* What is no number. */
struct colour colour_not_finite(void);

/* A cell that has no value. */
struct colour colour_absent(void);

#endif
