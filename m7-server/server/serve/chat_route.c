/* POST /v1/chat/completions and /apply-template: chats. */
#include "routes.h"

#include "asking.h"
#include "chat_answer.h"
#include "chat_part.h"
#include "chat_request.h"
#include "plain_text.h"
#include "stand_ins.h"
#include "text_answer.h"
#include "tool_schema.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct chat_work {
    struct chat_request asked;
    struct prompt_ids prompt;
    struct tm now;           /* for the template */
    struct chat_part *parts; /* (n,), as the answering's */
};

/* --- what comes of the engine -------------------------------------------- */

static int take_chat_token(struct answering_part *part,
                           const struct rung_token_event *t)
{
    struct chat_work *w = part->whole->work;
    return chat_part_take(part->work, t, w->asked.generation.logprobs);
}

static int take_chat_end(struct answering_part *part,
                         const struct rung_result *r)
{
    struct answering *a = part->whole;
    struct chat_part *p = part->work;
    if (chat_part_end(p, r))
        return -1;
    a->usage.completion += r->new_tokens;
    a->usage.reasoning += p->turn.n_reasoning;
    a->figures.reasoning_tokens += p->turn.n_reasoning;
    if (part->index == 0) {
        a->usage.prompt = r->prompt_tokens;
        a->usage.cached = r->cached_tokens;
    }
    return 0;
}

static int send_roles(struct answering *a)
{
    for (size_t i = 0; i < a->n; i++)
        if (answering_send(
                a, chat_chunk(&a->head, i, delta_role(), NULL, FINISH_NONE)))
            return -1;
    return 0;
}

static int send_chat_usage(struct answering *a)
{
    if (!a->head.include_usage)
        return 0;
    return answering_send(a, chat_usage_chunk(&a->head, &a->usage));
}

/* calls (most,) of all choices have room in `calls`. */
static json_t *body_of(struct answering *a, struct chat_choice *choices,
                       struct answer_call *calls)
{
    struct chat_work *w = a->work;
    for (size_t i = 0; i < a->n; i++) {
        choices[i] = chat_part_choice(&w->parts[i], calls);
        calls += choices[i].n_calls;
    }
    return chat_answer(&a->head, choices, a->n, &a->usage);
}

static json_t *make_chat_body(struct answering *a)
{
    struct chat_work *w = a->work;
    size_t n_calls = 0;
    for (size_t i = 0; i < a->n; i++)
        n_calls += w->parts[i].n_calls;
    struct chat_choice *choices = calloc(a->n, sizeof *choices);
    struct answer_call *calls = calloc(n_calls + 1, sizeof *calls);
    json_t *body = choices && calls ? body_of(a, choices, calls) : NULL;
    free(choices);
    free(calls);
    return body;
}

static void free_chat(void *work, size_t n)
{
    struct chat_work *w = work;
    for (size_t i = 0; w->parts && i < n; i++)
        chat_part_free(&w->parts[i]);
    free(w->parts);
    prompt_free(&w->prompt);
    chat_request_free(&w->asked);
    free(w);
}

static const struct answering_kind chats = {
    .prefix = "chatcmpl-",
    .token = take_chat_token,
    .end = take_chat_end,
    .open = send_roles,
    .close = send_chat_usage,
    .body = make_chat_body,
    .free = free_chat,
};

/* --- what it is asked ---------------------------------------------------- */

static struct turn_options options_of(const struct chat_work *w)
{
    const struct chat_request *q = &w->asked;
    return (struct turn_options){
        .messages = q->messages,
        .tools = q->tool_choice == TOOL_NONE ? NULL : q->tools,
        .choice = q->tool_choice,
        .tool = q->tool_name,
        .parallel = q->parallel_tool_calls,
        .thinking = q->thinking,
        .effort = q->reasoning_effort,
        .template_arguments = q->template_arguments,
        .no_answer = !q->add_generation_prompt,
        .now = &w->now,
    };
}

/* The template's own words are about the messages, whatever it says. */
static int fail_turn(struct api_error *a, const struct turn *turn,
                     const struct error *why)
{
    if (turn->template_raised)
        return api_refuse_field(a, "messages", "invalid_value",
                                "the model's template refuses this: %s",
                                why->message);
    return api_fail_error(a, turn->at_fault, why);
}

/* The prompt of the messages' stand-ins; empty where that fails, as it may:
 * the texts are then looked for word for word. */
static void render_stand_ins(const struct chat_work *w, const struct served *m,
                             struct turn *turn)
{
    struct error e;
    struct turn_options options = options_of(w);
    options.messages = stand_ins_for(w->asked.messages);
    if (!options.messages || turn_begin(turn, &m->turns, &options, &e))
        turn->prompt.size = 0;
    json_decref(options.messages);
}

