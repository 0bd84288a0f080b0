/* The model that answers: see speaker.h. */
#include "speaker.h"

#include "engine_options.h"
#include "json_write.h"
#include "opening.h"
#include "plain_text.h"
#include "sampling_options.h"
#include "sizes.h"
#include "stand_ins.h"

#include <string.h>
#include <time.h>

/* --- the model ----------------------------------------------------------- */

/* What the command line says, in place of what the makers advise. */
static void choose_sampling(struct speaker *s)
{
    const struct settings *asked = s->settings;
    struct rung_sampling *how = &s->asked.sampling;
    rung_advised_sampling(s->model->engine, how);
    how->repetition = (float)real_or(asked->repetition, how->repetition);
    how->presence = (float)real_or(asked->presence, how->presence);
    how->frequency = (float)real_or(asked->frequency, how->frequency);
    how->temperature = (float)real_or(asked->temperature, how->temperature);
    how->top_k = number_or(asked->top_k, how->top_k);
    how->top_p = real_or(asked->top_p, how->top_p);
    how->min_p = (float)real_or(asked->min_p, how->min_p);
    how->typical_p = real_or(asked->typical_p, how->typical_p);
    for (size_t i = 0; i < asked->biases.n; i++)
        s->biases[i] = (struct rung_bias){asked->biases.items[i].id,
                                          asked->biases.items[i].value};
    how->biases = s->biases;
    how->n_biases = asked->biases.n;
}

/* The first that answers is the one that is asked. */
static int open_speaking_models(struct speaker *s, const char *const *paths,
                                size_t n, struct error *e)
{
    struct rung_options o = engine_options(s->settings);
    o.context = number_or(s->settings->context, 0);
    o.requests = 1;
    o.queue = 1;
    struct opening opening;
    if (opening_begin(&opening, e))
        return -1;
    int result = served_open(&s->models, paths, n, &o, e);
    opening_end(&opening);
    if (result)
        return -1;
    for (size_t i = 0; i < n && !s->model; i++)
        if (!s->models.items[i].facts->embeds)
            s->model = &s->models.items[i];
    if (s->model)
        return 0;
    served_close(&s->models);
    return fail(e, ERROR_INPUT, "%s: makes vectors, and no answers", paths[0]);
}

int speaker_open(struct speaker *s, const struct settings *asked,
                 const char *const *paths, size_t n, struct answer_wait *wait,
                 struct error *e)
{
    *s = (struct speaker){.wait = wait, .settings = asked};
    if (open_speaking_models(s, paths, n, e))
        return -1;
    rung_request_init(&s->asked);
    choose_sampling(s);
    s->seed = sampling_seed(asked);
    s->asked.stops = asked->stops.items;
    s->asked.n_stops = asked->stops.n;
    s->asked.ends = asked->stop_ids.items;
    s->asked.n_ends = asked->stop_ids.n;
    s->most = number_or(asked->tokens, SIZE_MAX);
    s->thinking = asked->think ? THINKING_ON : THINKING_DEFAULT;
    return 0;
}

int speaker_choose(struct speaker *s, const char *name, struct error *e)
{
    for (size_t i = 0; i < s->models.n; i++) {
        const struct served *m = &s->models.items[i];
        if (strcmp(m->facts->name, name) != 0)
            continue;
        if (m->facts->embeds)
            return fail(e, ERROR_INPUT, "%s makes vectors, and no answers",
                        name);
        s->model = m;
        choose_sampling(s);
        return 0;
    }
    return fail(e, ERROR_USAGE, "no model is called \"%s\" here (see: /model)",
                name);
}

void speaker_close(struct speaker *s)
{
    served_close(&s->models);
}

bool speaker_takes_tools(const struct speaker *s)
{
    return chat_template_abilities(s->model->template, true)->tools;
}

/* --- what it says -------------------------------------------------------- */

/* One answer while it comes. */
struct speech {
    struct speaker *speaker;
    struct chat_screen *screen;
    json_t *tools; /* not owned */
    struct tm now; /* for the template */
    struct turn turn;
    struct bytes content, reasoning;
    json_t *call;           /* that has begun; owned, or NULL */
    struct bytes arguments; /* of it */
    json_t *calls;          /* that are whole; owned */
    bool broken;            /* `error` says why */
    struct error error;
};

