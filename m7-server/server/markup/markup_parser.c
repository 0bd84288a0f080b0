/* The parser's inside: see markup_parser.h. */
#include "markup_parser.h"

#include "sizes.h"
#include "tool_schema.h"
#include "unicode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mark_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool parser_has_more(const struct markup_parser *p)
{
    return p->at < p->held.size;
}

char parser_next(const struct markup_parser *p)
{
    return p->held.data[p->at];
}

enum mark_match match_at(const struct markup_parser *p, size_t at,
                         const char *mark)
{
    size_t left = p->held.size - at, size = strlen(mark);
    if (left >= size)
        return memcmp(p->held.data + at, mark, size) ? MATCH_NO : MATCH_YES;
    bool begun = left == 0 || memcmp(p->held.data + at, mark, left) == 0;
    return begun && !p->ended ? MATCH_MAYBE : MATCH_NO;
}

enum mark_match take_mark(struct markup_parser *p, const char *mark)
{
    enum mark_match m = match_at(p, p->at, mark);
    if (m == MATCH_YES)
        p->at += strlen(mark);
    return m;
}

enum mark_match take_any_mark(struct markup_parser *p, mark_list marks,
                              size_t *which)
{
    enum mark_match any = MATCH_NO;
    for (size_t i = 0; marks && marks[i]; i++) {
        enum mark_match m = take_mark(p, marks[i]);
        if (m == MATCH_YES && which)
            *which = i;
        if (m == MATCH_YES)
            return m;
        any = m == MATCH_MAYBE ? m : any;
    }
    return any;
}

bool take_space(struct markup_parser *p)
{
    while (parser_has_more(p) && mark_is_space(parser_next(p)))
        p->at++;
    return parser_has_more(p);
}

static bool scan_was_last(enum json_scanned s)
{
    return s == SCAN_DONE || s == SCAN_PAST;
}

enum mark_match take_json_value(struct markup_parser *p)
{
    if (!p->scanning) {
        p->value = p->at;
        json_scan_init(&p->scan);
        p->scanning = true;
    }
    enum json_scanned s = SCAN_MORE;
    while (s == SCAN_MORE && parser_has_more(p)) {
        s = json_scan_put(&p->scan, parser_next(p));
        p->at += s == SCAN_MORE || s == SCAN_DONE;
    }
    if (s == SCAN_MORE && !(p->ended && json_scan_whole(&p->scan)))
        return MATCH_MAYBE;
    p->scanning = false;
    return s == SCAN_MORE || scan_was_last(s) ? MATCH_YES : MATCH_NO;
}

static void forget_bytes(struct bytes *b, size_t size)
{
    if (size == 0)
        return;
    b->size -= size;
    memmove(b->data, b->data + size, b->size);
}

static void forget_held(struct markup_parser *p, size_t size)
{
    forget_bytes(&p->held, size);
    p->rejected -= smaller_size(p->rejected, size);
    p->at = p->mark_end = 0;
}

void parser_let_go(struct markup_parser *p)
{
    forget_held(p, p->at);
}

static void tell_event(struct markup_parser *p,
                       const struct markup_event *event)
{
    if (p->options.event)
        p->options.event(p->options.context, event);
}

static void keep_last(struct markup_parser *p, size_t size)
{
    if (size == 1)
        p->last[0] = p->last[1];
    else if (size > 1)
        p->last[0] = p->held.data[size - 2];
    if (size > 0)
        p->last[1] = p->held.data[size - 1];
}

void tell_text(struct markup_parser *p, size_t size)
{
    size_t from = 0;
    while (p->after_mark && from < size && mark_is_space(p->held.data[from]))
        from++;
    if (from < size) {
        p->after_mark = false;
        *(p->thinking ? &p->thought : &p->said) = true;
        tell_event(p, &(struct markup_event){.type = p->thinking
                                                         ? MARKUP_REASONING
                                                         : MARKUP_CONTENT,
                                             .text = p->held.data + from,
                                             .size = size - from});
    }
    keep_last(p, size);
    forget_held(p, size);
}

enum parse_step parser_go_on(struct markup_parser *p, step_function *step)
{
    p->step = step;
    return STEP_ON;
}

/* Nothing of a call is left, but for the memory that it had. */
static void call_clear(struct markup_call *c)
{
    struct bytes name = c->name, id = c->id, key = c->key;
    name.size = id.size = key.size = 0;
    *c = (struct markup_call){.name = name, .id = id, .key = key};
}

enum parse_step parser_reject(struct markup_parser *p)
{
    size_t read = p->at - smaller_size(p->at, p->mark_end);
    call_clear(&p->call);
    p->scanning = false;
    tell_text(p, p->mark_end);
    p->rejected = larger_size(p->rejected, read);
    return parser_go_on(p, p->outside);
}

