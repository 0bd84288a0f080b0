/* Images as PNG files.  The only file that knows libpng. */
#include "image.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

static int write_to(FILE *file, const struct image *m, const char *path,
                    struct error *e)
{
    png_image png;
    memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    png.width = (png_uint_32)m->width;
    png.height = (png_uint_32)m->height;
    png.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_stdio(&png, file, 0, m->pixels, 0, NULL))
        return fail(e, ERROR_SYSTEM, "%s: %s", path, png.message);
    return 0;
}

int image_write_png(const struct image *m, const char *path, struct error *e)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return fail_errno(e, path);
    int result = write_to(file, m, path, e);
    if (fclose(file) && !result)
        return fail_errno(e, path);
    return result;
}