static void note_call(struct speech *p, const struct markup_event *event)
{
    json_decref(p->call);
    p->arguments.size = 0;
    p->call = json_pack("{s:s, s:s, s:{s:s}}", "id", event->id, "type",
                        "function", "function", "name", event->name);
}

/* A call that is whole can be answered; others are only shown. */
static void keep_call(struct speech *p)
{
    json_t *function = json_object_get(p->call, "function");
    json_t *arguments = json_stringn(
        p->arguments.data ? p->arguments.data : "", p->arguments.size);
    if (json_object_set_new(function, "arguments", arguments)) {
        json_decref(p->call);
        p->call = NULL;
    }
    json_add(&p->calls, p->call);
    p->call = NULL;
}

static void take_meaning(void *context, const struct markup_event *event)
{
    struct speech *p = context;
    chat_screen_show(p->screen, event);
    switch (event->type) {
    case MARKUP_REASONING:
        bytes_add(&p->reasoning, event->text, event->size);
        break;
    case MARKUP_CONTENT:
        bytes_add(&p->content, event->text, event->size);
        break;
    case MARKUP_CALL:
        note_call(p, event);
        break;
    case MARKUP_ARGUMENTS:
        bytes_add(&p->arguments, event->text, event->size);
        break;
    case MARKUP_CALL_END:
        keep_call(p);
        break;
    default:
        break;
    }
}

static int take_spoken(void *context, const struct rung_token_event *t)
{
    struct speech *p = context;
    p->broken = turn_put(&p->turn, t->id, t->text, t->size, &p->error);
    return p->broken || p->turn.over || p->screen->failed;
}

static void take_end(void *context, const struct rung_result *r)
{
    struct speech *p = context;
    enum turn_finish finish;
    bool at_limit = r->reason == RUNG_LENGTH;
    if (!p->broken)
        p->broken =
            turn_end(&p->turn, r->text, r->size, at_limit, &finish, &p->error);
    chat_screen_end(p->screen);
    answer_wait_notify(p->speaker->wait);
}

/* The answer as a message; NULL without memory. */
static json_t *message_of(const struct speech *p)
{
    json_t *message = json_pack("{s:s}", "role", "assistant");
    const struct bytes *thought = &p->reasoning, *said = &p->content;
    json_put(&message, "content",
             json_stringn(said->data ? said->data : "", said->size));
    if (thought->size > 0)
        json_put(&message, "reasoning_content",
                 json_stringn(thought->data, thought->size));
    if (!p->calls || json_array_size(p->calls) > 0)
        json_put(&message, "tool_calls", json_incref(p->calls));
    return message;
}

static bool says_nothing(const struct speech *p)
{
    return p->content.size == 0 && p->reasoning.size == 0 &&
           json_array_size(p->calls) == 0;
}

static void speech_free(struct speech *p)
{
    turn_free(&p->turn);
    bytes_free(&p->content);
    bytes_free(&p->reasoning);
    bytes_free(&p->arguments);
    json_decref(p->call);
    json_decref(p->calls);
}

/* --- what it is asked ---------------------------------------------------- */

static struct turn_options options_for(struct speech *p, json_t *messages,
                                       const struct tm *now)
{
    return (struct turn_options){.messages = messages,
                                 .tools = p->tools,
                                 .parallel = true,
                                 .thinking = p->speaker->thinking,
                                 .now = now,
                                 .seed =
                                     p->speaker->seed + p->speaker->n_asked,
                                 .event = take_meaning,
                                 .context = p};
}

/* Find what people said in the prompt, by that of texts which stand in for
 * theirs. */
static int find_people(struct speech *p, json_t *messages,
                       struct plain_text *plain, struct error *e)
{
    struct turn stand_ins = {0};
    struct error why;
    struct turn_options o =
        options_for(p, stand_ins_for(messages), &p->now);
    if (!o.messages || turn_begin(&stand_ins, p->turn.model, &o, &why))
        stand_ins.prompt.size = 0;
    int result = plain_text_find(plain, p->speaker->model->engine, messages,
                                 &stand_ins.prompt, &p->turn.prompt, e);
    turn_free(&stand_ins);
    json_decref(o.messages);
    return result;
}

