/* rung bench: how fast a model runs here, and how fast it could. */
#include "commands.h"
#include "input.h"
#include "lines.h"
#include "measure.h"
#include "print.h"
#include "progress.h"
#include "random_model.h"
#include "report.h"
#include "sizes.h"
#include "threads.h"

#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
struct bench_command {
    const struct settings *settings;
    struct model model;
    bool is_random;
    struct threads *threads; /* owned */
    const char *name;
    double begun; /* when its model began to be opened */
    struct measured cases[MOST_CASES];
    struct measuring measuring;
    struct progress progress;
};

static const size_t prefills[] = {71, 512, 1570, 4096};
static const size_t depths[] = {0, 1024, 4096};
static const size_t decoded[] = {64, 128};
static const size_t batches[] = {2, 4, 8, 16};

enum bench_sizes { BATCHED = 64, BENCH_LONGEST = 4096, BENCH_ROUNDS = 5 };

static void add_case(struct bench_command *c, size_t depth, size_t tokens,
                     size_t batch)
{
    struct measuring *m = &c->measuring;
    size_t most = c->model.max_positions;
    if (m->n < MOST_CASES && depth + tokens <= most)
        c->cases[m->n++] = (struct measured){
            .depth = depth, .tokens = tokens, .batch = batch};
}

/* -n leaves out what is longer. */
static void choose_cases(struct bench_command *c)
{
    size_t longest = number_or(c->settings->tokens, BENCH_LONGEST);
    for (size_t i = 0; i < sizeof prefills / sizeof *prefills; i++)
        if (prefills[i] <= longest)
            add_case(c, 0, prefills[i], 0);
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        for (size_t k = 0; k < sizeof decoded / sizeof *decoded; k++)
            if (depths[i] <= longest)
                add_case(c, depths[i], decoded[k], 1);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        add_case(c, 0, BATCHED, batches[i]);
}

static void show_measuring(void *context, size_t done, size_t all)
{
    progress_show(context, "measuring", done, all);
}

/* The kinds in which --to says that weights are packed. */
static int read_kinds(const struct settings *s, enum packed_kind *kind,
                      struct error *e)
{
    const char *to = s->to ? s->to : "int4";
    *kind = strcmp(to, "int4") == 0 ? PACKED_INT4 : PACKED_INT8;
    if (*kind == PACKED_INT8 && strcmp(to, "int8") != 0)
        return fail(e, ERROR_USAGE, "--to %s: int4 and int8 are known", to);
    return 0;
}

static int open_random(struct bench_command *c, struct error *e)
{
    const struct settings *s = c->settings;
    const struct model_shape *shape = shape_named(s->shape);
    enum packed_kind kind;
    c->name = s->shape;
    if (!shape)
        return fail(e, ERROR_USAGE, "--shape %s: no shape has that name",
                    s->shape);
    if (read_kinds(s, &kind, e) ||
        threads_open(&c->threads, number_or(s->threads, 0), e) ||
        random_model_open(&c->model, shape, kind, kind, c->threads, e))
        return -1;
    c->is_random = true;
    return 0;
}

static int open_bench(struct bench_command *c, struct error *e)
{
    struct model *const models[] = {&c->model};
    const struct settings *s = c->settings;
    c->begun = seconds_now();
    c->name = s->model;
    if (s->shape)
        return open_random(c, e);
    return model_open(&c->model, s->model, e)
               ? -1
               : speed_up(s, models, 1, &c->threads, e);
}

/* Bytes of the cache for each token, as a short one has them. */
static int find_position_bytes(struct bench_command *c, size_t *bytes,
                               struct error *e)
{
    struct bench_run *r;
    if (bench_run_open(&r, &c->model, c->settings->cache, 1, e))
        return -1;
    *bytes = bench_position_bytes(r);
    bench_run_close(r);
    return 0;
}

