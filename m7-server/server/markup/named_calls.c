/* Calls whose name stands outside of their JSON: between marks, in a channel's
 * address, before a fence.  See markup_parser.h. */
#include "markup_parser.h"

#include <ctype.h>
#include <string.h>

enum named_bounds {
    LONGEST_NAME = 256
};

static enum parse_step step_header(struct markup_parser *p);

static bool is_in_function_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_-.:/", c));
}

enum parse_step read_named(struct markup_parser *p)
{
    p->call.separated = true;
    return parser_go_on(p, step_header);
}

/* Mistral's mark comes before a list in JSON, or before a name. */
enum parse_step read_mistral(struct markup_parser *p)
{
    if (!take_space(p))
        return STEP_WAIT;
    bool json = parser_next(p) == '[' || parser_next(p) == '{';
    return json ? read_json(p) : read_named(p);
}

/* Does a word end in a colon and a number?  Then it ends there, at the latest.
 */
static bool is_numbered(const char *word, size_t size)
{
    size_t end = size;
    while (end > 0 && isdigit((unsigned char)word[end - 1]))
        end--;
    return end < size && end > 0 && word[end - 1] == ':';
}

/* Kimi's words are an address and an id at once: functions.get_weather:0. */
static void split_address(struct markup_call *c)
{
    static const char address[] = "functions.";
    size_t skip = sizeof address - 1, end = c->name.size;
    if (end <= skip || memcmp(c->name.data, address, skip) != 0)
        return;
    bool numbered = is_numbered(c->name.data, end);
    if (numbered && c->id.size == 0)
        bytes_add(&c->id, c->name.data, end);
    while (numbered && c->name.data[--end] != ':')
        ;
    c->name.size = end - skip;
    memmove(c->name.data, c->name.data + skip, c->name.size);
}

static enum parse_step named_ended(struct markup_parser *p)
{
    call_end(p, MARKUP_CALL_END);
    return parser_go_on(p, step_closers);
}

/* The header has ended where the arguments begin. */
static enum parse_step begin_named(struct markup_parser *p)
{
    if (p->call.name.size == 0)
        return parser_reject(p);
    p->call.after_arguments = named_ended;
    if (!call_begin(p))
        return STEP_ON;
    parser_let_go(p);
    return parser_go_on(p, step_arguments);
}

/* A word: the name, or after its mark the id.  The last word is the name, as
 * DeepSeek's stands after the kind of tool; but two in a row are prose. */
static enum parse_step read_word(struct markup_parser *p)
{
    size_t end = p->at;
    while (end < p->held.size && is_in_function_name(p->held.data[end]))
        end++;
    size_t size = end - p->at;
    if (size == 0 || size > LONGEST_NAME || !p->call.separated)
        return parser_reject(p);
    bool whole = end < p->held.size ||
                 (p->ended && is_numbered(p->held.data + p->at, size));
    if (!whole)
        return STEP_WAIT;
    struct bytes *word = p->call.is_id ? &p->call.id : &p->call.name;
    word->size = 0;
    bytes_add(word, p->held.data + p->at, size);
    p->at = end;
    if (!p->call.is_id && !word->failed)
        split_address(&p->call);
    p->call.separated = p->call.is_id = false;
    return STEP_ON;
}

static enum parse_step step_header(struct markup_parser *p)
{
    size_t which;
    if (!take_space(p))
        return STEP_WAIT;
    if (parser_next(p) == '{')
        return begin_named(p);
    mark_list separators = p->call.opening->separators;
    switch (take_any_mark(p, separators, &which)) {
    case MATCH_MAYBE:
        return STEP_WAIT;
    case MATCH_YES:
        p->call.separated = true;
        p->call.is_id = strcmp(separators[which], "[CALL_ID]") == 0;
        return STEP_ON;
    default:
        return read_word(p);
    }
}
