/* Names, literals, and what stands behind them: see parser.h. */
#include "parser.h"

#include "built_ins.h"

#include <string.h>

bool parser_is(const struct parser *p, const char *operator)
{
    return p->at->type == LEXEME_OPERATOR &&
           text_is(p->at->value.as.text, operator);
}

bool parser_is_name(const struct parser *p, const char *name)
{
    return p->at->type == LEXEME_NAME && text_is(p->at->value.as.text, name);
}

bool parser_skip(struct parser *p, const char *operator)
{
    bool is = parser_is(p, operator);
    p->at += is;
    return is;
}

bool parser_skip_name(struct parser *p, const char *name)
{
    bool is = parser_is_name(p, name);
    p->at += is;
    return is;
}

int parser_unexpected(struct parser *p, const char *expected)
{
    static const char *const names[] = {
        [LEXEME_DATA] = "text",           [LEXEME_VARIABLE_BEGIN] = "'{{'",
        [LEXEME_VARIABLE_END] = "'}}'",   [LEXEME_BLOCK_BEGIN] = "'{%'",
        [LEXEME_BLOCK_END] = "'%}'",      [LEXEME_CONSTANT] = "a constant",
        [LEXEME_END] = "the template's end"};
    const struct text *word = p->at->value.as.text;
    if (names[p->at->type])
        return sandbox_fail(p->sandbox, "expected %s, found %s", expected,
                            names[p->at->type]);
    return sandbox_fail(p->sandbox, "expected %s, found '%.*s'", expected,
                        (int)word->size, word->data);
}

int parser_expect(struct parser *p, const char *operator)
{
    char expected[8] = "' '";
    if (parser_skip(p, operator))
        return 0;
    expected[1] = *operator;
    return parser_unexpected(p, expected);
}

int parser_word(struct parser *p, const struct text *word)
{
    return dict_set(p->sandbox, p->words, value_of_text(word), value_none());
}

int parser_name(struct parser *p, const struct text **name)
{
    if (p->at->type != LEXEME_NAME)
        return parser_unexpected(p, "a name");
    *name = p->at++->value.as.text;
    return parser_word(p, *name);
}

struct expression *parser_expression(struct parser *p,
                                     enum expression_kind kind)
{
    struct expression *x = sandbox_alloc(p->sandbox, 1, sizeof *x);
    if (x)
        *x = (struct expression){.kind = kind, .line = p->at->line};
    return x;
}

int parser_add_part(struct parser *p, struct expression *x,
                    struct expression *part)
{
    struct expression **parts = sandbox_grow(
        p->sandbox, x->parts, &x->capacity, x->n + 1, sizeof *parts);
    if (!parts)
        return -1;
    x->parts = parts;
    x->parts[x->n++] = part;
    return 0;
}

static bool at_tuple_end(const struct parser *p)
{
    return p->at->type == LEXEME_VARIABLE_END ||
           p->at->type == LEXEME_BLOCK_END || parser_is(p, ")");
}

struct expression *parse_tuple(struct parser *p, bool conditional)
{
    struct expression *first = parse_expression(p, conditional);
    if (!first || !parser_is(p, ","))
        return first;
    struct expression *x = parser_expression(p, EXPRESSION_TUPLE);
    while (x && first) {
        if (parser_add_part(p, x, first))
            return NULL;
        if (!parser_skip(p, ",") || at_tuple_end(p))
            return x;
        first = parse_expression(p, conditional);
    }
    return NULL;
}

/* Items up to the closing bracket; a dictionary's come in pairs. */
static struct expression *parse_held(struct parser *p,
                                     enum expression_kind kind,
                                     const char *close)
{
    struct expression *x = parser_expression(p, kind);
    p->at++;
    while (x && !parser_is(p, close)) {
        if ((x->n && parser_expect(p, ",")))
            return NULL;
        if (parser_is(p, close))
            break;
        struct expression *item = parse_expression(p, true);
        if (!item || parser_add_part(p, x, item))
            return NULL;
        if (kind != EXPRESSION_DICT)
            continue;
        struct expression *value =
            parser_expect(p, ":") ? NULL : parse_expression(p, true);
        if (!value || parser_add_part(p, x, value))
            return NULL;
    }
    p->at++;
    return x;
}

static struct expression *parse_constant(struct parser *p)
{
    struct expression *x = parser_expression(p, EXPRESSION_CONSTANT);
    struct value v = p->at++->value;
    bool string = v.type == VALUE_STRING;
    while (x && string && p->at->type == LEXEME_CONSTANT &&
           p->at->value.type == VALUE_STRING) {
        struct bytes joined = {0};
        const struct text *more = p->at++->value.as.text;
        bytes_add(&joined, v.as.text->data, v.as.text->size);
        bytes_add(&joined, more->data, more->size);
        if (value_take_bytes(p->sandbox, &joined, &v))
            return NULL;
    }
    if (!x || (string && parser_word(p, v.as.text)))
        return NULL;
    x->constant = v;
    return x;
}

