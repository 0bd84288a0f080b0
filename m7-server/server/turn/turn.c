/* One turn of a chat: see turn.h. */
#include "turn.h"

#include "tool_schema.h"
#include "turn_prompt.h"

#include <string.h>

/* What must come: the beginning of a call of one of the tools. */
static void require_calls(struct turn *t)
{
    const struct turn_options *o = &t->options;
    for (size_t i = 0; i < json_array_size(o->tools); i++) {
        const char *name = tool_name(json_array_get(o->tools, i));
        struct bytes text = {0};
        if (!name || (o->choice == TOOL_NAMED && strcmp(name, o->tool) != 0))
            continue;
        markup_prefix(t->model->markup, name, &text);
        t->filter.failed |= text.failed;
        token_filter_require(&t->filter, &text);
        bytes_free(&text);
    }
}

static int refuse_choice(struct turn *t, struct error *e, enum error_code code,
                         const char *words)
{
    t->at_fault = "tool_choice";
    return fail(e, code, "tool_choice: %s", words);
}

static int require_call(struct turn *t, bool may_think, struct error *e)
{
    const struct turn_model *m = t->model;
    struct token_filter *f = &t->filter;
    if (!m->markup)
        return refuse_choice(t, e, ERROR_UNSUPPORTED,
                             "how this model calls tools is not known, "
                             "so that no call can be required");
    require_calls(t);
    if (f->required.n == 0 && !f->failed)
        return refuse_choice(t, e, ERROR_INPUT, "there is no such tool");
    if (m->thinking) {
        f->think_open = may_think ? thinking_open(m->thinking) : NULL;
        f->think_close = thinking_close(m->thinking);
        f->resume = thinking_resume(m->thinking);
        f->no_space = thinking_answers(m->thinking) != NULL;
    }
    return 0;
}

/* Another parser for the same text. */
static struct markup_parser *begin_parser(const struct turn *t,
                                          markup_function *event,
                                          struct error *e)
{
    const struct turn_options *options = &t->options;
    struct markup_options o = {
        .markup = turn_shows_tools(options) ? t->model->markup : NULL,
        .thinking = t->model->thinking,
        .thinking_open = t->begins_thinking,
        .thinking_off = thinking_wanted(options) == THINKING_OFF,
        .tools = options->tools,
        .most_calls = options->parallel ? 0 : 1,
        .seed = options->seed,
        .event = event,
        .context = options->context,
    };
    return markup_begin(&o, e);
}

/* The parser's word on where a call is one: a call_reader_function. */
static int parse_along(void *turn, int id)
{
    struct turn *t = turn;
    struct error e;
    if (id < 0) {
        markup_free(t->calls);
        t->calls = begin_parser(t, NULL, &e);
        return t->calls ? 0 : -1;
    }
    const struct token_texts *texts = t->model->texts;
    size_t size;
    const char *text = token_text_of(texts, id, &size);
    if (!t->calls)
        return -1;
    bool silent =
        size > 0 && texts->special[id] &&
        !markup_has_mark(t->model->markup, t->model->thinking, text, size);
    if (!silent && markup_put(t->calls, text, size, &e))
        return -1;
    return markup_is_calling(t->calls);
}

/* Thinking is off: no thought may begin, but in a call's arguments. */
static int forbid_thoughts(struct turn *t, struct error *e)
{
    struct token_filter *f = &t->filter;
    f->thought = thinking_begins(t->model->thinking);
    if (!turn_may_call(t))
        return 0;
    f->read_call = parse_along;
    f->reader = t;
    t->calls = begin_parser(t, NULL, e);
    return t->calls ? 0 : -1;
}

/* The prompt ends before the header of a message: only headers of an answer,
 * or of a call, may come. */
static void require_answer(struct turn *t)
{
    const char *const *answers = thinking_answers(t->model->thinking);
    t->filter.no_space = true;
    for (size_t i = 0; answers[i]; i++) {
        struct bytes text = {0};
        bytes_add_string(&text, answers[i]);
        t->filter.failed |= text.failed;
        token_filter_require(&t->filter, &text);
        bytes_free(&text);
    }
}

