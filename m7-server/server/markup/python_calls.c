/* Calls that are written as in Python, f(x=1), alone, line by line or in a
 * list; and Gemma's own, call:f{x:1}.  See markup_parser.h. */
#include "markup_parser.h"

#include "tool_schema.h"

#include <ctype.h>
#include <string.h>

enum python_bounds {
    LONGEST_NAME = 256
};

static enum parse_step step_python_name(struct markup_parser *p);
static enum parse_step step_gemma(struct markup_parser *p);
static enum parse_step step_literal(struct markup_parser *p);
static enum parse_step step_python_next(struct markup_parser *p);

enum parse_step read_python(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    p->call.is_list = parser_next(p) == '[';
    p->at += p->call.is_list;
    return parser_go_on(p, step_python_name);
}

/* The opening is the list's own bracket. */
enum parse_step read_bare_python(struct markup_parser *p)
{
    p->call.is_list = true;
    return parser_go_on(p, step_python_name);
}

/* Llama's tag stands before objects in JSON, and before calls of built-in
 * tools: f.call(x=1). */
enum parse_step read_python_tag(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    bool json = parser_next(p) == '[' || parser_next(p) == '{';
    return json ? read_json(p) : read_python(p);
}

enum parse_step read_gemma(struct markup_parser *p)
{
    return parser_go_on(p, step_gemma);
}

static enum parse_step step_gemma(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    enum mark_match m = take_mark(p, "call:");
    if (m == MATCH_YES)
        return parser_go_on(p, step_python_name);
    return m == MATCH_NO ? parser_reject(p) : STEP_WAIT;
}

static bool is_in_python_name(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c && strchr("_.-", c));
}

static bool is_tool(const struct markup_parser *p, const char *name)
{
    return p->options.tools && tool_find(p->options.tools, name);
}

/* What stands around or before a name in Gemma's code: print(f(x)), and the
 * module that its prompts name. */
static bool is_wrapper(const struct markup_parser *p)
{
    const struct bytes *name = &p->call.name;
    return name->size == 5 && memcmp(name->data, "print", 5) == 0 &&
           !is_tool(p, "print");
}

static void drop_module(struct bytes *name)
{
    static const char module[] = "default_api.";
    size_t size = sizeof module - 1;
    if (name->size <= size || memcmp(name->data, module, size) != 0)
        return;
    name->size -= size;
    memmove(name->data, name->data + size, name->size);
}

/* The method by which Llama calls a tool, f.call(x=1).  What else stands
 * behind its tag is code, if it does not call a tool. */
static bool is_no_code(struct markup_parser *p)
{
    static const char method[] = ".call";
    struct bytes *name = &p->call.name;
    size_t n = sizeof method - 1;
    if (p->call.opening->read != read_python_tag)
        return true;
    if (name->size > n && !memcmp(name->data + name->size - n, method, n))
        name->size -= n;
    bytes_add(name, "", 1);
    bool is = !name->failed && is_tool(p, name->data);
    name->size -= !name->failed;
    return is;
}

static enum parse_step begin_literal(struct markup_parser *p, char bracket)
{
    drop_module(&p->call.name);
    if (!is_no_code(p))
        return parser_reject(p);
    if (!call_begin(p))
        return STEP_ON;
    literal_init(&p->literal, bracket,
                 tool_parameters(p->options.tools, p->call.name.data));
    p->literal.bare_words = bracket == '{';
    p->call.n_arguments = 1;
    tell_arguments(p, "{", 1);
    parser_let_go(p);
    return parser_go_on(p, step_literal);
}

/* The name, and the bracket after it. */
static enum parse_step step_python_name(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    size_t end = p->at;
    while (end < p->held.size && is_in_python_name(p->held.data[end]))
        end++;
    size_t size = end - p->at;
    if (end == p->held.size && size <= LONGEST_NAME)
        return STEP_WAIT;
    bool gemma = p->call.opening->read == read_gemma;
    char bracket = gemma ? '{' : '(';
    if (size == 0 || size > LONGEST_NAME || p->held.data[end] != bracket)
        return parser_reject(p);
    p->call.name.size = 0;
    bytes_add(&p->call.name, p->held.data + p->at, size);
    p->at = end + 1;
    if (gemma || !is_wrapper(p))
        return begin_literal(p, bracket);
    p->call.wrappers++;
    return STEP_ON;
}

static enum parse_step step_literal(struct markup_parser *p)
{
    p->out.size = 0;
    enum literal_read found = literal_put(
        &p->literal, p->held.data, p->held.size, &p->at, p->ended, &p->out);
    tell_arguments(p, p->out.data, p->out.size);
    parser_let_go(p);
    if (found == LITERAL_MORE)
        return STEP_WAIT;
    if (found == LITERAL_BAD)
        return parser_go_on(p, step_bad);
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_python_next);
}

/* Between calls, and after the last. */
static enum parse_step step_python_next(struct markup_parser *p)
{
    if (!take_space(p))
        return p->ended ? parser_go_on(p, step_closers) : STEP_WAIT;
    char c = parser_next(p);
    bool is_list = p->call.is_list;
    if ((c == ')' && p->call.wrappers) ||
        (is_list && (c == ',' || c == ']'))) {
        p->at++;
        p->call.wrappers -= c == ')';
        p->call.is_list = is_list && c != ']';
        parser_let_go(p);
        return STEP_ON;
    }
    bool may_follow = is_list || !p->call.opening->bare;
    if (p->call.opening->read == read_gemma || !may_follow ||
        !is_in_python_name(c))
        return parser_go_on(p, step_closers);
    parser_let_go(p);
    return parser_go_on(p, step_python_name);
}
