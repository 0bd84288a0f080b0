/* The files of the page, found by their paths. */
#include "page.h"

#include <string.h>

/* Made of the files by the Makefile. */
extern const char page_html[], page_css[], page_js[], show_js[], stream_js[],
    icon_svg[];

const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

#define SCRIPT "text/javascript; charset=utf-8"
static const struct page_file FILES[] = {
    {"/", "text/html; charset=utf-8", page_html},
    {"/page.css", "text/css; charset=utf-8", page_css},
    {"/page.js", SCRIPT, page_js},
    {"/show.js", SCRIPT, show_js},
    {"/stream.js", SCRIPT, stream_js},
    {"/icon.svg", "image/svg+xml", icon_svg},
};

const struct page_file *page_find(const char *path)
{
    for (size_t i = 0; i < sizeof(FILES) / sizeof(*FILES); i++)
        if (!strcmp(path, FILES[i].path))
            return &FILES[i];
    return NULL;
}
