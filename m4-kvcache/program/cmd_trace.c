/* The command that says what each step of a generation read, computed and
 * kept. */
#include "commands.h"
#include "forward.h"
#include "generate.h"
#include "input.h"
#include "print.h"
#include "trace.h"

#include <jansson.h>
#include <stdio.h>

/* --- the run ------------------------------------------------------------ */

struct tracing {
    struct input input;
    struct state state;
    struct cache cache;
    struct trace trace;
};

/* Add the likeliest of what could follow to the text. */
static int add_likeliest(struct tracing *t, const struct observer *o,
                         struct error *e)
{
    const struct model *m = &t->input.model;
    const float *logits = next_logits(m, t->input.tokenizer, &t->state,
                                      t->state.rows - 1, o, e);
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
    return t->trace.failed ? fail_memory(e, "the trace") : 0;
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

static void print_trace(const struct trace *t)
{
    struct step all = trace_total(t);
    printf("                    weights   a token    cache written     held"
           "            FLOP\n"
           "step    positions        kB        kB  read kB      kB       kB"
           "    MFLOP /byte\n");
    for (size_t i = 0; i < t->n; i++)
        print_passed(&t->steps[i]);
    print_step("all", "", &all);
}

/* --- JSON --------------------------------------------------------------- */

/* A step, and the ids of the tokens that it read. */
static json_t *json_step(const struct step *s, const struct ids *ids)
{
    json_t *list = json_array();
    for (size_t p = s->from; p < s->from + s->n; p++)
        json_add(&list, json_integer(ids->data[p]));
    return json_pack("{s:s, s:I, s:o, s:I, s:I, s:I, s:I, s:I}", "step",
                     s->decodes ? "decode" : "prefill", "from",
                     (json_int_t)s->from, "ids", list, "weights",
                     (json_int_t)s->weights, "cache_read",
                     (json_int_t)s->cache_read, "cache_written",
                     (json_int_t)s->cache_written, "held", (json_int_t)s->held,
                     "flops", (json_int_t)s->flops);
}

static int print_trace_json(const struct tracing *t, struct error *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->trace.n; i++)
        json_add(&list, json_step(&t->trace.steps[i], &t->input.ids));
    return print_json_line(list, e);
}

/* --- the command -------------------------------------------------------- */

static int trace_input(struct tracing *t, const struct settings *s,
                       struct error *e)
{
    size_t more = number_or(s->tokens, 4), n = t->input.ids.size + more;
    size_t chunk = number_or(s->chunk, STATE_CHUNK);
    const struct model *m = &t->input.model;
    if (state_init_chunked(&t->state, m, n, chunk, e))
        return -1;
    t->trace = (struct trace){
        .model = m, .state = &t->state, .cache = &t->cache};
    int result = cache_init(&t->cache, m, n, chunk, e);
    if (result == 0)
        result = pass_all(t, more, e);
    if (result == 0 && s->json)
        result = print_trace_json(t, e);
    else if (result == 0)
        print_trace(&t->trace);
    trace_free(&t->trace);
    cache_free(&t->cache);
    state_free(&t->state);
    return result;
}

int cmd_trace(const struct settings *s, struct error *e)
{
    struct tracing t = {.trace = {0}};
    if (input_open(&t.input, s->model, s->arguments[0],
                   number_or(s->tokens, 4), e))
        return -1;
    int result = trace_input(&t, s, e);
    input_close(&t.input);
    return result;
}
