/* rung bench: how fast a model runs here. */
#include "commands.h"
#include "input.h"
#include "measure.h"
#include "print.h"
#include "progress.h"
#include "random_model.h"
#include "threads.h"

#include <stdio.h>
#include <string.h>

/* What the command line asks for. */
struct bench_command {
    struct model model;
    bool is_random;
    struct threads *threads; /* owned */
    const char *name;
    struct measured cases[MOST_CASES];
    struct measuring measuring;
    struct progress progress;
};

static const size_t prefills[] = {71, 512, 1570, 4096};
static const size_t depths[] = {0, 1024, 4096};
static const size_t batches[] = {1, 2, 4, 8, 16};

enum bench_sizes { DECODED = 64, BENCH_ROUNDS = 5 };

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
static void choose_cases(struct bench_command *c, const struct settings *s)
{
    size_t longest = number_or(s->tokens, 4096);
    for (size_t i = 0; i < sizeof prefills / sizeof *prefills; i++)
        if (prefills[i] <= longest)
            add_case(c, 0, prefills[i], 0);
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (depths[i] <= longest)
            add_case(c, depths[i], DECODED, 1);
    for (size_t i = 1; i < sizeof batches / sizeof *batches; i++)
        add_case(c, 0, DECODED, batches[i]);
}

static const char *case_name(const struct measured *c, char *out, size_t size)
{
    if (c->batch == 0)
        snprintf(out, size, "prefill %zu", c->tokens);
    else if (c->batch == 1)
        snprintf(out, size, "decode %zu at %zu", c->tokens, c->depth);
    else
        snprintf(out, size, "batches of %zu", c->batch);
    return out;
}

static void print_speeds(const struct bench_command *c)
{
    char name[64];
    printf("%s, %s, %zu threads, cache %s; medians of %zu rounds\n\n", c->name,
           c->model.set ? c->model.set->name : "exact",
           threads_count(c->threads),
           c->measuring.form ? c->measuring.form->name : "f32",
           c->measuring.rounds);
    printf("%-20s  tokens/s  spread\n", "work");
    for (size_t i = 0; i < c->measuring.n; i++)
        printf("%-20s  %8.1f  %5.0f%%\n",
               case_name(&c->cases[i], name, sizeof name),
               measured_speed(&c->cases[i], c->measuring.rounds),
               100 * measured_spread(&c->cases[i], c->measuring.rounds));
}

static int print_json_speeds(const struct bench_command *c, struct error *e)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < c->measuring.n; i++) {
        const struct measured *m = &c->cases[i];
        size_t rounds = c->measuring.rounds;
        json_array_append_new(
            cases, json_pack("{s:I,s:I,s:I,s:f,s:f}", "depth",
                             (json_int_t)m->depth, "tokens",
                             (json_int_t)m->tokens, "batch",
                             (json_int_t)m->batch, "tokens_per_second",
                             measured_speed(m, rounds), "spread",
                             measured_spread(m, rounds)));
    }
    return print_json_line(
        json_pack("{s:s,s:s,s:I,s:o}", "model", c->name, "set",
                  c->model.set ? c->model.set->name : "exact", "threads",
                  (json_int_t)threads_count(c->threads), "cases", cases),
        e);
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

static int open_bench(struct bench_command *c, const struct settings *s,
                      struct error *e)
{
    struct model *const models[] = {&c->model};
    if (!s->shape) {
        c->name = s->model;
        return model_open(&c->model, s->model, e)
                   ? -1
                   : speed_up(s, models, 1, &c->threads, e);
    }
    const struct shape *shape = shape_named(s->shape);
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

int cmd_bench(const struct settings *s, struct error *e)
{
    struct bench_command c = {.name = NULL};
    int result = open_bench(&c, s, e);
    c.measuring = (struct measuring){.model = &c.model,
                                     .form = s->cache,
                                     .rounds = number_or(s->samples, 5),
                                     .cases = c.cases,
                                     .progress = show_measuring,
                                     .context = &c.progress};
    if (result == 0) {
        choose_cases(&c, s);
        result = measure_all(&c.measuring, e);
        progress_end(&c.progress);
    }
    if (result == 0 && s->json)
        result = print_json_speeds(&c, e);
    else if (result == 0)
        print_speeds(&c);
    (c.is_random ? random_model_close : model_close)(&c.model);
    threads_close(c.threads);
    return result;
}
