/* One answer of a chat: see chat_part.h. */
#include "chat_part.h"

#include <stdlib.h>
#include <string.h>

static void lose_memory(struct chat_part *p)
{
    answering_fail_memory(p->part->whole);
    p->failed = true;
}

/* --- what is said, kept or sent ------------------------------------------ */

/* Send what is new of this choice, with the log probabilities that wait. */
static void send_delta(struct chat_part *p, json_t *delta,
                       enum finish_reason finish)
{
    struct answering *a = p->part->whole;
    json_t *chunk = chat_chunk(&a->head, p->part->index, delta,
                               told_take(&p->told), finish);
    if (answering_send(a, chunk))
        p->failed = true;
}

static void take_words(struct chat_part *p, const struct markup_event *event)
{
    bool thinks = event->type == MARKUP_REASONING;
    if (!p->part->whole->stream)
        bytes_add(thinks ? &p->reasoning : &p->content, event->text,
                  event->size);
    else
        send_delta(p,
                   thinks ? delta_reasoning(event->text, event->size)
                          : delta_content(event->text, event->size),
                   FINISH_NONE);
}

static void begin_call(struct chat_part *p, const struct markup_event *event)
{
    struct chat_call *calls =
        grow(p->calls, &p->room, p->n_calls + 1, sizeof *calls);
    if (!calls) {
        lose_memory(p);
        return;
    }
    p->calls = calls;
    struct chat_call *call = &calls[p->n_calls++];
    *call = (struct chat_call){.id = strdup(event->id)};
    bytes_add_string(&call->name, event->name);
    if (!call->id || call->name.failed) {
        lose_memory(p);
        return;
    }
    const struct answer_call begun = {call->id, call->name.data,
                                      call->name.size, "", 0};
    if (p->part->whole->stream)
        send_delta(p, delta_call(event->index, &begun), FINISH_NONE);
}

static void add_arguments(struct chat_part *p,
                          const struct markup_event *event)
{
    if (p->part->whole->stream)
        send_delta(p, delta_arguments(event->index, event->text, event->size),
                   FINISH_NONE);
    else if (event->index < p->n_calls)
        bytes_add(&p->calls[event->index].arguments, event->text, event->size);
}

/* How a call ended needs no word: its arguments are there as they are, and of
 * one that was cut off the reason is the limit of tokens. */
static void take_event(void *context, const struct markup_event *event)
{
    struct chat_part *p = context;
    if (p->failed)
        return;
    switch (event->type) {
    case MARKUP_REASONING:
    case MARKUP_CONTENT:
        take_words(p, event);
        break;
    case MARKUP_CALL:
        begin_call(p, event);
        break;
    case MARKUP_ARGUMENTS:
        add_arguments(p, event);
        break;
    default:
        break;
    }
}

/* --- the turn ------------------------------------------------------------ */

int chat_part_begin(struct chat_part *p, struct answering_part *part,
                    const struct turn_options *options, struct error *e)
{
    struct turn_options mine = *options;
    p->part = part;
    p->begun = true;
    mine.event = take_event;
    mine.context = p;
    return turn_begin(&p->turn, &part->whole->model->turns, &mine, e);
}

/* The words of what went wrong in a turn are the server's own. */
static int fail_part(struct chat_part *p)
{
    if (!p->failed)
        api_fail(&p->part->whole->error, 500, "the answer could not be read");
    p->failed = true;
    return -1;
}

static int check(struct chat_part *p)
{
    bool lost = p->content.failed || p->reasoning.failed || p->told.failed;
    for (size_t i = 0; i < p->n_calls; i++)
        lost |= p->calls[i].arguments.failed;
    if (lost && !p->failed)
        lose_memory(p);
    return p->failed ? -1 : 0;
}

int chat_part_take(struct chat_part *p, const struct rung_token_event *t,
                   bool logprobs)
{
    struct error e;
    if (logprobs)
        told_add(&p->told, p->part->whole->model->engine, t, 0);
    if (turn_put(&p->turn, t->id, t->text, t->size, &e))
        return fail_part(p);
    return check(p) ? -1 : p->turn.over;
}

int chat_part_end(struct chat_part *p, const struct rung_result *r)
{
    static const enum finish_reason reasons[] = {[TURN_STOP] = FINISH_STOP,
                                                 [TURN_LENGTH] = FINISH_LENGTH,
                                                 [TURN_TOOL_CALLS] =
                                                     FINISH_TOOL_CALLS};
    enum turn_finish finish;
    struct error e;
    if (turn_end(&p->turn, r->text, r->size, r->reason == RUNG_LENGTH, &finish,
                 &e))
        return fail_part(p);
    p->finish = reasons[finish];
    if (p->part->whole->stream && !p->failed)
        send_delta(p, delta_nothing(), p->finish);
    return check(p);
}

struct chat_choice chat_part_choice(struct chat_part *p,
                                    struct answer_call *calls)
{
    for (size_t i = 0; i < p->n_calls; i++)
        calls[i] = (struct answer_call){
            p->calls[i].id, p->calls[i].name.data, p->calls[i].name.size,
            p->calls[i].arguments.data, p->calls[i].arguments.size};
    return (struct chat_choice){.index = p->part->index,
                                .content = p->content.data,
                                .content_size = p->content.size,
                                .reasoning = p->reasoning.data,
                                .reasoning_size = p->reasoning.size,
                                .calls = calls,
                                .n_calls = p->n_calls,
                                .logprobs = told_take(&p->told),
                                .finish = p->finish};
}

void chat_part_free(struct chat_part *p)
{
    for (size_t i = 0; i < p->n_calls; i++) {
        free(p->calls[i].id);
        bytes_free(&p->calls[i].name);
        bytes_free(&p->calls[i].arguments);
    }
    free(p->calls);
    bytes_free(&p->content);
    bytes_free(&p->reasoning);
    json_decref(p->told.list);
    if (p->begun)
        turn_free(&p->turn);
}
