/* An image in memory: rectangles and text, and how it becomes a PNG file. */
#ifndef IMAGE_H
#define IMAGE_H

#include "colour.h"
#include "error.h"

#include <stddef.h>

struct image {
    int width, height;
    struct colour *pixels; /* (height, width), owned */
};

/* What is outside of the image is not drawn. */
struct rectangle {
    int x, y, width, height; /* of the upper left corner; y grows downwards */
};

/* Start an image, all white. */
int image_init(struct image *m, int width, int height, struct error *e);
void image_free(struct image *m);

void image_fill(struct image *m, struct rectangle r, struct colour c);

/* A frame of one pixel around the rectangle. */
void image_frame(struct image *m, struct rectangle r, struct colour c);

/* Text is UTF-8, in one size: IMAGE_TEXT_HEIGHT pixels from the top of a
 * letter to the bottom of a descender.  (x, y) is where its first letter
 * begins, at the top; image_text_up writes upwards from the bottom, with x
 * the left side of its letters. */
enum image_sizes {
    IMAGE_TEXT_HEIGHT = 18
};
int image_text_width(const char *text);
void image_text(struct image *m, int x, int y, const char *text,
                struct colour c);
void image_text_up(struct image *m, int x, int y, const char *text,
                   struct colour c);

/* Write a PNG file, in image_png.c. */
int image_write_png(const struct image *m, const char *path, struct error *e);

#endif
