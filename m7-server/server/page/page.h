/* The chat page that the server shows a browser: the files of this folder,
 * which the Makefile puts into the program as they are.  Nothing here knows
 * of HTTP: who serves them adds the headers. */
#ifndef PAGE_H
#define PAGE_H

struct page_file {
    const char *path;         /* in an address: "/page.css" */
    const char *content_type; /* "text/css; charset=utf-8" */
    const char *text;         /* in UTF-8 */
};

/* The Content-Security-Policy for every file of the page: it takes scripts and
 * styles from the page's own server alone, none that stand within the HTML,
 * and talks to no other. */
extern const char page_policy[];

/* The file that an address asks for, "/" being the page itself; NULL where
 * there is none.  It stays the program's. */
const struct page_file *page_find(const char *path);

#endif
