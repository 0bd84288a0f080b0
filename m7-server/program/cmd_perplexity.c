/* The command that says how well a model foresees a text. */
#include "commands.h"
#include "input.h"
#include "perplexity.h"
#include "print.h"
#include "progress.h"
#include "sizes.h"
#include "subject.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

/* All that the command needs. */
struct perplexity_command {
    struct subject subject;
    struct threads *threads; /* owned */
    struct ids ids; /* of the text; owned */
    struct windows windows;
    struct surprises surprises;
    size_t bytes;   /* of text, that the scored tokens stand for */
    double seconds; /* that reading took */
};

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- the work ----------------------------------------------------------- */

/* The text, or its first -n tokens. */
static int take_text(struct perplexity_command *c, const struct settings *s,
                     struct error *e)
{
    struct bytes text = {0};
    int result = input_text(s->arguments[0], &text, e);
    if (result == 0)
        result = subject_encode(&c->subject, text.data, text.size, &c->ids, e);
    bytes_free(&text);
    c->ids.size = smaller_size(c->ids.size, number_or(s->tokens, c->ids.size));
    return result ? -1 : check_scored(c->ids.size, e);
}

/* The bytes of the tokens that the windows score. */
static int count_scored_bytes(struct perplexity_command *c, struct error *e)
{
    for (struct window w = {0}; windows_next(&c->windows, c->ids.size, &w);) {
        size_t bytes;
        if (subject_bytes(&c->subject, c->ids.data + w.scored,
                          w.end - w.scored, &bytes, e))
            return -1;
        c->bytes += bytes;
    }
    return 0;
}

static void show_reading(void *context, size_t done, size_t all)
{
    progress_show(context, "reading", done, all);
}

static int read_windows(struct perplexity_command *c, const struct settings *s,
                        struct error *e)
{
    struct window_reader r;
    struct progress progress = {0};
    struct evaluation v = {.readers = &r,
                           .windows = c->windows,
                           .progress = show_reading,
                           .progress_context = &progress};
    if (window_reader_init_form(&r, &c->subject.model, &c->windows, s->cache,
                                e))
        return -1;
    double began = clock_seconds();
    int result =
        measure_surprises(&v, c->ids.data, c->ids.size, &c->surprises, e);
    c->seconds = clock_seconds() - began;
    progress_end(&progress);
    window_reader_free(&r);
    return result;
}

/* --- the result --------------------------------------------------------- */

static double bits(double nats)
{
    return nats / log(2);
}

static double nats_by_byte(const struct perplexity_command *c)
{
    return c->surprises.nats / (double)c->bytes;
}

static void print_perplexity(const struct perplexity_command *c)
{
    const struct surprises *s = &c->surprises;
    struct window_count n = windows_count(&c->windows, c->ids.size);
    printf("perplexity  %.4f\n", perplexity(s));
    printf("nats        %.4f a token, %.4f a byte\n", mean_nats(s),
           nats_by_byte(c));
    printf("bits        %.4f a token, %.4f a byte\n", bits(mean_nats(s)),
           bits(nats_by_byte(c)));
    printf("scored      %zu of %zu tokens, %zu bytes\n", s->tokens,
           c->ids.size, c->bytes);
    printf("windows     %zu, of %zu tokens at most, %zu from one to the "
           "next\n",
           n.windows, c->windows.size, c->windows.stride);
}

static json_t *json_perplexity(const struct perplexity_command *c)
{
    const struct surprises *s = &c->surprises;
    struct window_count n = windows_count(&c->windows, c->ids.size);
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}",
        "perplexity", json_finite(perplexity(s)), "nats_per_token",
        json_finite(mean_nats(s)), "bits_per_token",
        json_finite(bits(mean_nats(s))), "nats_per_byte",
        json_finite(nats_by_byte(c)), "bits_per_byte",
        json_finite(bits(nats_by_byte(c))), "scored",
        (json_int_t)s->tokens, "tokens", (json_int_t)c->ids.size, "bytes",
        (json_int_t)c->bytes, "windows", (json_int_t)n.windows, "window",
        (json_int_t)c->windows.size, "stride", (json_int_t)c->windows.stride);
}

/* On standard error, as other commands have it: no two runs have the same. */
static void print_reading(const struct perplexity_command *c)
{
    size_t read = windows_count(&c->windows, c->ids.size).read;
    fflush(stdout);
    fprintf(stderr, "%zu tokens read in %.3f s: %.1f tokens/s\n", read,
            c->seconds, (double)read / c->seconds);
}

static int show_perplexity(const struct perplexity_command *c,
                           const struct settings *s, struct error *e)
{
    int result = 0;
    if (s->json)
        result = print_json_line(json_perplexity(c), e);
    else
        print_perplexity(c);
    if (result == 0 && !s->quiet)
        print_reading(c);
    return result;
}

int cmd_perplexity(const struct settings *s, struct error *e)
{
    struct perplexity_command c = {.ids = {0}};
    if (subject_open(&c.subject, s->model, e))
        return -1;
    print_ignored(&c.subject.model);
    int result =
        windows_init(&c.windows, &c.subject.model, number_or(s->window, 0),
                     number_or(s->stride, 0), e);
    struct model *const models[] = {&c.subject.model};
    if (result == 0)
        result = take_text(&c, s, e);
    if (result == 0)
        result = speed_up(s, models, 1, &c.threads, e);
    if (result == 0)
        result = count_scored_bytes(&c, e);
    if (result == 0)
        result = read_windows(&c, s, e);
    if (result == 0)
        result = show_perplexity(&c, s, e);
    ids_free(&c.ids);
    subject_close(&c.subject);
    threads_close(c.threads);
    return result;
}
