/* The command that says what each step of a generation read, computed and
 * kept. */
#include "commands.h"
#include "drafter.h"
#include "forward.h"
#include "generate.h"
#include "input.h"
#include "print.h"
#include "speculate.h"
#include "trace.h"

#include <jansson.h>
#include <stdio.h>

/* --- the run ------------------------------------------------------------ */

struct tracing {
    struct input input;
    struct state state;
    struct cache cache;
    struct trace trace;
    struct drafter drafter; /* with --draft */
    struct trace guessing;  /* what its small model does */
};

/* Add the likeliest of what could follow to the text. */
static int add_likeliest(struct tracing *t, const struct observer *o,
                         struct error *e)
{
    const struct model *m = &t->input.model;
    const float *logits =
        next_logits(m, &t->input.non_tokens, &t->state, o, e);
    if (!logits)
        return -1;
    ids_add(&t->input.ids, (int)find_largest(logits, m->config.vocab_size));
    return t->input.ids.failed ? fail_memory(e, "the new tokens") : 0;
}

/* Prefill, and `more` steps of decode, each to the logits of what follows.
 * Whether a token would end the text does not matter here. */
static int pass_all(struct tracing *t, size_t more, struct error *e)
{
    const struct model *m = &t->input.model;
    struct ids *ids = &t->input.ids;
    struct observer o = {trace_observe, &t->trace};
    prefill(m, &t->state, &t->cache, ids->data, ids->size, &o);
    if (add_likeliest(t, &o, e))
        return -1;
    for (size_t i = 0; i < more; i++) {
        decode(m, &t->state, &t->cache, ids->data[ids->size - 1], &o);
        if (add_likeliest(t, &o, e))
            return -1;
    }
    return 0;
}

static int go_on(void *context, int id, const float *logits, struct error *e)
{
    (void)context;
    (void)id;
    (void)logits;
    (void)e;
    return 0;
}

/* As many tokens, by guessing and checking; a token that ends the text ends
 * this. */
static int pass_guesses(struct tracing *t, size_t more, struct error *e)
{
    const struct model *m = &t->input.model;
    struct observer o = {trace_observe, &t->trace};
    struct observer guesses = {trace_observe, &t->guessing};
    struct sampling likeliest = no_sampling;
    struct sampler sampler;
    struct generation g = {.most = more + 1,
                           .sampler = &sampler,
                           .put = go_on,
                           .observer = &o,
                           .state = &t->state,
                           .cache = &t->cache};
    likeliest.temperature = 0;
    if (sampler_init(&sampler, &likeliest, m->config.vocab_size, 0, 0, e))
        return -1;
    t->drafter.small.observer = &guesses;
    int result = speculate(m, &t->input.non_tokens, &t->input.ids, &g,
                           &t->drafter.speculation, e);
    sampler_free(&sampler);
    return result;
}

/* --- a table ------------------------------------------------------------ */

static double thousands(size_t bytes)
{
    return (double)bytes / 1000;
}

static void print_step(const char *name, const char *positions,
                       const struct step *s)
{
    printf("%-7s %9s %9.1f %9.1f %8.1f %7.1f %8.1f %8.2f %6.2f\n", name,
           positions, thousands(s->weights),
           thousands(s->weights) / (double)s->n, thousands(s->cache_read),
           thousands(s->cache_written), thousands(s->held),
           (double)s->flops / 1e6, step_intensity(s));
}

static void print_passed(const struct step *s)
{
    char positions[48];
    size_t last = s->from + s->n - 1;
    if (s->n == 1)
        snprintf(positions, sizeof positions, "%zu", last);
    else
        snprintf(positions, sizeof positions, "%zu-%zu", s->from, last);
    print_step(s->decodes ? "decode" : "prefill", positions, s);
}

