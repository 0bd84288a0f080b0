/* For the tests of pictures: reads a PNG file back. */
#ifndef TEST_PNG_H
#define TEST_PNG_H

#include "image.h"

#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Free with image_free; without pixels when the file is no PNG. */
static inline struct image read_png(const char *path)
{
    png_image file;
    struct image m = {0};
    memset(&file, 0, sizeof file);
    file.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&file, path))
        return m;
    file.format = PNG_FORMAT_RGB;
    m.width = (int)file.width;
    m.height = (int)file.height;
    m.pixels = malloc(PNG_IMAGE_SIZE(file));
    if (!m.pixels || !png_image_finish_read(&file, NULL, m.pixels, 0, NULL))
        image_free(&m);
    return m;
}

static inline bool is_colour(const struct image *m, int x, int y,
                             struct colour c)
{
    struct colour p = m->pixels[(size_t)y * (size_t)m->width + (size_t)x];
    return p.red == c.red && p.green == c.green && p.blue == c.blue;
}

/* The smallest rectangle with all pixels of a colour; empty without any. */
static inline struct rectangle find_colour(const struct image *m,
                                           struct colour c)
{
    int left = m->width, right = -1, top = m->height, bottom = -1;
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++)
            if (is_colour(m, x, y, c)) {
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
    if (right < 0)
        return (struct rectangle){0, 0, 0, 0};
    return (struct rectangle){left, top, right - left + 1, bottom - top + 1};
}

#endif
