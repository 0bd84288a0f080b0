/* The command that goes on with a text. */
#include "commands.h"
#include "drafter.h"
#include "generate.h"
#include "print.h"
#include "print_logprobs.h"
#include "prompt.h"
#include "reply.h"
#include "sampling_options.h"
#include "session_options.h"
#include "sizes.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Ctrl-C was pressed.  A signal's handler is called with nothing but the
 * signal, so what it has to say must stand where everybody can see it.  With
 * the list of guard.c this is the only variable of its kind here. */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted;
}

/* Reading the prompt ends where its pass has given the first new token, or the
 * first few, with guesses; from there on it is writing. */
struct times {
    double began, first, ended; /* seconds; first 0: not yet */
    size_t n_read, n_first;     /* tokens of the prompt; new ones by then */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note_first(struct times *t)
{
    if (t->first > 0)
        return;
    t->first = seconds();
    t->n_first = 1;
}

/* One continuation on its way out. */
struct output {
    const struct input *input;
    const struct settings *settings;
    struct reply reply;
    const struct speculation *guesses;
    struct times *times;
    json_t *list; /* with --json: what was shown of each token; owned */
    char last;    /* the byte written last */
};

/* All that the command needs. */
struct generate_command {
    const struct settings *settings;
    struct input input;
    struct sampling_options options;
    struct sampler sampler;
    struct drafter drafter;
    struct state state;
    struct cache cache;     /* the prompt is read once for all continuations */
    size_t n_prompt, n_new; /* tokens */
    struct session_use use; /* --load and --save */
    struct times times;
    bool line_is_open;      /* the text does not end with a newline */
    json_t *results;        /* with --json: of each continuation; owned */
};

static int write_out(struct output *o, struct bytes *text, struct error *e)
{
    size_t size = text->size;
    if (size > 0)
        o->last = text->data[size - 1];
    int result = text->failed ? fail_memory(e, "the text") : 0;
    if (!result && size && fwrite(text->data, 1, size, stdout) != size)
        result = fail_errno(e, "standard output");
    if (!result && fflush(stdout))
        result = fail_errno(e, "standard output");
    bytes_free(text);
    return result;
}

/* Show a token in the way that was asked for: as its text, or as how sure the
 * model was.  What is plain JSON is printed from the ids, at the end. */
static int show_token(struct output *o, int id, const float *logits,
                      struct bytes *text, struct error *e)
{
    const struct settings *s = o->settings;
    struct judged j = {o->input, id, logits, number_or(s->logprobs, 0)};
    if (!s->logprobs.said)
        return s->json ? 0 : write_out(o, text, e);
    if (!s->json)
        return print_logprobs(&j, e);
    json_add(&o->list, json_logprobs(&j));
    return 0;
}

static int put_token(void *context, int id, const float *logits,
                     struct error *e)
{
    struct output *o = context;
    struct bytes text = {0};
    o->times->n_first += o->times->first > 0 && o->guesses->n_passes == 1;
    note_first(o->times);
    int result = reply_put(&o->reply, id, &text, e);
    if (result == 0)
        result = show_token(o, id, logits, &text, e);
    bytes_free(&text);
    return result ? -1 : o->reply.stop.found || interrupted;
}

/* What was held back; and on a terminal, or where more follows, the last line
 * is ended. */
static int finish_text(struct output *o, bool *line_is_open, struct error *e)
{
    struct bytes text = {0};
    int result = reply_end(&o->reply, &text, e);
    if (result == 0)
        result = write_out(o, &text, e);
    bytes_free(&text);
    *line_is_open = o->last != '\n';
    if (result || !*line_is_open)
        return result;
    if (isatty(STDOUT_FILENO) || o->settings->samples.said)
        *line_is_open = putchar('\n') == EOF;
    return 0;
}

/* What stands before continuation i: its number, and the head of a table. */
static void show_head(const struct settings *s, size_t i)
{
    if (s->samples.said && !s->json)
        printf("%s--- %zu of %zu ---\n", i ? "\n" : "", i + 1,
               s->samples.value);
    if (s->logprobs.said && !s->json)
        print_logprobs_head(s->logprobs.value);
}

/* What no token has shown: the end of the text; or, with --json, the ids from
 * `first` on, all that were chosen, also the one that ended the text. */
static int show_rest(struct output *o, size_t first, bool *line_is_open,
                     struct error *e)
{
    const struct ids *ids = &o->input->ids;
    if (o->settings->logprobs.said)
        return 0;
    if (!o->settings->json)
        return finish_text(o, line_is_open, e);
    for (size_t i = first; i < ids->size; i++)
        json_add(&o->list, json_integer(ids->data[i]));
    return 0;
}

/* Continuation i of --samples goes back to the prompt, and has stream i of the
 * seed. */
static int run_continuation(struct generate_command *c, size_t i,
                            struct error *e)
{
    const struct settings *s = c->settings;
    struct input *in = &c->input;
    struct speculation *guesses = &c->drafter.speculation;
    struct output o = {.input = in,
                       .settings = s,
                       .guesses = guesses,
                       .times = &c->times,
                       .list = json_array()};
    struct generation g = {.most = number_or(s->tokens, 32),
                           .sampler = &c->sampler,
                           .ends = &c->options.ends,
                           .put = put_token,
                           .context = &o,
                           .state = &c->state,
                           .cache = &c->cache};
    in->ids.size = c->n_prompt;
    random_init(&c->sampler.random, c->options.seed, i);
    show_head(s, i);
    int result =
        reply_init(&o.reply, in->tokenizer, s->stops.items, s->stops.n, e);
    if (result == 0) {
        result = guesses->propose
                     ? speculate(&in->model, &in->non_tokens, &in->ids, &g,
                                 guesses, e)
                     : generate(&in->model, &in->non_tokens, &in->ids, &g, e);
        note_first(&c->times); /* if none was put out */
        if (result >= 0)
            result = show_rest(&o, c->n_prompt, &c->line_is_open, e);
        reply_free(&o.reply);
    }
    c->n_new += in->ids.size - c->n_prompt;
    json_add(&c->results, o.list);
    return result;
}

/* With --samples a list of results, else the one. */
static int print_results(struct generate_command *c, struct error *e)
{
    json_t *value = c->results;
    if (!c->settings->samples.said)
        value = json_array_get(c->results, 0);
    return print_json_line(json_incref(value), e);
}

/* How much of the prompt was read: all that was not known, but for Ctrl-C. */
static size_t count_read(const struct generate_command *c)
{
    size_t held = smaller_size(c->cache.length, c->n_prompt);
    return held > c->use.known ? held - c->use.known : 0;
}

static int run_continuations(struct generate_command *c, struct error *e)
{
    size_t n = number_or(c->settings->samples, 1);
    c->n_prompt = c->input.ids.size;
    c->times.began = seconds();
    for (size_t i = 0; i < n && (i == 0 || !interrupted); i++)
        if (run_continuation(c, i, e))
            return -1;
    c->times.ended = seconds();
    c->times.n_read = count_read(c);
    return c->settings->json ? print_results(c, e) : 0;
}

/* How many tokens one of the two machines had; and, where n of them show it,
 * how fast. */
static void print_speed(size_t count, const char *deed, size_t n, double spent)
{
    fprintf(stderr, "%zu %s", count, deed);
    if (n > 0 && spent > 0)
        fprintf(stderr, " in %.3f s: %.1f tokens/s", spent,
                (double)n / spent);
}

/* New tokens that took time of their own. */
static size_t count_later(const struct generate_command *c)
{
    size_t first = c->times.n_first;
    bool one_pass = c->drafter.speculation.n_passes == 1;
    return one_pass || c->n_new < first ? 0 : c->n_new - first;
}

/* The statistics, on standard error: not part of the text.  What --save reads
 * of a prompt is counted, but has no time. */
static void print_timing(const struct generate_command *c)
{
    const struct times *t = &c->times;
    fflush(stdout);
    fprintf(stderr, "%s", c->line_is_open ? "\n" : "");
    if (c->settings->load)
        fprintf(stderr, "%zu known, ", c->use.known);
    print_speed(count_read(c), "read", t->n_read, t->first - t->began);
    fprintf(stderr, "\n");
    print_speed(c->n_new, "written", count_later(c), t->ended - t->first);
    if (c->options.sampling.temperature > 0)
        fprintf(stderr, ", seed %llu", (unsigned long long)c->options.seed);
    fprintf(stderr, "%s\n", interrupted ? ", interrupted" : "");
    drafter_print(&c->drafter);
}

/* Let Ctrl-C end the text, or the reading of the prompt, and not the program;
 * a second one ends that.  One that is ignored, as in a background job, stays
 * so. */
static void catch_interrupt(void)
{
    struct sigaction before, action = {.sa_handler = note_interrupt,
                                       .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, NULL, &before);
    if (before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
}

/* Room for the prompt and what may follow it; in a drafting model, too. */
static int open_state(struct generate_command *c, struct error *e)
{
    size_t most = c->input.ids.size + number_or(c->settings->tokens, 32);
    if (drafter_open(&c->drafter, c->settings, &c->input, &c->options, most,
                     e))
        return -1;
    size_t chunk = number_or(c->settings->chunk,
                             state_chunk(&c->input.model));
    int result =
        state_init_chunked(&c->state, &c->input.model, most, chunk, e);
    if (result == 0)
        result = cache_init_form(&c->cache, &c->input.model,
                                 c->settings->cache, most, chunk, e);
    c->state.cancelled = c->drafter.small.state.cancelled = is_interrupted;
    if (result) {
        state_free(&c->state);
        drafter_close(&c->drafter);
    }
    return result;
}

static int run_generate(struct generate_command *c, struct error *e)
{
    const struct settings *s = c->settings;
    size_t n_vocab = c->input.model.config.vocab_size;
    if (sampling_options_init(&c->options, s, &c->input, false, e))
        return -1;
    int result =
        sampler_init(&c->sampler, &c->options.sampling, n_vocab, 0, 0, e);
    sampler_use(&c->sampler, c->input.model.set);
    if (result == 0)
        result = open_state(c, e);
    if (result == 0) {
        c->results = json_array();
        result = session_options_load(s, &c->input, &c->cache, &c->use, e);
        if (result == 0)
            result = run_continuations(c, e);
        if (result == 0)
            result = session_options_save(s, &c->input, &c->state, &c->cache,
                                          &c->use, e);
        if (result == 0 && !s->quiet)
            print_timing(c);
        json_decref(c->results);
        cache_free(&c->cache);
        state_free(&c->state);
        drafter_close(&c->drafter);
    }
    sampler_free(&c->sampler);
    sampling_options_free(&c->options);
    return result;
}

/* After Ctrl-C everything is brought to its end, and then the signal is let
 * through: so a shell knows that its user wants to stop, and stops, too. */
int cmd_generate(const struct settings *s, struct error *e)
{
    struct generate_command c = {.settings = s};
    if (session_options_check(s, e) ||
        prompt_open(&c.input, s, number_or(s->tokens, 32), e))
        return -1;
    print_ignored(&c.input.model);
    catch_interrupt();
    int result = run_generate(&c, e);
    input_close(&c.input);
    if (interrupted && result)
        fprintf(stderr, "rung: %s\n", e->message);
    if (interrupted)
        raise(SIGINT);
    return result;
}
