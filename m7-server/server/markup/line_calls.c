/* GLM-4's calls: a message is a header, the rest of a line, and text.  Of a
 * call the header is the name, and the text its arguments; of all else it is
 * empty.  No mark is around it, so a line is one only when it is the name of a
 * tool and JSON follows.  See markup_parser.h. */
#include "markup_parser.h"

#include "tool_schema.h"

#include <string.h>

/* Is this the line of a tool, with the bracket behind it?  Then that is where
 * *end is. */
static enum mark_match match_line(const struct markup_parser *p, size_t at,
                                  const char *name, size_t *end)
{
    enum mark_match m = match_at(p, at, name);
    if (m != MATCH_YES)
        return m;
    bool line = false;
    for (at += strlen(name); at < p->held.size; at++) {
        char c = p->held.data[at];
        line = line || c == '\n';
        if (!mark_is_space(c)) {
            *end = at;
            return line && c == '{' ? MATCH_YES : MATCH_NO;
        }
    }
    return p->ended ? MATCH_NO : MATCH_MAYBE;
}

/* The same of each tool; the one that it is goes to *tool. */
static enum mark_match match_lines(const struct markup_parser *p, size_t at,
                                   size_t *end, const char **tool)
{
    enum mark_match any = MATCH_NO;
    for (size_t i = 0; i < json_array_size(p->options.tools); i++) {
        *tool = tool_name(json_array_get(p->options.tools, i));
        enum mark_match m = *tool ? match_line(p, at, *tool, end) : MATCH_NO;
        if (m == MATCH_YES)
            return m;
        any = m == MATCH_MAYBE ? m : any;
    }
    return any;
}

static enum parse_step line_ended(struct markup_parser *p)
{
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_closers);
}

/* A line has been read whose bracket is at `end`. */
static enum parse_step begin_line(struct markup_parser *p, size_t end,
                                  const char *tool)
{
    p->call.opening = p->options.markup->openings;
    p->call.name.size = 0;
    bytes_add_string(&p->call.name, tool);
    p->call.after_arguments = line_ended;
    p->at = end;
    if (!call_begin(p))
        return STEP_ON;
    parser_let_go(p);
    return parser_go_on(p, step_arguments);
}

/* Text that begins, or that follows a call, may be a line; else it is text as
 * in other families. */
enum parse_step start_named_line(struct markup_parser *p)
{
    const char *tool;
    size_t end;
    p->at = 0;
    if (p->thinking || p->said)
        return step_outside(p);
    bool more = take_space(p);
    enum mark_match m = more ? match_lines(p, p->at, &end, &tool) : MATCH_NO;
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    return m == MATCH_YES ? begin_line(p, end, tool) : step_outside(p);
}

/* The mark of a message, which is not said; what follows it is a beginning. */
enum parse_step read_named_line(struct markup_parser *p)
{
    parser_let_go(p);
    p->call.opening = NULL;
    p->said = false;
    p->after_mark = true;
    return parser_go_on(p, p->outside);
}
