/* Calls that are objects in JSON, alone or in a list: {"name": "f",
 * "arguments": {...}}.  The names of the members differ, and their order, too.
 * See markup_parser.h. */
#include "markup_parser.h"

#include "json.h"

#include <string.h>

static enum parse_step step_object(struct markup_parser *p);
static enum parse_step step_key(struct markup_parser *p);
static enum parse_step step_member(struct markup_parser *p);
static enum parse_step step_name(struct markup_parser *p);
static enum parse_step step_early(struct markup_parser *p);
static enum parse_step step_other(struct markup_parser *p);
static enum parse_step step_rest(struct markup_parser *p);
static enum parse_step step_next(struct markup_parser *p);

/* Members by their names; the first that are a call's in any family. */
static const struct json_key_name {
    const char *name;
    enum json_key key;
} keys[] = {
    {"name", KEY_NAME},
    {"tool_name", KEY_NAME},
    {"arguments", KEY_ARGUMENTS},
    {"parameters", KEY_ARGUMENTS},
    {"function", KEY_FUNCTION},
    {"type", KEY_OTHER},
    {"id", KEY_OTHER},
    {"tool_call_id", KEY_OTHER},
};
enum json_key_count {
    N_KEYS = sizeof keys / sizeof *keys
};

/* The string in JSON that is held from p->value to p->at, or NULL. */
static json_t *held_string(const struct markup_parser *p)
{
    json_t *s = json_loadb(p->held.data + p->value, p->at - p->value,
                           JSON_DECODE_ANY, NULL);
    if (json_is_string(s))
        return s;
    json_decref(s);
    return NULL;
}

/* The opening mark has been read: an object comes, or a list of them. */
enum parse_step read_json(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    p->call.is_list = parser_next(p) == '[';
    p->at += p->call.is_list;
    return parser_go_on(p, step_object);
}

/* The opening is the object's own bracket. */
enum parse_step read_bare_json(struct markup_parser *p)
{
    p->at = p->mark_end - 1;
    return parser_go_on(p, step_object);
}

/* The opening is the list's own bracket. */
enum parse_step read_bare_list(struct markup_parser *p)
{
    p->call.is_list = true;
    return parser_go_on(p, step_object);
}

static enum parse_step step_object(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    if (parser_next(p) != '{')
        return parser_reject(p);
    p->at++;
    p->call.depth++;
    return parser_go_on(p, step_key);
}

/* The object has ended, and there were no arguments in it. */
static enum parse_step object_ended(struct markup_parser *p)
{
    if (p->call.depth > 0)
        return STEP_ON;
    if (p->call.name.size == 0 || p->call.opening->bare)
        return parser_reject(p);
    if (!call_begin(p))
        return STEP_ON;
    parser_let_go(p);
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_next);
}

/* Where a key stands, or the object's end. */
static enum parse_step step_key(struct markup_parser *p)
{
    if (!p->scanning) {
        if (!take_space(p))
            return STEP_WAIT;
        if (parser_next(p) == '}') {
            p->at++;
            p->call.depth--;
            return object_ended(p);
        }
        if (parser_next(p) == ',') {
            p->at++;
            return STEP_ON;
        }
        if (parser_next(p) != '"')
            return parser_reject(p);
    }
    enum mark_match m = take_json_value(p);
    if (m != MATCH_YES)
        return m == MATCH_NO ? parser_reject(p) : STEP_WAIT;
    json_t *key = held_string(p);
    size_t i = 0;
    while (key && i < N_KEYS && strcmp(json_string_value(key), keys[i].name))
        i++;
    p->call.json_key = key && i < N_KEYS ? keys[i].key : KEY_OTHER;
    json_decref(key);
    if (!key || (i == N_KEYS && p->call.opening->bare))
        return parser_reject(p);
    return parser_go_on(p, step_member);
}

/* The arguments are an object, or a string that holds one, or nothing. */
static enum parse_step begin_arguments(struct markup_parser *p)
{
    char c = parser_next(p);
    p->call.after_arguments = step_rest;
    if (c == '"' || c == 'n')
        return parser_go_on(p, step_early);
    if (!call_begin(p))
        return STEP_ON;
    parser_let_go(p);
    return parser_go_on(p, c == '{' ? step_arguments : step_bad);
}

/* After a key: the colon, and the value's first byte. */
static enum parse_step step_member(struct markup_parser *p)
{
    size_t before = p->at;
    bool more = take_space(p);
    if (more && parser_next(p) != ':')
        return parser_reject(p);
    p->at += more;
    if (!more || !take_space(p)) {
        p->at = before;
        return STEP_WAIT;
    }
    switch (p->call.json_key) {
    case KEY_ARGUMENTS:
        return p->call.name.size ? begin_arguments(p)
                                 : parser_go_on(p, step_early);
    case KEY_FUNCTION:
        if (parser_next(p) == '{')
            return parser_go_on(p, step_object);
        return parser_go_on(p, step_name);
    default:
        return parser_go_on(p, p->call.json_key == KEY_NAME ? step_name
                                                            : step_other);
    }
}