/* The prompt as ids (*n,), to be freed with rung_free_ids: what people said
 * spells no marks. */
static int encode_conversation(struct speech *p, json_t *messages, int **ids,
                               size_t *n, struct error *e)
{
    const struct bytes *text = &p->turn.prompt;
    struct plain_text plain;
    struct rung_error why;
    int result = find_people(p, messages, &plain, e);
    const struct rung_encoding how = {.plain = plain.ranges,
                                      .n_plain = plain.n};
    if (result == 0 && rung_encode(p->speaker->model->engine, text->data,
                                   text->size, &how, ids, n, &why))
        result = fail_engine(e, &why);
    plain_text_free(&plain);
    return result;
}

/* How many tokens may follow a prompt of n. */
static int find_room(const struct speaker *s, size_t n, size_t *room,
                     struct error *e)
{
    size_t context = s->model->facts->context;
    if (n >= context)
        return fail(e, ERROR_INPUT,
                    "the conversation has %zu tokens by now, and there is "
                    "room for %zu: /new begins another",
                    n, context);
    *room = smaller_size(s->most, context - n);
    return 0;
}

/* Submit, and wait. */
static int run_request(struct speech *p, const struct rung_request *r,
                       struct spoken *spoken, struct error *e)
{
    struct rung_error why;
    struct rung_ticket *t = rung_submit(p->speaker->model->engine, r, &why);
    if (!t)
        return fail_engine(e, &why);
    spoken->interrupted = answer_wait(p->speaker->wait, t);
    rung_wait(t, &spoken->result);
    rung_release(t);
    spoken->n_reasoning = p->turn.n_reasoning;
    if (spoken->result.reason == RUNG_FAILED)
        return fail_engine(e, &spoken->result.error);
    if (p->screen->failed)
        return fail(e, ERROR_SYSTEM, "standard output: %s",
                    strerror(p->screen->failed));
    if (p->broken)
        *e = p->error;
    return p->broken ? -1 : 0;
}

/* Answers' seeds are far apart, whatever numbers users count through. */
static struct rung_request request_for(struct speech *p, struct spoken *spoken)
{
    struct speaker *s = p->speaker;
    struct rung_request r = s->asked;
    spoken->seed = s->seed + s->n_asked++ * 0x9E3779B97F4A7C15u;
    r.sampling.seed = spoken->seed;
    r.on_token = take_spoken;
    r.on_end = take_end;
    r.context = p;
    if (turn_filters(&p->turn)) {
        r.sampling.forbid = turn_forbid;
        r.sampling.forbid_context = &p->turn;
    }
    return r;
}

static int ask_speaker(struct speech *p, json_t *messages,
                       struct spoken *spoken, struct error *e)
{
    int *ids = NULL;
    struct rung_request r = request_for(p, spoken);
    int result = encode_conversation(p, messages, &ids, &r.n_ids, e);
    if (result == 0)
        result = find_room(p->speaker, r.n_ids, &r.max_tokens, e);
    r.ids = ids;
    spoken->most = r.max_tokens;
    if (result == 0)
        result = run_request(p, &r, spoken, e);
    rung_free_ids(ids);
    return result;
}

static int begin_speech(struct speech *p, json_t *messages, struct error *e)
{
    time_t now = time(NULL);
    localtime_r(&now, &p->now);
    const struct turn_options o = options_for(p, messages, &p->now);
    return turn_begin(&p->turn, &p->speaker->model->turns, &o, e);
}

int speaker_answer(struct speaker *s, struct conversation *c,
                   struct chat_screen *screen, struct spoken *spoken,
                   struct error *e)
{
    struct speech p = {.speaker = s,
                       .screen = screen,
                       .tools = c->tools,
                       .calls = json_array()};
    int result = begin_speech(&p, c->messages, e);
    *spoken = (struct spoken){0};
    if (result == 0)
        result = ask_speaker(&p, c->messages, spoken, e);
    if (result == 0 &&
        (p.content.failed || p.reasoning.failed || p.arguments.failed))
        result = fail_memory(e, "the answer");
    if (result == 0 && spoken->interrupted && says_nothing(&p))
        conversation_take_back_question(c);
    else if (result == 0)
        result = conversation_add_answer(c, message_of(&p), e);
    speech_free(&p);
    return result;
}
