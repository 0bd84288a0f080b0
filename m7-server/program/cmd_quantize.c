/* The command that quantizes a model. */
#include "commands.h"
#include "progress.h"
#include "quantize_model.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* --- what was asked for -------------------------------------------------- */

static int read_format(const struct settings *s, struct rounding *r,
                       struct error *e)
{
    if (!s->to)
        return fail(e, ERROR_USAGE, "quantize needs --to: int8 or int4");
    r->format = quantize_format(s->to);
    return r->format ? 0
                     : fail(e, ERROR_USAGE,
                            "option --to must be int8 or int4, not \"%s\"",
                            s->to);
}

static int read_group_size(const struct settings *s, struct rounding *r,
                      struct error *e)
{
    r->group = number_or(s->group, 0);
    if (!s->group.said || r->group == 32 || r->group == 64 || r->group == 128)
        return 0;
    return fail(e, ERROR_USAGE,
                "option --group must be 32, 64 or 128, not %zu", r->group);
}

/* A list of words with commas between them. */
static int read_keep(const struct settings *s, struct choice *c,
                     struct error *e)
{
    const char *at = s->keep;
    while (at) {
        size_t length = strcspn(at, ",");
        bool embed = length == 5 && strncmp(at, "embed", 5) == 0;
        bool head = length == 4 && strncmp(at, "head", 4) == 0;
        if (!embed && !head)
            return fail(e, ERROR_USAGE,
                        "option --keep takes embed, head, or both with a "
                        "comma, not \"%s\"",
                        s->keep);
        c->keep_embedding |= embed;
        c->keep_head |= head;
        at = at[length] ? at + length + 1 : NULL;
    }
    return 0;
}

static int read_request(const struct settings *s, struct quantize_request *r,
                        struct error *e)
{
    struct rounding *rounding = &r->choice.rounding;
    *r = (struct quantize_request){.model = s->arguments[0],
                                   .out = s->arguments[1],
                                   .calibrate = s->calibrate,
                                   .shard_bytes = SHARD_BYTES};
    rounding->search = s->search || s->calibrate;
    if (read_format(s, rounding, e) || read_group_size(s, rounding, e))
        return -1;
    return read_keep(s, &r->choice, e);
}

/* --- what has become of it ----------------------------------------------- */

static const char *const fates[N_FATES] = {
    [FATE_ROUNDED] = "rounded",
    [FATE_ASKED] = "kept, as asked",
    [FATE_COLUMNS] = "kept: no group divides their rows",
    [FATE_OTHER] = "kept: norms, biases, others",
};

static void print_outcome(const char *what, const struct outcome_of *o)
{
    printf("%-34s %5zu %12zu %10.3f %10.3f %7.3f\n", what, o->tensors,
           o->values, (double)o->before / 1e6, (double)o->after / 1e6,
           8 * (double)o->after / (double)(o->values ? o->values : 1));
}

static void print_result(const struct quantize_request *r,
                         const struct quantize_result *result)
{
    struct outcome_of all = {0};
    printf("%s: %s, groups of %zu\n\n", r->out, result->rounding.format->name,
           result->rounding.group);
    printf("%-34s %5s %12s %10s %10s %7s\n", "", "", "values", "MB before",
           "MB after", "bits");
    for (int i = 0; i < N_FATES; i++) {
        const struct outcome_of *o = &result->by_fate[i];
        if (o->tensors > 0)
            print_outcome(fates[i], o);
        all.tensors += o->tensors;
        all.values += o->values;
        all.before += o->before;
        all.after += o->after;
    }
    print_outcome("all", &all);
    if (result->quantized_before > 0)
        fprintf(stderr,
                "note: %zu matrices had been quantized before: what was lost "
                "then stays lost, and rounding again adds to it\n",
                result->quantized_before);
}

/* --- the work ------------------------------------------------------------ */

/* The signal that came.  A handler is called with nothing else, so what it has
 * to say must stand where everybody can see it. */
static volatile sig_atomic_t stopped_by;

static void note_stop(int signal)
{
    stopped_by = signal;
}

/* Let Ctrl-C, and a kill that asks, end the work and not the program, so that
 * nothing is left behind; a second one ends that.  What is ignored, as in a
 * background job, stays so. */
static void catch_stops(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, action = {.sa_handler = note_stop,
                                       .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

static bool show_progress(void *context, const char *what, size_t done,
                          size_t all)
{
    progress_show(context, what, done, all);
    return !stopped_by;
}

/* Behind a signal nothing is left, and then it is let through: so a shell
 * knows that its user wants to stop, and stops, too. */
int cmd_quantize(const struct settings *s, struct error *e)
{
    struct quantize_request r;
    struct quantize_result result;
    struct progress progress = {0};
    if (read_request(s, &r, e))
        return -1;
    r.work = (struct work){show_progress, &progress};
    catch_stops();
    int code = quantize_model(&r, &result, e);
    progress_end(&progress);
    if (code == 1) {
        fprintf(stderr, "rung: interrupted; nothing was written\n");
        raise(stopped_by);
        return -1;
    }
    if (code == 0)
        print_result(&r, &result);
    return code;
}