static enum parse_step step_other(struct markup_parser *p)
{
    enum mark_match m = take_json_value(p);
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    return m == MATCH_NO ? parser_reject(p) : parser_go_on(p, step_key);
}

/* Arguments whose text was held, in p->held from `from` to `to`: an object; a
 * string that holds one; null.  Others are told as they are. */
static void tell_early(struct markup_parser *p, size_t from, size_t to)
{
    const char *text = p->held.data + from;
    json_t *value = json_loadb(text, to - from, JSON_DECODE_ANY, NULL);
    json_t *inside = NULL;
    size_t size = to - from;
    if (json_is_string(value)) {
        text = json_string_value(value);
        size = json_string_length(value);
        inside = json_loadb(text, size, 0, NULL);
    }
    bool is_none = json_is_null(value) || (json_is_string(value) && !size);
    p->call.complete =
        is_none || json_is_object(value) || json_is_object(inside);
    p->call.n_arguments = !is_none;
    if (!is_none)
        tell_arguments(p, text, size);
    json_decref(inside);
    json_decref(value);
}

/* The name is known, and so are the arguments. */
static enum parse_step begin_early(struct markup_parser *p, size_t from,
                                   size_t to)
{
    if (!call_begin(p))
        return STEP_ON;
    tell_early(p, from, to);
    parser_let_go(p);
    return parser_go_on(p, p->call.complete ? step_rest : step_bad);
}

/* Arguments that are read as a whole: before the name, or in a string. */
static enum parse_step step_early(struct markup_parser *p)
{
    enum mark_match m = take_json_value(p);
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    if (m == MATCH_NO)
        return parser_reject(p);
    if (p->call.name.size > 0)
        return begin_early(p, p->value, p->at);
    p->call.early = p->value;
    p->call.early_end = p->at;
    return parser_go_on(p, step_key);
}

static enum parse_step step_name(struct markup_parser *p)
{
    enum mark_match m = take_json_value(p);
    if (m == MATCH_MAYBE)
        return STEP_WAIT;
    json_t *name = m == MATCH_YES ? held_string(p) : NULL;
    if (!name)
        return parser_reject(p);
    p->call.name.size = 0;
    bytes_add(&p->call.name, json_string_value(name),
              json_string_length(name));
    json_decref(name);
    if (p->call.name.size == 0)
        return parser_reject(p);
    if (p->call.early_end > 0)
        return begin_early(p, p->call.early, p->call.early_end);
    return parser_go_on(p, step_key);
}

/* The call is over: what its object has after the arguments is not needed. */
static enum parse_step finish_call(struct markup_parser *p)
{
    p->scanning = false;
    parser_let_go(p);
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_next);
}

/* The rest of the object: other members, and its end.  Models forget the last
 * bracket, or write one too many. */
static enum parse_step step_rest(struct markup_parser *p)
{
    if (!p->scanning && !take_space(p))
        return STEP_WAIT;
    char c = p->scanning ? '"' : parser_next(p);
    if (c == '}') {
        p->at++;
        return --p->call.depth ? STEP_ON : finish_call(p);
    }
    if (c == ',' || c == ':') {
        p->at++;
        return STEP_ON;
    }
    if (!strchr("\"-0123456789tfn", c))
        return finish_call(p);
    enum mark_match m = take_json_value(p);
    if (m == MATCH_NO)
        p->at = p->value;
    return m == MATCH_MAYBE ? STEP_WAIT
           : m == MATCH_NO  ? finish_call(p)
                            : STEP_ON;
}

/* Another object begins, at the bracket that stands at p->at. */
static enum parse_step another(struct markup_parser *p)
{
    parser_let_go(p);
    p->at = p->mark_end = 1;
    p->call.depth = 1;
    return parser_go_on(p, step_key);
}

/* Between objects, and after the last.  Several may stand between one pair of
 * marks, also without being a list. */
static enum parse_step step_next(struct markup_parser *p)
{
    if (!take_space(p))
        return p->ended ? parser_go_on(p, step_closers) : STEP_WAIT;
    char c = parser_next(p);
    const struct opening *o = p->call.opening;
    bool llama = o->bare || o->read == read_python_tag;
    bool separates = p->call.is_list ? c == ',' : c == ';' && llama;
    if (c == '{')
        return another(p);
    if (c == '}' || separates) {
        p->at++;
        return STEP_ON;
    }
    if (c == ']' && p->call.is_list) {
        p->at++;
        p->call.is_list = false;
        return STEP_ON;
    }
    return parser_go_on(p, step_closers);
}
