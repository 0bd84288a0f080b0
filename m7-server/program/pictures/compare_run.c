/* Two models compared: see compare_run.h. */
#include "compare_run.h"

#include "input.h"
#include "print.h"
#include "progress.h"
#include "sizes.h"

static int open_pair(struct compare_run *r, const struct settings *s,
                     char **arguments, struct error *e)
{
    struct bytes text = {0};
    int result = input_text(arguments[2], &text, e);
    if (result == 0)
        result = pair_open(&r->pair, arguments[0], arguments[1], text.data,
                           text.size, e);
    bytes_free(&text);
    if (result)
        return -1;
    struct ids *ids = &r->pair.ids;
    ids->size = smaller_size(ids->size, number_or(s->tokens, ids->size));
    return 0;
}

/* Windows that both models can hold. */
static int choose_windows(struct compare_run *r, const struct settings *s,
                          struct error *e)
{
    const struct model *a = &r->pair.a.model, *b = &r->pair.b.model;
    bool shorter = b->max_positions < a->max_positions;
    return windows_init(&r->windows, shorter ? b : a, number_or(s->window, 0),
                        number_or(s->stride, 0), e);
}

static void show_comparing(void *context, size_t done, size_t all)
{
    progress_show(context, "comparing", done, all);
}

/* Both readers are there. */
static int read_both_sides(struct compare_run *r,
                           struct window_reader *readers, struct error *e)
{
    const struct ids *ids = &r->pair.ids;
    struct progress progress = {0};
    struct evaluation v = {.readers = readers,
                           .windows = r->windows,
                           .progress = show_comparing,
                           .progress_context = &progress};
    int result = comparison_init(&r->comparison, &v, ids->data, ids->size, e);
    progress_end(&progress);
    return result;
}

/* What is compared is the two models, with --cache the form in which B keeps
 * what it has read, and without --exact that B is computed by kernels. */
static int compare_pair(struct compare_run *r, const struct settings *s,
                        struct error *e)
{
    struct window_reader readers[2];
    struct model *const kernels[] = {&r->pair.b.model};
    if (speed_up(s, kernels, 1, &r->threads, e))
        return -1;
    if (window_reader_init(&readers[0], &r->pair.a.model, &r->windows, e))
        return -1;
    int result = window_reader_init_form(&readers[1], &r->pair.b.model,
                                         &r->windows, s->cache, e);
    if (result == 0) {
        result = read_both_sides(r, readers, e);
        window_reader_free(&readers[1]);
    }
    window_reader_free(&readers[0]);
    return result;
}

int compare_run_init(struct compare_run *r, const struct settings *s,
                     char **arguments, struct error *e)
{
    *r = (struct compare_run){.comparison = {0}};
    if (open_pair(r, s, arguments, e))
        return -1;
    print_ignored(&r->pair.a.model);
    print_ignored(&r->pair.b.model);
    if (choose_windows(r, s, e) == 0 && compare_pair(r, s, e) == 0 &&
        comparison_summarize(&r->comparison, &r->summary, e) == 0)
        return 0;
    compare_run_free(r);
    return -1;
}

void compare_run_free(struct compare_run *r)
{
    comparison_free(&r->comparison);
    pair_close(&r->pair);
    threads_close(r->threads);
}
