/* The parser from outside: see markup.h. */
#include "markup.h"

#include "markups.h"
#include "tool_schema.h"
#include "unicode.h"

#include <stdlib.h>
#include <string.h>

static bool has_all(const char *text, const struct needle *n)
{
    for (size_t i = 0; n->needles[i]; i++)
        if (!strstr(text, n->needles[i]))
            return false;
    return true;
}

/* The name of the first row that speaks of such a template, or NULL. */
static const char *row_of_template(const struct needle *n, const char *text)
{
    while (n->name && !has_all(text, n))
        n++;
    return n->name;
}

const struct markup *markup_named(const char *name)
{
    const struct markup *m = markups;
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    return m->name ? m : NULL;
}

const struct thinking *thinking_named(const char *name)
{
    const struct thinking *t = thinkings;
    while (t->name && strcmp(t->name, name) != 0)
        t++;
    return t->name ? t : NULL;
}

const struct markup *markup_of_template(const char *template_text)
{
    const char *name = row_of_template(markup_needles, template_text);
    return name ? markup_named(name) : NULL;
}

const struct thinking *thinking_of_template(const char *template_text)
{
    const char *name = row_of_template(thinking_needles, template_text);
    return name ? thinking_named(name) : NULL;
}

const char *markup_name(const struct markup *m)
{
    return m->name;
}

const char *thinking_name(const struct thinking *t)
{
    return t->name;
}

void markup_names(struct bytes *out)
{
    for (const struct markup *m = markups; m->name; m++) {
        bytes_add_string(out, m == markups ? "" : ", ");
        bytes_add_string(out, m->name);
    }
}

void thinking_names(struct bytes *out)
{
    for (const struct thinking *t = thinkings; t->name; t++) {
        bytes_add_string(out, t == thinkings ? "" : ", ");
        bytes_add_string(out, t->name);
    }
}

struct markup_parser *markup_begin(const struct markup_options *options,
                                   struct error *e)
{
    struct markup_parser *p = calloc(1, sizeof *p);
    if (!p) {
        fail_memory(e, "the parser of the model's text");
        return NULL;
    }
    const struct markup *m = options->markup;
    const struct thinking *t = options->thinking;
    p->options = *options;
    p->thinking = p->after_mark = options->thinking_open;
    p->outside = m && m->start   ? m->start
                 : t && t->start ? t->start
                                 : step_outside;
    p->step = p->outside;
    return p;
}

void markup_free(struct markup_parser *p)
{
    if (!p)
        return;
    bytes_free(&p->rest);
    bytes_free(&p->held);
    bytes_free(&p->out);
    bytes_free(&p->call.name);
    bytes_free(&p->call.id);
    bytes_free(&p->call.key);
    free(p);
}

static int run_parser(struct markup_parser *p, struct error *e)
{
    bool failed = false;
    while (!failed && !p->over && p->step(p) == STEP_ON)
        failed = p->held.failed || p->out.failed || p->call.name.failed ||
                 p->call.id.failed || p->call.key.failed;
    failed |= p->held.failed || p->out.failed || p->rest.failed;
    return failed ? fail_memory(e, "the model's text") : 0;
}

int markup_put(struct markup_parser *p, const char *text, size_t size,
               struct error *e)
{
    if (p->over)
        return 0;
    if (size > 0)
        bytes_add(&p->rest, text, size);
    if (p->rest.failed)
        return fail_memory(e, "the model's text");
    size_t left = utf8_unfinished(p->rest.data, p->rest.size);
    size_t whole = p->rest.size - left;
    if (whole > 0) {
        utf8_repair(p->rest.data, whole, &p->held);
        memmove(p->rest.data, p->rest.data + whole, left);
        p->rest.size = left;
    }
    return run_parser(p, e);
}

/* The text has ended before the arguments: is the name known, and a tool's? */
static bool knows_tool(struct markup_parser *p)
{
    struct bytes *name = &p->call.name;
    if (p->call.opening->bare || !p->options.tools || name->size == 0)
        return false;
    bytes_add(name, "", 1);
    bool knows = !name->failed && tool_find(p->options.tools, name->data);
    name->size -= !name->failed;
    return knows;
}

/* The text has ended while a call was read: it is told how. */
static void cut_call(struct markup_parser *p)
{
    bool bare = p->call.opening->bare;
    if (!p->call.open && (!knows_tool(p) || !call_begin(p))) {
        p->cut |= !bare;
        parser_reject(p);
        return;
    }
    bool bad = p->step == step_bad;
    p->at = p->held.size;
    parser_let_go(p);
    call_end(p, bad                ? MARKUP_CALL_BAD
                : p->call.complete ? MARKUP_CALL_END
                                   : MARKUP_CALL_CUT);
    p->step = step_closers;
}

int markup_end(struct markup_parser *p, struct error *e)
{
    if (p->rest.size > 0)
        utf8_repair(p->rest.data, p->rest.size, &p->held);
    p->rest.size = 0;
    p->ended = true;
    while (run_parser(p, e) == 0) {
        if (p->call.opening && !p->over) {
            cut_call(p);
            continue;
        }
        if (p->cut && p->options.event)
            p->options.event(p->options.context,
                             &(struct markup_event){.type = MARKUP_CALL_CUT,
                                                    .index = p->n_calls});
        return 0;
    }
    return -1;
}

size_t markup_calls(const struct markup_parser *p)
{
    return p->n_calls + p->call.open;
}

bool markup_is_over(const struct markup_parser *p)
{
    return p->over;
}

bool markup_is_thinking(const struct markup_parser *p)
{
    return p->thinking && !p->call.open;
}

bool markup_is_calling(const struct markup_parser *p)
{
    const struct markup_call *c = &p->call;
    return c->opening && (c->open || p->scanning);
}