/* One step of a generator (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", 2014): each call has numbers of its own. */
static uint64_t id_bits(uint64_t seed, uint64_t count)
{
    uint64_t z = seed + (count + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void make_id(const struct markup_parser *p, char id[32])
{
    uint64_t a = id_bits(p->options.seed, 2 * p->n_calls);
    uint64_t b = id_bits(p->options.seed, 2 * p->n_calls + 1);
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz";
    snprintf(id, 32, "call_%016llx%08llx", (unsigned long long)a,
             (unsigned long long)(b >> 32));
    if (!p->options.markup || !p->options.markup->short_ids)
        return;
    for (size_t i = 0; i < 9; i++, a /= 62)
        id[i] = letters[a % 62];
    id[9] = '\0';
}

/* In a text that may be anything, and in thoughts, a call is one only when
 * the tool is there. */
static bool call_may_begin(const struct markup_parser *p)
{
    const struct markup_call *c = &p->call;
    bool doubtful = p->thinking || (c->opening && c->opening->bare);
    if (c->name.size <= 1 || memchr(c->name.data, 0, c->name.size - 1))
        return false;
    return !doubtful || !p->options.tools ||
           tool_find(p->options.tools, c->name.data);
}

bool call_begin(struct markup_parser *p)
{
    struct markup_call *c = &p->call;
    char id[32];
    bytes_add(&c->name, "", 1);
    if (c->name.failed || !call_may_begin(p)) {
        parser_reject(p);
        return false;
    }
    make_id(p, id);
    if (c->id.size > 0)
        bytes_add(&c->id, "", 1);
    c->open = true;
    tell_event(p, &(struct markup_event){
                      .type = MARKUP_CALL,
                      .index = p->n_calls,
                      .id = c->id.size && !c->id.failed ? c->id.data : id,
                      .name = c->name.data});
    return true;
}

void tell_arguments(struct markup_parser *p, const char *text, size_t size)
{
    if (size > 0)
        tell_event(p, &(struct markup_event){.type = MARKUP_ARGUMENTS,
                                             .index = p->n_calls,
                                             .text = text,
                                             .size = size});
}

void call_end(struct markup_parser *p, enum markup_event_type type)
{
    if (type == MARKUP_CALL_END && p->call.n_arguments == 0)
        tell_arguments(p, "{}", 2);
    tell_event(p, &(struct markup_event){.type = type, .index = p->n_calls});
    const struct opening *opening = p->call.opening;
    bool is_list = p->call.is_list;
    size_t wrappers = p->call.wrappers;
    call_clear(&p->call);
    p->call.opening = opening;
    p->call.is_list = is_list;
    p->call.wrappers = wrappers;
    p->n_calls++;
    p->over = p->n_calls == p->options.most_calls;
    p->after_mark = true;
    p->last[0] = p->last[1] = '\0';
}

enum parse_step step_closers(struct markup_parser *p)
{
    bool more = take_space(p);
    enum mark_match m =
        more ? take_any_mark(p, p->call.opening->closers, NULL) : MATCH_MAYBE;
    if (m == MATCH_YES)
        return STEP_ON;
    if (m == MATCH_MAYBE && !p->ended)
        return STEP_WAIT;
    parser_let_go(p);
    call_clear(&p->call);
    return parser_go_on(p, p->outside);
}

/* JSON of arguments, up to `end` of what is held: as the model wrote it, but
 * for bare control characters in strings, which JSON has not. */
static void tell_json(struct markup_parser *p, size_t end)
{
    p->out.size = 0;
    struct json_scan *s = &p->scan;
    for (; p->at < end; p->at++) {
        const char *c = p->held.data + p->at;
        bool escape = json_scan_in_string(s) && (unsigned char)*c < 0x20;
        json_scan_put(s, *c);
        if (escape)
            json_escape(c, 1, &p->out);
        else
            bytes_add(&p->out, c, 1);
    }
    tell_arguments(p, p->out.data, p->out.size);
    parser_let_go(p);
}

/* How far the arguments go in what is held, and what ends them there. */
static size_t scan_ahead(const struct markup_parser *p,
                         enum json_scanned *found)
{
    struct json_scan ahead = p->scan;
    size_t i = p->at;
    for (*found = SCAN_MORE; *found == SCAN_MORE && i < p->held.size; i++)
        *found = json_scan_put(&ahead, p->held.data[i]);
    return *found == SCAN_BAD ? i - 1 : i;
}

enum parse_step step_arguments(struct markup_parser *p)
{
    enum json_scanned found;
    if (!p->scanning) {
        json_scan_init(&p->scan);
        p->scanning = true;
    }
    size_t end = scan_ahead(p, &found);
    if (end > p->at)
        tell_json(p, end);
    p->call.n_arguments = 1;
    if (found == SCAN_MORE)
        return STEP_WAIT;
    p->scanning = false;
    p->call.complete = found == SCAN_DONE;
    return parser_go_on(p,
                        p->call.complete ? p->call.after_arguments : step_bad);
}

size_t find_marks(const struct markup_parser *p, size_t from, mark_list marks,
                  enum mark_match *found)
{
    for (size_t at = from; at < p->held.size; at++)
        for (size_t i = 0; marks && marks[i]; i++) {
            *found = match_at(p, at, marks[i]);
            if (*found != MATCH_NO)
                return at;
        }
    *found = MATCH_NO;
    return p->held.size;
}

/* Where a family has nothing behind a call, the next one ends it. */
enum parse_step step_bad(struct markup_parser *p)
{
    const struct opening *o = p->call.opening;
    const char *const next[] = {o->bare ? NULL : o->mark, NULL};
    enum mark_match found;
    size_t end = find_marks(p, 0, *o->closers ? o->closers : next, &found);
    tell_arguments(p, p->held.data, end);
    p->call.n_arguments = 1;
    p->at = end;
    parser_let_go(p);
    if (found != MATCH_YES)
        return STEP_WAIT;
    call_end(p, MARKUP_CALL_BAD);
    return parser_go_on(p, step_closers);
}
