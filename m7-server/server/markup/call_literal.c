/* Arguments as programs write them: see call_literal.h.  Numbers, strings and
 * names are those of the Python Language Reference, sections 2.4 to 2.6. */
#include "call_literal.h"

#include "call_words.h"

#include <string.h>

enum literal_state {
    AT_FIRST_KEY,  /* or the end */
    AT_KEY,        /* or the end, after a last comma */
    AT_EQUALS,     /* the sign between key and value */
    AT_VALUE,      /* after that sign */
    AT_FIRST_ITEM, /* of a list, or its end */
    AT_ITEM,       /* or the end, after a last comma */
    AFTER_VALUE,
    IN_STRING
};

/* The marks of strings, longer ones first. */
static const char *const quotes[] = {"\"\"\"", "'''",    "\"",
                                     "'",      "<|\"|>", "<escape>"};
enum literal_quotes {
    N_QUOTES = sizeof quotes / sizeof *quotes,
    FIRST_RAW = 4
};

void literal_init(struct call_literal *l, char bracket,
                  const json_t *parameters)
{
    *l =
        (struct call_literal){.state = AT_FIRST_KEY, .parameters = parameters};
    l->stack[l->depth++] = bracket;
}

static bool is_call(const struct call_literal *l)
{
    return l->depth == 1 && l->stack[0] == '(';
}

static bool has_keys(const struct call_literal *l)
{
    return is_call(l) || l->stack[l->depth - 1] == '{';
}

/* The argument that stands where the schema's next one does has its name. */
static bool add_place_name(struct call_literal *l, struct bytes *out)
{
    json_t *properties = json_object_get(l->parameters, "properties");
    void *i = json_object_iter(properties);
    for (size_t n = 0; i && n < l->n_keys; n++)
        i = json_object_iter_next(properties, i);
    if (!i)
        return false;
    const char *name = json_object_iter_key(i);
    bytes_add_string(out, l->n_keys ? ", \"" : "\"");
    json_escape(name, strlen(name), out);
    bytes_add_string(out, "\": ");
    l->n_keys++;
    return true;
}

static void begin_key(struct call_literal *l, struct bytes *out)
{
    bytes_add_string(out, l->state == AT_FIRST_KEY ? "\"" : ", \"");
    if (l->depth == 1)
        l->n_keys++;
}

static bool at_key(const struct call_literal *l)
{
    return l->state == AT_FIRST_KEY || l->state == AT_KEY;
}

/* A value comes: in a list, after what was before it; where a call has its
 * keys, after a name that it takes from its place. */
static bool before_value(struct call_literal *l, struct bytes *out)
{
    if (l->state == AT_ITEM)
        bytes_add_string(out, ", ");
    return !at_key(l) || (is_call(l) && add_place_name(l, out));
}

static enum literal_read open_bracket(struct call_literal *l, char c,
                                      struct bytes *out)
{
    if (l->depth == LITERAL_DEEPEST || !before_value(l, out))
        return LITERAL_BAD;
    l->stack[l->depth++] = c;
    l->state = c == '{' ? AT_FIRST_KEY : AT_FIRST_ITEM;
    bytes_add_string(out, c == '{' ? "{" : "[");
    return LITERAL_MORE;
}

static enum literal_read close_bracket(struct call_literal *l, char c,
                                       struct bytes *out)
{
    char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    bool ends = l->state != AT_VALUE && l->state != AT_EQUALS;
    if (!ends || l->stack[l->depth - 1] != open)
        return LITERAL_BAD;
    bytes_add_string(out, has_keys(l) ? "}" : "]");
    l->depth--;
    l->state = AFTER_VALUE;
    return l->depth ? LITERAL_MORE : LITERAL_DONE;
}

/* A string begins, as a key or as a value. */
static enum literal_read begin_string(struct call_literal *l, size_t quote,
                                      bool raw, struct bytes *out)
{
    l->is_key = at_key(l) && !is_call(l);
    if (l->is_key)
        begin_key(l, out);
    else if (before_value(l, out))
        bytes_add_string(out, "\"");
    else
        return LITERAL_BAD;
    l->quote = quotes[quote];
    l->is_raw = raw || quote >= FIRST_RAW;
    l->state = IN_STRING;
    return LITERAL_MORE;
}

static enum literal_read string_ended(struct call_literal *l,
                                      struct bytes *out)
{
    bytes_add_string(out, "\"");
    l->state = l->is_key ? AT_EQUALS : AFTER_VALUE;
    return LITERAL_MORE;
}