static int encode_chat(struct chat_work *w, const struct served *m,
                       const struct bytes *text, struct api_error *e)
{
    struct turn stand_ins = {0};
    struct plain_text plain;
    struct error why;
    render_stand_ins(w, m, &stand_ins);
    int result = plain_text_find(&plain, m->engine, w->asked.messages,
                                 &stand_ins.prompt, text, &why);
    const struct rung_encoding how = {.plain = plain.ranges,
                                      .n_plain = plain.n};
    if (result)
        api_fail_error(e, "messages", &why);
    else
        result = prompt_encode(&w->prompt, m, text->data, text->size, &how,
                               "messages", e);
    plain_text_free(&plain);
    turn_free(&stand_ins);
    return result;
}

static int ask_chat_part(struct answering *a, size_t i, struct api_error *e)
{
    struct chat_work *w = a->work;
    struct chat_part *p = &w->parts[i];
    struct generation_request *g = &w->asked.generation;
    struct answering_part *part = &a->parts[i];
    struct turn_options options = options_of(w);
    struct error why;
    part->work = p;
    options.seed = g->how.seed + i;
    options.first = i > 0 ? &w->parts[0].turn : NULL;
    if (chat_part_begin(p, part, &options, &why))
        return fail_turn(e, &p->turn, &why);
    if (i == 0 && encode_chat(w, a->model, &p->turn.prompt, e))
        return -1;
    if (ask_text(part, g, &w->prompt, i, "messages", e))
        return -1;
    if (turn_filters(&p->turn)) {
        part->request.sampling.forbid = turn_forbid;
        part->request.sampling.forbid_context = &p->turn;
        part->lacks_memory = &p->turn.filter.failed;
    }
    return 0;
}

/* The prompt is made: a request that waits shall not hold what its body was.
 * Of the options only the tools are looked at from here on. */
static void release_chat(struct answering *a)
{
    struct chat_work *w = a->work;
    for (size_t i = 0; i < a->n; i++) {
        struct turn_options *o = &w->parts[i].turn.options;
        o->messages = o->template_arguments = NULL;
        o->tool = o->effort = NULL;
        o->first = NULL;
    }
    chat_request_release(&w->asked);
    a->values = w->asked.tools ? values_in(w->asked.tools) : 0;
    http_reply_forget_body(a->from.reply, tools_size(w->asked.tools));
}

static void look_at_clock(struct chat_work *w)
{
    time_t now = time(NULL);
    localtime_r(&now, &w->now);
}

static int prepare_chat(struct answering *a, struct server *s,
                        struct api_error *e)
{
    struct chat_work *w = a->work;
    struct generation_request *g = &w->asked.generation;
    struct served *model = served_find(&s->models, g->model, false, e);
    if (ask_model(a, g, model, &w->asked.body.unknown, e))
        return -1;
    w->parts = calloc(a->n, sizeof *w->parts);
    if (!w->parts)
        return api_fail(e, 500, "out of memory");
    look_at_clock(w);
    for (size_t i = 0; i < a->n; i++)
        if (ask_chat_part(a, i, e))
            return -1;
    release_chat(a);
    return 0;
}

/* Read a chat's body; NULL: it was refused. */
static struct chat_work *read_work(const struct answering_arrival *arrival)
{
    struct api_error e;
    struct chat_work *w = calloc(1, sizeof *w);
    if (!w) {
        reply_with(arrival->reply, NULL, "");
        return NULL;
    }
    if (chat_request_read(&w->asked, arrival->http->body,
                          arrival->http->body_size, &e) == 0)
        return w;
    reply_refused(arrival->reply, &e);
    free(w);
    return NULL;
}

void route_chat(struct server *s, const struct answering_arrival *arrival)
{
    struct api_error e;
    struct chat_work *w = read_work(arrival);
    if (!w)
        return;
    struct answering *a =
        answering_new(&chats, arrival, w->asked.generation.n, w);
    if (a && prepare_chat(a, s, &e))
        answering_refuse(a, &e);
    else if (a)
        answering_begin(a);
}

/* --- only the prompt ----------------------------------------------------- */

/* The answer, or NULL with *e filled in. */
static json_t *render_chat(struct chat_work *w, struct served *m,
                           struct api_error *e)
{
    struct turn turn;
    struct error why;
    struct turn_options options = options_of(w);
    json_t *body = NULL;
    if (turn_begin(&turn, &m->turns, &options, &why))
        fail_turn(e, &turn, &why);
    else if (!(body = template_answer(turn.prompt.data, turn.prompt.size)))
        api_fail(e, 500, "out of memory");
    turn_free(&turn);
    return body;
}

void route_template(struct server *s, const struct answering_arrival *arrival)
{
    struct api_error e;
    struct chat_work *w = read_work(arrival);
    if (!w)
        return;
    look_at_clock(w);
    struct served *m =
        served_find(&s->models, w->asked.generation.model, false, &e);
    json_t *body = m ? render_chat(w, m, &e) : NULL;
    bytes_add(&w->asked.body.unknown, "", 1);
    if (body)
        reply_with(arrival->reply, body,
                   w->asked.body.unknown.failed ? ""
                                                : w->asked.body.unknown.data);
    else
        reply_refused(arrival->reply, &e);
    free_chat(w, 0);
}
