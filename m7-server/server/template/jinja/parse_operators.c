/* Expressions made with operators, each level of which binds more tightly than
 * the one before: see parser.h. */
#include "parser.h"

#include "arithmetic.h"

#include <string.h>

typedef struct expression *parse_function(struct parser *p);

/* An operator, and which it is to whoever evaluates it. */
struct operator_row {
    const char *sign;
    int which;
};

static const struct operator_row *
find_operator(const struct parser *p, const struct operator_row *rows)
{
    for (; rows->sign; rows++)
        if (parser_is(p, rows->sign))
            return rows;
    return NULL;
}

static const int *keep_operator(struct parser *p, int which)
{
    int *kept = sandbox_alloc(p->sandbox, 1, sizeof *kept);
    if (kept)
        *kept = which;
    return kept;
}

static struct expression *pair_of(struct parser *p, enum expression_kind kind,
                                  struct expression *left,
                                  struct expression *right)
{
    struct expression *x = right ? parser_expression(p, kind) : NULL;
    if (!x || parser_add_part(p, x, left) || parser_add_part(p, x, right))
        return NULL;
    x->line = left->line;
    return x;
}

/* next (sign next)*, from the left. */
static struct expression *parse_left(struct parser *p, parse_function *next,
                                     const struct operator_row *rows)
{
    struct expression *x = next(p);
    const struct operator_row *row;
    while (x && (row = find_operator(p, rows))) {
        p->at++;
        x = pair_of(p, EXPRESSION_OPERATE, x, next(p));
        if (x && !(x->operators = keep_operator(p, row->which)))
            return NULL;
    }
    return x;
}

static struct expression *parse_unary(struct parser *p, bool filters)
{
    struct expression *x;
    bool minus = parser_is(p, "-");
    if (minus || parser_is(p, "+")) {
        x = parser_expression(p, minus ? EXPRESSION_NEGATE : EXPRESSION_PLUS);
        p->at++;
        if (!x || sandbox_enter(p->sandbox))
            return NULL;
        struct expression *of = parse_unary(p, false);
        if (!of || parser_add_part(p, x, of))
            return NULL;
        sandbox_leave(p->sandbox);
    } else
        x = parse_primary(p);
    x = x ? parse_postfix(p, x) : NULL;
    return x && filters ? parse_filters(p, x) : x;
}

static struct expression *parse_signed(struct parser *p)
{
    return parse_unary(p, true);
}

static struct expression *parse_power(struct parser *p)
{
    static const struct operator_row rows[] = {{"**", ARITHMETIC_POWER},
                                               {NULL, 0}};
    return parse_left(p, parse_signed, rows);
}

static struct expression *parse_product(struct parser *p)
{
    static const struct operator_row rows[] = {{"*", ARITHMETIC_MULTIPLY},
                                               {"//", ARITHMETIC_FLOOR},
                                               {"/", ARITHMETIC_DIVIDE},
                                               {"%", ARITHMETIC_REMAINDER},
                                               {NULL, 0}};
    return parse_left(p, parse_power, rows);
}

static struct expression *parse_concat(struct parser *p)
{
    struct expression *first = parse_product(p), *x = first;
    while (first && parser_is(p, "~")) {
        if (x == first) {
            x = parser_expression(p, EXPRESSION_CONCAT);
            if (!x || parser_add_part(p, x, first))
                return NULL;
        }
        p->at++;
        struct expression *more = parse_product(p);
        if (!more || parser_add_part(p, x, more))
            return NULL;
    }
    return x;
}

static struct expression *parse_sum(struct parser *p)
{
    static const struct operator_row rows[] = {
        {"+", ARITHMETIC_ADD}, {"-", ARITHMETIC_SUBTRACT}, {NULL, 0}};
    return parse_left(p, parse_concat, rows);
}

/* The next comparison: its number, or -1. */
static int take_comparison(struct parser *p)
{
    static const struct operator_row rows[] = {
        {"==", COMPARISON_EQUAL},      {"!=", COMPARISON_UNEQUAL},
        {"<=", COMPARISON_LESS_EQUAL}, {">=", COMPARISON_GREATER_EQUAL},
        {"<", COMPARISON_LESS},        {">", COMPARISON_GREATER},
        {NULL, 0}};
    const struct operator_row *row = find_operator(p, rows);
    if (row)
        p->at++;
    if (row)
        return row->which;
    if (parser_skip_name(p, "in"))
        return COMPARISON_IN;
    if (!parser_is_name(p, "not") || p->at[1].type != LEXEME_NAME ||
        !text_is(p->at[1].value.as.text, "in"))
        return -1;
    p->at += 2;
    return COMPARISON_NOT_IN;
}

static struct expression *parse_compare(struct parser *p)
{
    struct expression *first = parse_sum(p), *x = NULL;
    int *operators = NULL, which;
    size_t n = 0, capacity = 0;
    while (first && (which = take_comparison(p)) >= 0) {
        operators = sandbox_grow(p->sandbox, operators, &capacity, n + 1,
                                 sizeof *operators);
        struct expression *more = parse_sum(p);
        if (!operators || !more)
            return NULL;
        operators[n++] = which;
        if (!x) {
            x = parser_expression(p, EXPRESSION_COMPARE);
            if (!x || parser_add_part(p, x, first))
                return NULL;
        }
        if (parser_add_part(p, x, more))
            return NULL;
        x->operators = operators;
    }
    return x ? x : first;
}

static struct expression *parse_not(struct parser *p)
{
    if (!parser_is_name(p, "not"))
        return parse_compare(p);
    struct expression *x = parser_expression(p, EXPRESSION_NOT);
    p->at++;
    if (!x || sandbox_enter(p->sandbox))
        return NULL;
    struct expression *of = parse_not(p);
    if (!of || parser_add_part(p, x, of))
        return NULL;
    sandbox_leave(p->sandbox);
    return x;
}

static struct expression *parse_and(struct parser *p)
{
    struct expression *x = parse_not(p);
    while (x && parser_skip_name(p, "and"))
        x = pair_of(p, EXPRESSION_AND, x, parse_not(p));
    return x;
}

static struct expression *parse_or(struct parser *p)
{
    struct expression *x = parse_and(p);
    while (x && parser_skip_name(p, "or"))
        x = pair_of(p, EXPRESSION_OR, x, parse_and(p));
    return x;
}

/* then if condition [else otherwise] */
static struct expression *parse_condition(struct parser *p)
{
    struct expression *then = parse_or(p);
    while (then && parser_skip_name(p, "if")) {
        bool soft = p->soft;
        p->soft = true;
        struct expression *x =
            pair_of(p, EXPRESSION_CONDITION, then, parse_or(p));
        if (!x)
            return NULL;
        struct expression *condition = x->parts[1], *otherwise = NULL;
        x->parts[1] = then;
        x->parts[0] = condition;
        if (parser_skip_name(p, "else") &&
            !(otherwise = parse_expression(p, true)))
            return NULL;
        if (parser_add_part(p, x, otherwise))
            return NULL;
        p->soft = soft;
        then = x;
    }
    return then;
}

struct expression *parse_expression(struct parser *p, bool conditional)
{
    if (sandbox_enter(p->sandbox))
        return NULL;
    struct expression *x = conditional ? parse_condition(p) : parse_or(p);
    sandbox_leave(p->sandbox);
    return x;
}