/* In a string: its end, an escape, or a character as it is. */
static enum literal_read in_string(struct call_literal *l,
                                   struct literal_text *r)
{
    switch (literal_mark(r, l->quote)) {
    case 1:
        r->at += strlen(l->quote);
        return string_ended(l, r->out);
    case -1:
        r->waits = true;
        return LITERAL_MORE;
    default:
        if (r->text[r->at] == '\\' && !l->is_raw)
            return literal_escape(r) ? LITERAL_MORE : LITERAL_BAD;
        json_escape(r->text + r->at++, 1, r->out);
        return LITERAL_MORE;
    }
}

/* A word that stands for a value. */
static enum literal_read word_value(struct call_literal *l, const char *word,
                                    size_t size, struct bytes *out)
{
    if (!before_value(l, out))
        return LITERAL_BAD;
    l->state = AFTER_VALUE;
    if (literal_constant(word, size, out) || literal_number(word, size, out))
        return LITERAL_MORE;
    if (!l->bare_words)
        return LITERAL_BAD;
    bytes_add_string(out, "\"");
    json_escape(word, size, out);
    bytes_add_string(out, "\"");
    return LITERAL_MORE;
}

/* A word: a key where what follows says so, or a value. */
static enum literal_read read_bare_word(struct call_literal *l,
                                        struct literal_text *r)
{
    size_t end = r->at, after;
    while (end < r->size && literal_is_word(r->text[end]))
        end++;
    for (after = end; after < r->size && literal_is_blank(r->text[after]);
         after++)
        ;
    if (end == r->size || (at_key(l) && after == r->size)) {
        r->waits = true;
        return LITERAL_MORE;
    }
    const char *word = r->text + r->at;
    size_t size = end - r->at;
    if (size == 0)
        return LITERAL_BAD;
    r->at = end;
    char equals = is_call(l) ? '=' : ':';
    if (at_key(l) && r->text[after] == equals) {
        begin_key(l, r->out);
        json_escape(word, size, r->out);
        bytes_add_string(r->out, "\"");
        l->state = AT_EQUALS;
        return LITERAL_MORE;
    }
    return word_value(l, word, size, r->out);
}

/* A string's mark, perhaps after the letter r of a raw one; or a word. */
static enum literal_read string_or_word(struct call_literal *l,
                                        struct literal_text *r)
{
    bool raw = r->text[r->at] == 'r' || r->text[r->at] == 'R';
    struct literal_text inside = *r;
    inside.at += raw;
    for (size_t i = 0; i < N_QUOTES; i++) {
        int m = inside.at < r->size ? literal_mark(&inside, quotes[i]) : 0;
        if (m < 0) {
            r->waits = true;
            return LITERAL_MORE;
        }
        if (m > 0) {
            r->at = inside.at + strlen(quotes[i]);
            return begin_string(l, i, raw, r->out);
        }
    }
    return read_bare_word(l, r);
}

/* Where a value or a key may begin. */
static enum literal_read begin_sign(struct call_literal *l,
                                    struct literal_text *r)
{
    char c = r->text[r->at];
    if (c != '[' && c != '{' && c != '(')
        return string_or_word(l, r);
    r->at++;
    return open_bracket(l, c, r->out);
}

/* One sign, or what begins with it. */
static enum literal_read between(struct call_literal *l,
                                 struct literal_text *r)
{
    char c = r->text[r->at];
    if (c == ')' || c == ']' || c == '}') {
        r->at++;
        return close_bracket(l, c, r->out);
    }
    if (l->state == AFTER_VALUE) {
        r->at++;
        l->state = has_keys(l) ? AT_KEY : AT_ITEM;
        return c == ',' ? LITERAL_MORE : LITERAL_BAD;
    }
    if (l->state != AT_EQUALS)
        return begin_sign(l, r);
    r->at++;
    if (c != (is_call(l) ? '=' : ':'))
        return LITERAL_BAD;
    bytes_add_string(r->out, ": ");
    l->state = AT_VALUE;
    return LITERAL_MORE;
}

enum literal_read literal_put(struct call_literal *l, const char *text,
                              size_t size, size_t *used, bool ended,
                              struct bytes *out)
{
    struct literal_text r = {text, size, *used, ended, false, out};
    enum literal_read found = LITERAL_MORE;
    while (r.at < size && !r.waits && found == LITERAL_MORE) {
        *used = r.at;
        if (l->state == IN_STRING)
            found = in_string(l, &r);
        else if (literal_is_blank(text[r.at]))
            r.at++;
        else
            found = between(l, &r);
    }
    if (found != LITERAL_BAD)
        *used = r.at;
    return found;
}