/* The limits are those of this set of instructions, or of the fastest. */
static int report(struct bench_command *c, struct error *e)
{
    struct limits limits;
    const struct cpu_set *set = c->model.set;
    struct bench_report r = {.name = c->name,
                             .set = set ? set->name : "exact",
                             .threads = threads_count(c->threads),
                             .measuring = &c->measuring,
                             .weight_bytes = model_packed_bytes(&c->model),
                             .limits = &limits};
    if (find_position_bytes(c, &r.position_bytes, e) ||
        (!set && cpu_choose(&set, e)) ||
        limits_open(&limits, set, c->threads, e))
        return -1;
    limits_measure(&limits);
    int result = report_speeds(&r, c->settings->json, e);
    limits_close(&limits);
    return result;
}

static int bench_model(struct bench_command *c, struct error *e)
{
    const struct settings *s = c->settings;
    c->measuring =
        (struct measuring){.model = &c->model,
                           .form = s->cache,
                           .rounds = number_or(s->samples, BENCH_ROUNDS),
                           .cases = c->cases,
                           .progress = show_measuring,
                           .context = &c->progress};
    choose_cases(c);
    int result = measure_all(&c->measuring, e);
    progress_end(&c->progress);
    return result ? -1 : report(c, e);
}

/* The first line says what there is to measure. */
static int bench_lines(struct bench_command *c, struct error *e)
{
    struct bench_run *r;
    size_t usual = smaller_size(c->model.max_positions, 2 * BENCH_LONGEST);
    size_t longest = number_or(c->settings->tokens, usual);
    if (bench_run_open(&r, &c->model, c->settings->cache, longest, e))
        return -1;
    int result = print_json_line(
        json_pack("{s:f,s:I,s:I,s:s}", "opening", seconds_now() - c->begun,
                  "weight_bytes", (json_int_t)model_packed_bytes(&c->model),
                  "position_bytes", (json_int_t)bench_position_bytes(r), "set",
                  c->model.set ? c->model.set->name : "exact"),
        e);
    if (result == 0)
        result = fflush(stdout) ? fail_errno(e, "standard output")
                                : answer_cases(r, longest, e);
    bench_run_close(r);
    return result;
}

static int run_bench(const struct settings *s, struct error *e)
{
    struct bench_command c = {.settings = s};
    if (number_or(s->samples, 0) > MOST_ROUNDS)
        return fail(e, ERROR_USAGE,
                    "--samples %zu: %d rounds can be measured at most",
                    s->samples.value, MOST_ROUNDS);
    int result = open_bench(&c, e);
    if (result == 0)
        result = (s->jsonl ? bench_lines : bench_model)(&c, e);
    (c.is_random ? random_model_close : model_close)(&c.model);
    threads_close(c.threads);
    return result;
}

/* `rung bench kernels`: without a model. */
static int bench_kernels(const struct settings *s, struct error *e)
{
    struct roofline r;
    struct threads *threads;
    struct progress progress = {.shown = false};
    if (options_check(s, "bench kernels", "threads json", e) ||
        threads_open(&threads, number_or(s->threads, 0), e))
        return -1;
    int result = roofline_open(&r, threads, e);
    if (result == 0) {
        r.progress = show_measuring;
        r.context = &progress;
        roofline_measure(&r);
        progress_end(&progress);
        result = report_kernels(&r, s->json, e);
        roofline_close(&r);
    }
    threads_close(threads);
    return result;
}

int cmd_bench(const struct settings *s, struct error *e)
{
    struct settings named = *s;
    if (s->n_arguments == 0)
        return run_bench(s, e);
    if (strcmp(s->arguments[0], "kernels") == 0)
        return bench_kernels(s, e);
    if (s->shape)
        return fail(e, ERROR_USAGE,
                    "rung bench %s: --shape %s is another model; name one",
                    s->arguments[0], s->shape);
    named.model = s->arguments[0];
    return run_bench(&named, e);
}
