/* Calls whose arguments are elements, a pair of tags around each: their values
 * become JSON by the tool's schema.  See markup_parser.h. */
#include "markup_parser.h"

#include "call_literal.h"
#include "tool_schema.h"

#include <ctype.h>
#include <string.h>

enum element_bounds {
    LONGEST_NAME = 256
};

static enum parse_step step_function_mark(struct markup_parser *p);
static enum parse_step step_function_name(struct markup_parser *p);
static enum parse_step step_parameter(struct markup_parser *p);
static enum parse_step step_parameter_name(struct markup_parser *p);
static enum parse_step step_value_mark(struct markup_parser *p);
static enum parse_step step_value(struct markup_parser *p);
static enum parse_step step_text(struct markup_parser *p);

static const struct element_form *form_of(const struct markup_parser *p)
{
    return p->call.opening->elements;
}

/* After the opening mark.  Models that learnt both may write JSON there. */
enum parse_step read_elements(struct markup_parser *p)
{
    const struct element_form *f = form_of(p);
    if (!f->function || strcmp(p->call.opening->mark, f->function) == 0)
        return parser_go_on(p, step_function_name);
    return parser_go_on(p, step_function_mark);
}

static enum parse_step step_function_mark(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    if (parser_next(p) == '{')
        return read_json(p);
    enum mark_match m = take_mark(p, form_of(p)->function);
    if (m == MATCH_YES)
        return parser_go_on(p, step_function_name);
    return m == MATCH_NO ? parser_reject(p) : STEP_WAIT;
}

static bool is_in_tag_name(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c && strchr("_-.:/$", c));
}

/* The characters of a name at p->at, and how many: they are not taken before
 * the byte that follows them is there. */
static enum mark_match find_name(const struct markup_parser *p, size_t *size)
{
    size_t end = p->at;
    while (end < p->held.size && is_in_tag_name(p->held.data[end]))
        end++;
    *size = end - p->at;
    if (*size > LONGEST_NAME || (*size == 0 && end < p->held.size))
        return MATCH_NO;
    return end < p->held.size ? MATCH_YES : MATCH_MAYBE;
}

static enum parse_step step_function_name(struct markup_parser *p)
{
    size_t size;
    if (!take_space(p))
        return STEP_WAIT;
    enum mark_match m = find_name(p, &size);
    if (m != MATCH_YES)
        return m == MATCH_NO ? parser_reject(p) : STEP_WAIT;
    const char *end = form_of(p)->function_end;
    enum mark_match e = end ? match_at(p, p->at + size, end) : MATCH_YES;
    if (e != MATCH_YES)
        return e == MATCH_NO ? parser_reject(p) : STEP_WAIT;
    p->call.name.size = 0;
    bytes_add(&p->call.name, p->held.data + p->at, size);
    p->at += size + (end ? strlen(end) : 0);
    return parser_go_on(p, step_parameter);
}

/* What follows shows that it is a call: tell it, unless it was told. */
static bool begin_once(struct markup_parser *p)
{
    if (!p->call.open && !call_begin(p))
        return false;
    parser_let_go(p);
    return true;
}

static enum parse_step elements_end(struct markup_parser *p)
{
    if (!begin_once(p))
        return STEP_ON;
    if (p->call.n_arguments > 0)
        tell_arguments(p, "}", 1);
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_closers);
}

/* Neither an argument nor the end.  Where the call was told, what follows is
 * lost on it; a closing mark still ends it well. */
static enum parse_step not_an_element(struct markup_parser *p)
{
    if (!p->call.open)
        return parser_reject(p);
    enum mark_match m = take_any_mark(p, p->call.opening->closers, NULL);
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    if (m == MATCH_YES)
        return elements_end(p);
    parser_let_go(p);
    return parser_go_on(p, step_bad);
}

static enum parse_step step_parameter(struct markup_parser *p)
{
    const struct element_form *f = form_of(p);
    if (!take_space(p))
        return STEP_WAIT;
    const char *const marks[] = {f->parameter, f->call_end, NULL};
    size_t which;
    enum mark_match m = take_any_mark(p, marks, &which);
    if (m == MATCH_NO)
        return not_an_element(p);
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    if (which == 1)
        return elements_end(p);
    return begin_once(p) ? parser_go_on(p, step_parameter_name) : STEP_ON;
}

/* The name ends at its mark, and may have spaces in it. */
static enum parse_step step_parameter_name(struct markup_parser *p)
{
    const struct element_form *f = form_of(p);
    const char *const marks[] = {f->equals, NULL};
    enum mark_match found;
    size_t end = find_marks(p, p->at, marks, &found);
    if (end - p->at > LONGEST_NAME)
        return parser_go_on(p, step_bad);
    if (found != MATCH_YES)
        return STEP_WAIT;
    p->call.key.size = 0;
    bytes_add(&p->call.key, p->held.data + p->at, end - p->at);
    p->at = end + strlen(f->equals);
    parser_let_go(p);
    return parser_go_on(p, f->value ? step_value_mark : step_value);
}

static enum parse_step step_value_mark(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    enum mark_match m = take_mark(p, form_of(p)->value);
    if (m == MATCH_YES)
        parser_let_go(p);
    if (m == MATCH_YES)
        return parser_go_on(p, step_value);
    return m == MATCH_NO ? parser_go_on(p, step_bad) : STEP_WAIT;
}

/* The name and what the value begins with are told. */
static enum parse_step step_value(struct markup_parser *p)
{
    struct markup_call *c = &p->call;
    if (!parser_has_more(p))
        return STEP_WAIT;
    p->at = form_of(p)->lines && parser_next(p) == '\n';
    parser_let_go(p);
    p->out.size = 0;
    bytes_add_string(&p->out, c->n_arguments++ ? ", \"" : "{\"");
    json_escape(c->key.data, c->key.size, &p->out);
    bytes_add(&c->key, "", 1);
    if (c->key.failed)
        return STEP_WAIT;
    c->types = argument_types(tool_parameters(p->options.tools, c->name.data),
                              c->key.data);
    bytes_add_string(&p->out, c->types == SCHEMA_STRING ? "\": \"" : "\": ");
    tell_arguments(p, p->out.data, p->out.size);
    return parser_go_on(p, step_text);
}

/* The value has ended where p->at stands. */
static enum parse_step value_ended(struct markup_parser *p, size_t which)
{
    const struct element_form *f = form_of(p);
    p->out.size = 0;
    if (p->call.types == SCHEMA_STRING)
        bytes_add_string(&p->out, "\"");
    else
        schema_value(p->call.types, p->held.data, p->at, &p->out);
    tell_arguments(p, p->out.data, p->out.size);
    if (which < f->n_own_ends)
        p->at += strlen(f->value_ends[which]);
    parser_let_go(p);
    return parser_go_on(p, step_parameter);
}

/* The value's text.  A string is told as it comes; what may be a number or a
 * list is looked at as a whole. */
static enum parse_step step_text(struct markup_parser *p)
{
    const struct element_form *f = form_of(p);
    enum mark_match found;
    size_t which = 0, end = find_marks(p, p->at, f->value_ends, &found);
    p->at = end;
    if (p->call.types == SCHEMA_STRING) {
        p->out.size = 0;
        json_escape(p->held.data, end, &p->out);
        tell_arguments(p, p->out.data, p->out.size);
        parser_let_go(p);
    }
    if (found != MATCH_YES)
        return STEP_WAIT;
    while (match_at(p, p->at, f->value_ends[which]) != MATCH_YES)
        which++;
    return value_ended(p, which);
}