/* What guessing took is a line of its own; "all" has it, too. */
static void print_trace(const struct tracing *t)
{
    struct step all = trace_total(&t->trace);
    struct step guessing = trace_total(&t->guessing);
    printf("                    weights   a token    cache written     held"
           "            FLOP\n"
           "step    positions        kB        kB  read kB      kB       kB"
           "    MFLOP /byte\n");
    for (size_t i = 0; i < t->trace.n; i++)
        print_passed(&t->trace.steps[i]);
    if (t->guessing.n > 0)
        print_step("guess", "", &guessing);
    step_add(&all, &guessing);
    print_step("all", "", &all);
}

/* --- JSON --------------------------------------------------------------- */

/* A step, and the ids (n,) of the tokens that it read. */
static json_t *json_step(const char *name, const struct step *s,
                         const int *ids)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n; i++)
        json_add(&list, json_integer(ids[i]));
    return json_pack("{s:s, s:I, s:o, s:I, s:I, s:I, s:I, s:I}", "step", name,
                     "from", (json_int_t)s->from, "ids", list, "weights",
                     (json_int_t)s->weights, "cache_read",
                     (json_int_t)s->cache_read, "cache_written",
                     (json_int_t)s->cache_written, "held", (json_int_t)s->held,
                     "flops", (json_int_t)s->flops);
}

/* The steps of one model, with names for the two machines. */
static void add_steps(json_t **list, const struct trace *t,
                      const char *prefills, const char *decodes)
{
    const int *ids = t->ids.data;
    for (size_t i = 0; i < t->n; i++) {
        const struct step *s = &t->steps[i];
        json_add(list, json_step(s->decodes ? decodes : prefills, s, ids));
        ids += s->n;
    }
}

static int print_trace_json(const struct tracing *t, struct error *e)
{
    json_t *list = json_array();
    add_steps(&list, &t->trace, "prefill", "decode");
    add_steps(&list, &t->guessing, "guess prefill", "guess decode");
    return print_json_line(list, e);
}

/* --- the command -------------------------------------------------------- */

/* How many new tokens there must be room for: the last of them is only read
 * where it was guessed. */
static size_t count_new(const struct settings *s)
{
    return number_or(s->tokens, 4) + (s->draft != NULL);
}

/* Room for the text and what follows it, in the drafting model, too. */
static int open_tracing(struct tracing *t, const struct settings *s,
                        struct error *e)
{
    const struct model *m = &t->input.model;
    struct sampling_options likeliest = {.sampling = no_sampling};
    size_t n = t->input.ids.size + count_new(s);
    size_t chunk = number_or(s->chunk, state_chunk(m));
    struct small_model *small = &t->drafter.small;
    likeliest.sampling.temperature = 0;
    if (state_init_chunked(&t->state, m, n, chunk, e) ||
        cache_init_form(&t->cache, m, s->cache, n, chunk, e) ||
        drafter_open(&t->drafter, s, &t->input, &likeliest, n, e))
        return -1;
    t->trace = (struct trace){
        .model = m, .state = &t->state, .cache = &t->cache};
    t->guessing = (struct trace){
        .model = small->model, .state = &small->state, .cache = &small->cache};
    return 0;
}

static void close_tracing(struct tracing *t)
{
    trace_free(&t->guessing);
    trace_free(&t->trace);
    drafter_close(&t->drafter);
    cache_free(&t->cache);
    state_free(&t->state);
}

static int trace_input(struct tracing *t, const struct settings *s,
                       struct error *e)
{
    size_t more = number_or(s->tokens, 4);
    int result = s->draft ? pass_guesses(t, more, e) : pass_all(t, more, e);
    if (result)
        return -1;
    if (t->trace.failed || t->guessing.failed)
        return fail_memory(e, "the trace");
    if (s->json)
        return print_trace_json(t, e);
    print_trace(t);
    return 0;
}

int cmd_trace(const struct settings *s, struct error *e)
{
    struct tracing t = {.trace = {0}};
    if (input_open(&t.input, s->model, s->arguments[0], count_new(s), e))
        return -1;
    int result = open_tracing(&t, s, e);
    if (result == 0)
        result = trace_input(&t, s, e);
    close_tracing(&t);
    input_close(&t.input);
    return result;
}