/* What the filter has to see to. */
static int set_filter(struct turn *t, struct error *e)
{
    const struct turn_options *o = &t->options;
    const struct turn_model *m = t->model;
    bool off = thinking_wanted(o) == THINKING_OFF;
    t->filter.texts = m->texts;
    t->filter.thinking = t->begins_thinking;
    if (off && m->thinking && forbid_thoughts(t, e))
        return -1;
    if (o->choice == TOOL_REQUIRED || o->choice == TOOL_NAMED)
        return require_call(t, !off && !t->begins_thinking, e);
    if (off && t->begins_with_header)
        require_answer(t);
    for (size_t i = 0; o->choice == TOOL_NONE && m->markup; i++) {
        const char *mark = markup_opening(m->markup, i);
        if (!mark)
            break;
        token_filter_forbid(&t->filter, mark);
    }
    return 0;
}

/* The prompt, and how it ends. */
static int take_prompt(struct turn *t, struct error *e)
{
    const struct turn *first = t->options.first;
    if (first) {
        t->begins_thinking = first->begins_thinking;
        t->begins_with_header = first->begins_with_header;
        return 0;
    }
    if (turn_render(t, e) ||
        (turn_shows_tools(&t->options) && turn_check_tools(t, e)))
        return -1;
    t->begins_thinking =
        thinking_is_open(t->model->thinking, t->prompt.data, t->prompt.size);
    t->begins_with_header = turn_awaits_header(t);
    return 0;
}

int turn_begin(struct turn *t, const struct turn_model *model,
               const struct turn_options *options, struct error *e)
{
    *t = (struct turn){.model = model, .options = *options};
    if (take_prompt(t, e) || set_filter(t, e))
        return -1;
    t->parser = begin_parser(t, options->event, e);
    return t->parser ? 0 : -1;
}

bool turn_filters(const struct turn *t)
{
    return token_filter_is_needed(&t->filter);
}

void turn_forbid(void *turn, const int *ids, size_t n, size_t n_prompt,
                 float *logits, size_t vocab_size)
{
    struct turn *t = turn;
    token_filter_apply(&t->filter, ids + n_prompt, n - n_prompt, logits,
                       vocab_size);
}

/* A special token's text, where it is one of the family's marks. */
static int put_mark(struct turn *t, int id, struct error *e)
{
    const struct token_texts *texts = t->model->texts;
    size_t size;
    const char *text = token_text_of(texts, id, &size);
    if (size == 0 || !texts->special[id] ||
        !markup_has_mark(t->model->markup, t->model->thinking, text, size))
        return 0;
    return markup_put(t->parser, text, size, e);
}

int turn_put(struct turn *t, int id, const char *text, size_t size,
             struct error *e)
{
    if (t->over)
        return 0;
    bool thinking = markup_is_thinking(t->parser);
    if (markup_put(t->parser, text, size, e) || put_mark(t, id, e))
        return -1;
    t->n_tokens++;
    t->n_reasoning += thinking || markup_is_thinking(t->parser);
    t->over = markup_is_over(t->parser);
    return 0;
}

int turn_end(struct turn *t, const char *text, size_t size, bool at_limit,
             enum turn_finish *finish, struct error *e)
{
    if (!t->over && markup_put(t->parser, text, size, e))
        return -1;
    if (markup_end(t->parser, e))
        return -1;
    *finish = at_limit && !t->over          ? TURN_LENGTH
              : markup_calls(t->parser) > 0 ? TURN_TOOL_CALLS
                                            : TURN_STOP;
    return 0;
}

const char *turn_finish_name(enum turn_finish finish)
{
    static const char *const names[] = {"stop", "length", "tool_calls"};
    return names[finish];
}

void turn_free(struct turn *t)
{
    markup_free(t->parser);
    markup_free(t->calls);
    token_filter_free(&t->filter);
    bytes_free(&t->prompt);
    *t = (struct turn){0};
}