/* The words of a macro's body that stand for what it was called with. */
static void note_special(struct parser *p, const struct text *name)
{
    for (struct macro_syntax *m = p->macro; m; m = m->outer) {
        m->caller = m->caller || text_is(name, "caller");
        m->varargs = m->varargs || text_is(name, "varargs");
        m->kwargs = m->kwargs || text_is(name, "kwargs");
    }
}

static struct expression *parse_name(struct parser *p)
{
    static const char *const words[] = {"true", "True", "false",
                                        "False", "none", "None"};
    struct expression *x = parser_expression(p, EXPRESSION_NAME);
    if (!x || parser_name(p, &x->name))
        return NULL;
    for (int i = 0; i < 6; i++)
        if (text_is(x->name, words[i])) {
            x->kind = EXPRESSION_CONSTANT;
            x->constant = i < 4 ? value_bool(i < 2) : value_none();
        }
    note_special(p, x->name);
    return x;
}

static struct expression *parse_parentheses(struct parser *p)
{
    struct expression *x;
    p->at++;
    if (parser_is(p, ")"))
        x = parser_expression(p, EXPRESSION_TUPLE);
    else
        x = parse_tuple(p, true);
    return x && !parser_expect(p, ")") ? x : NULL;
}

struct expression *parse_primary(struct parser *p)
{
    if (p->at->type == LEXEME_NAME)
        return parse_name(p);
    if (p->at->type == LEXEME_CONSTANT)
        return parse_constant(p);
    if (parser_is(p, "("))
        return parse_parentheses(p);
    if (parser_is(p, "["))
        return parse_held(p, EXPRESSION_LIST, "]");
    if (parser_is(p, "{"))
        return parse_held(p, EXPRESSION_DICT, "}");
    parser_unexpected(p, "an expression");
    return NULL;
}

/* key, or start:stop:step */
static struct expression *parse_key(struct parser *p)
{
    struct expression *parts[3] = {NULL}, *x;
    size_t n = 0;
    for (; n < 3; n++) {
        bool absent = parser_is(p, ":") || parser_is(p, "]") ||
                      parser_is(p, ",");
        if (!absent && !(parts[n] = parse_expression(p, true)))
            return NULL;
        if (n == 2 || !parser_skip(p, ":"))
            break;
    }
    if (n == 0) {
        if (!parts[0])
            parser_unexpected(p, "an expression");
        return parts[0];
    }
    x = parser_expression(p, EXPRESSION_SLICE);
    for (int i = 0; i < 3; i++)
        if (!x || parser_add_part(p, x, parts[i]))
            return NULL;
    return x;
}

static struct expression *parse_brackets(struct parser *p,
                                         struct expression *of)
{
    struct expression *x = parser_expression(p, EXPRESSION_ITEM);
    p->at++;
    struct expression *key = x ? parse_key(p) : NULL;
    if (key && parser_is(p, ",")) {
        struct expression *tuple = parser_expression(p, EXPRESSION_TUPLE);
        if (!tuple || parser_add_part(p, tuple, key))
            return NULL;
        while (parser_skip(p, ","))
            if (!(key = parse_key(p)) || parser_add_part(p, tuple, key))
                return NULL;
        key = tuple;
    }
    if (!key || parser_expect(p, "]") || parser_add_part(p, x, of) ||
        parser_add_part(p, x, key))
        return NULL;
    return x;
}

/* .name or .0 */
static struct expression *parse_dot(struct parser *p, struct expression *of)
{
    struct expression *x = parser_expression(p, EXPRESSION_ATTRIBUTE);
    p->at++;
    if (!x || parser_add_part(p, x, of))
        return NULL;
    if (p->at->type == LEXEME_CONSTANT && p->at->value.type == VALUE_INT) {
        struct expression *key = parse_constant(p);
        x->kind = EXPRESSION_ITEM;
        return key && !parser_add_part(p, x, key) ? x : NULL;
    }
    return parser_name(p, &x->name) ? NULL : x;
}

static struct expression *parse_call(struct parser *p, struct expression *of)
{
    struct expression *x = parser_expression(p, EXPRESSION_CALL);
    if (!x || parser_add_part(p, x, of) || !(x->call = parse_arguments(p)))
        return NULL;
    return x;
}

struct expression *parse_postfix(struct parser *p, struct expression *x)
{
    for (;;) {
        if (!x)
            return NULL;
        if (parser_is(p, "."))
            x = parse_dot(p, x);
        else if (parser_is(p, "["))
            x = parse_brackets(p, x);
        else if (parser_is(p, "("))
            x = parse_call(p, x);
        else
            return x;
    }
}
