/* JSON, read byte by byte: see json_scan.h.  The grammar is RFC 8259's. */
#include "json_scan.h"

#include <string.h>

enum json_scan_state {
    AT_VALUE,
    AT_VALUE_OR_CLOSE, /* after [ */
    AT_KEY_OR_CLOSE,   /* after { */
    AT_KEY,
    AT_COLON,
    AFTER_VALUE,
    IN_STRING,
    IN_ESCAPE,
    IN_HEX,
    IN_LITERAL,
    AFTER_MINUS,
    AFTER_ZERO,
    IN_INTEGER,
    AFTER_POINT,
    IN_FRACTION,
    AFTER_E,
    AFTER_E_SIGN,
    IN_EXPONENT
};

void json_scan_init(struct json_scan *s)
{
    s->state = AT_VALUE;
    s->literal = "";
    s->hex = 0;
    s->is_key = false;
    s->depth = 0;
}

static bool is_json_digit(char c)
{
    return c >= '0' && c <= '9';
}

static enum json_scanned go(struct json_scan *s, int state)
{
    s->state = state;
    return SCAN_MORE;
}

static enum json_scanned end_json_value(struct json_scan *s)
{
    s->state = AFTER_VALUE;
    return s->depth ? SCAN_MORE : SCAN_DONE;
}

static enum json_scanned open_json_bracket(struct json_scan *s, char bracket)
{
    if (s->depth == JSON_SCAN_DEEPEST)
        return SCAN_BAD;
    s->stack[s->depth++] = bracket;
    return go(s, bracket == '{' ? AT_KEY_OR_CLOSE : AT_VALUE_OR_CLOSE);
}

static enum json_scanned close_json_bracket(struct json_scan *s, char bracket)
{
    if (s->depth == 0 || s->stack[s->depth - 1] != bracket)
        return SCAN_BAD;
    s->depth--;
    return end_json_value(s);
}

static enum json_scanned begin_json_word(struct json_scan *s, const char *rest)
{
    s->literal = rest;
    return go(s, IN_LITERAL);
}

static enum json_scanned begin_value(struct json_scan *s, char c)
{
    s->is_key = false;
    switch (c) {
    case '{':
    case '[':
        return open_json_bracket(s, c);
    case '"':
        return go(s, IN_STRING);
    case '-':
        return go(s, AFTER_MINUS);
    case 't':
        return begin_json_word(s, "rue");
    case 'f':
        return begin_json_word(s, "alse");
    case 'n':
        return begin_json_word(s, "ull");
    default:
        if (!is_json_digit(c))
            return SCAN_BAD;
        return go(s, c == '0' ? AFTER_ZERO : IN_INTEGER);
    }
}

static enum json_scanned begin_json_key(struct json_scan *s, char c)
{
    s->is_key = true;
    return c == '"' ? go(s, IN_STRING) : SCAN_BAD;
}

/* Between values: , } ] */
static enum json_scanned after_value(struct json_scan *s, char c)
{
    if (c == '}' || c == ']')
        return close_json_bracket(s, c == '}' ? '{' : '[');
    if (c != ',' || s->depth == 0)
        return SCAN_BAD;
    return go(s, s->stack[s->depth - 1] == '{' ? AT_KEY : AT_VALUE);
}

/* Where space may stand. */
static enum json_scanned between_values(struct json_scan *s, char c)
{
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return SCAN_MORE;
    switch (s->state) {
    case AT_VALUE_OR_CLOSE:
        return c == ']' ? close_json_bracket(s, '[') : begin_value(s, c);
    case AT_KEY_OR_CLOSE:
        return c == '}' ? close_json_bracket(s, '{') : begin_json_key(s, c);
    case AT_KEY:
        return begin_json_key(s, c);
    case AT_COLON:
        return c == ':' ? go(s, AT_VALUE) : SCAN_BAD;
    case AFTER_VALUE:
        return after_value(s, c);
    default:
        return begin_value(s, c);
    }
}

static enum json_scanned in_json_string(struct json_scan *s, char c)
{
    if (c == '\\')
        return go(s, IN_ESCAPE);
    if (c != '"')
        return SCAN_MORE;
    return s->is_key ? go(s, AT_COLON) : end_json_value(s);
}

static enum json_scanned in_escape(struct json_scan *s, char c)
{
    s->hex = 4;
    if (c == 'u')
        return go(s, IN_HEX);
    return c && strchr("\"\\/bfnrt", c) ? go(s, IN_STRING) : SCAN_BAD;
}

static enum json_scanned in_hex(struct json_scan *s, char c)
{
    if (!c || !strchr("0123456789abcdefABCDEF", c))
        return SCAN_BAD;
    return --s->hex ? SCAN_MORE : go(s, IN_STRING);
}

static enum json_scanned in_literal(struct json_scan *s, char c)
{
    if (c != *s->literal)
        return SCAN_BAD;
    return *++s->literal ? SCAN_MORE : end_json_value(s);
}

/* A number's next state, or -1: it does not go on with this byte. */
static int number_next(int state, char c)
{
    bool e = c == 'e' || c == 'E', digit = is_json_digit(c);
    switch (state) {
    case AFTER_MINUS:
        return digit ? (c == '0' ? AFTER_ZERO : IN_INTEGER) : -1;
    case AFTER_ZERO:
    case IN_INTEGER:
        if (digit && state == IN_INTEGER)
            return IN_INTEGER;
        return c == '.' ? AFTER_POINT : e ? AFTER_E : -1;
    case AFTER_POINT:
        return digit ? IN_FRACTION : -1;
    case IN_FRACTION:
        return digit ? IN_FRACTION : e ? AFTER_E : -1;
    case AFTER_E:
        return digit ? IN_EXPONENT : c == '+' || c == '-' ? AFTER_E_SIGN : -1;
    default:
        return digit ? IN_EXPONENT : -1;
    }
}

static bool number_is_whole(int state)
{
    return state == AFTER_ZERO || state == IN_INTEGER ||
           state == IN_FRACTION || state == IN_EXPONENT;
}

static enum json_scanned in_number(struct json_scan *s, char c)
{
    int next = number_next(s->state, c);
    if (next >= 0)
        return go(s, next);
    if (!number_is_whole(s->state))
        return SCAN_BAD;
    s->state = AFTER_VALUE;
    return s->depth ? between_values(s, c) : SCAN_PAST;
}

enum json_scanned json_scan_put(struct json_scan *s, char byte)
{
    switch (s->state) {
    case IN_STRING:
        return in_json_string(s, byte);
    case IN_ESCAPE:
        return in_escape(s, byte);
    case IN_HEX:
        return in_hex(s, byte);
    case IN_LITERAL:
        return in_literal(s, byte);
    default:
        return s->state >= AFTER_MINUS ? in_number(s, byte)
                                       : between_values(s, byte);
    }
}

bool json_scan_whole(const struct json_scan *s)
{
    return s->depth == 0 &&
           (s->state == AFTER_VALUE || number_is_whole(s->state));
}

bool json_scan_in_string(const struct json_scan *s)
{
    return s->state == IN_STRING;
}
