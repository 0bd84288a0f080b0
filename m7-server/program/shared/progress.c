/* Progress: see progress.h. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum progress_layout { BAR = 30 };

static const double BETWEEN_LINES = 0.1; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add_left(double seconds, char *out, size_t size)
{
    unsigned long left = (unsigned long)(seconds + 0.5);
    size_t used = strlen(out);
    if (left >= 3600)
        snprintf(out + used, size - used, "  %lu:%02lu:%02lu left",
                 left / 3600, left / 60 % 60, left % 60);
    else
        snprintf(out + used, size - used, "  %lu:%02lu left", left / 60,
                 left % 60);
}

void progress_text(const struct progress *p, size_t done, size_t all,
                   double seconds, char *out, size_t size)
{
    char bar[BAR + 1];
    double share = all ? (double)done / (double)all : 1;
    for (int i = 0; i < BAR; i++)
        bar[i] = (i + 1) <= share * BAR ? '#' : '-';
    bar[BAR] = 0;
    snprintf(out, size, "%-12s [%s] %3d%%", p->what, bar, (int)(100 * share));
    if (seconds >= 1 && done > p->first && done <= all)
        add_left(seconds * (double)(all - done) / (double)(done - p->first),
                 out, size);
}

/* Draw the line from its beginning, and wipe what was longer. */
static void draw_progress(struct progress *p, size_t done, size_t all)
{
    char text[160];
    progress_text(p, done, all, p->drawn - p->began, text, sizeof text);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    p->shown = true;
}

void progress_show(struct progress *p, const char *what, size_t done,
                   size_t all)
{
    if (!isatty(STDERR_FILENO))
        return;
    double time = now();
    if (strcmp(p->what, what) != 0) {
        snprintf(p->what, sizeof p->what, "%s", what);
        p->first = done;
        p->began = time;
    } else if (time - p->drawn < BETWEEN_LINES) {
        return;
    }
    p->drawn = time;
    draw_progress(p, done, all);
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    *p = (struct progress){0};
}
