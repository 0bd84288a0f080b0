/* Arguments and parameters, filters, tests, and what values go to: see
 * parser.h. */
#include "parser.h"

#include "built_ins.h"

#include <string.h>

static int parse_keyword(struct parser *p, struct call_syntax *c)
{
    struct keyword_syntax *keywords =
        sandbox_grow(p->sandbox, c->keywords, &c->keywords_capacity,
                     c->n_keywords + 1, sizeof *keywords);
    struct keyword_syntax k;
    if (!keywords || parser_name(p, &k.name))
        return -1;
    p->at++;
    if (!(k.value = parse_expression(p, true)))
        return -1;
    c->keywords = keywords;
    c->keywords[c->n_keywords++] = k;
    return 0;
}

static int add_item(struct parser *p, struct call_syntax *c)
{
    struct expression **items = sandbox_grow(
        p->sandbox, c->items, &c->capacity, c->n + 1, sizeof *items);
    struct expression *x = items ? parse_expression(p, true) : NULL;
    if (!x)
        return -1;
    c->items = items;
    c->items[c->n++] = x;
    return 0;
}

static int parse_argument(struct parser *p, struct call_syntax *c)
{
    bool named = p->at->type == LEXEME_NAME &&
                 p->at[1].type == LEXEME_OPERATOR &&
                 text_is(p->at[1].value.as.text, "=");
    bool more = parser_is(p, "*"), more_named = parser_is(p, "**");
    if (c->more_keywords || (more && c->more_items) ||
        (!named && !more && !more_named && (c->n_keywords || c->more_items)))
        return sandbox_fail(p->sandbox,
                            "invalid syntax for function call expression");
    if (named)
        return parse_keyword(p, c);
    if (!more && !more_named)
        return add_item(p, c);
    p->at++;
    struct expression *x = parse_expression(p, true);
    *(more ? &c->more_items : &c->more_keywords) = x;
    return x ? 0 : -1;
}

struct call_syntax *parse_arguments(struct parser *p)
{
    struct call_syntax *c = sandbox_alloc(p->sandbox, 1, sizeof *c);
    if (!c || parser_expect(p, "("))
        return NULL;
    *c = (struct call_syntax){0};
    while (!parser_is(p, ")")) {
        if (parse_argument(p, c))
            return NULL;
        if (!parser_is(p, ")") && parser_expect(p, ","))
            return NULL;
    }
    p->at++;
    return c;
}

/* A name that may have dots in it. */
static int dotted_name(struct parser *p, const struct text **name)
{
    if (parser_name(p, name))
        return -1;
    if (!parser_is(p, "."))
        return 0;
    return sandbox_fail(p->sandbox, "there is no filter or test named "
                                    "'%.*s.'", (int)(*name)->size,
                        (*name)->data);
}

/* Refuse an unknown filter or test, unless it may never be reached. */
static int check_known_name(struct parser *p, const struct expression *x)
{
    const char *what = x->kind == EXPRESSION_FILTER ? "filter" : "test";
    if (x->built_in || p->soft)
        return 0;
    return sandbox_fail(p->sandbox, "No %s named '%.*s'.", what,
                        (int)x->name->size, x->name->data);
}

static struct expression *parse_filter(struct parser *p,
                                       struct expression *of)
{
    struct expression *x = parser_expression(p, EXPRESSION_FILTER);
    if (!x || parser_add_part(p, x, of) || dotted_name(p, &x->name))
        return NULL;
    x->built_in = find_filter(x->name);
    if (check_known_name(p, x) ||
        (parser_is(p, "(") && !(x->call = parse_arguments(p))))
        return NULL;
    return x;
}

struct expression *parse_filter_chain(struct parser *p, struct expression *x)
{
    do
        x = parse_filter(p, x);
    while (x && parser_skip(p, "|"));
    return x;
}

/* One argument of a test may stand without parentheses. */
static bool bare_argument(const struct parser *p)
{
    if (p->at->type == LEXEME_NAME)
        return !parser_is_name(p, "else") && !parser_is_name(p, "or") &&
               !parser_is_name(p, "and");
    return p->at->type == LEXEME_CONSTANT || parser_is(p, "[") ||
           parser_is(p, "{");
}

static int test_arguments(struct parser *p, struct expression *x)
{
    if (parser_is(p, "("))
        return (x->call = parse_arguments(p)) ? 0 : -1;
    if (!bare_argument(p))
        return 0;
    if (parser_is_name(p, "is"))
        return sandbox_fail(p->sandbox,
                            "You cannot chain multiple tests with is");
    struct call_syntax *c = sandbox_alloc(p->sandbox, 1, sizeof *c);
    struct expression **items =
        c ? sandbox_alloc(p->sandbox, 1, sizeof *items) : NULL;
    struct expression *argument = items ? parse_primary(p) : NULL;
    if (!argument || !(argument = parse_postfix(p, argument)))
        return -1;
    *items = argument;
    *c = (struct call_syntax){.items = items, .n = 1};
    x->call = c;
    return 0;
}

static struct expression *parse_test(struct parser *p, struct expression *of)
{
    struct expression *negated = NULL;
    p->at++;
    if (parser_is_name(p, "not")) {
        negated = parser_expression(p, EXPRESSION_NOT);
        p->at++;
        if (!negated)
            return NULL;
    }
    struct expression *x = parser_expression(p, EXPRESSION_TEST);
    if (!x || parser_add_part(p, x, of) || dotted_name(p, &x->name))
        return NULL;
    x->built_in = find_test(x->name);
    if (check_known_name(p, x) || test_arguments(p, x))
        return NULL;
    if (negated && parser_add_part(p, negated, x))
        return NULL;
    return negated ? negated : x;
}

struct expression *parse_filters(struct parser *p, struct expression *x)
{
    for (;;) {
        if (!x)
            return NULL;
        if (parser_skip(p, "|"))
            x = parse_filter(p, x);
        else if (parser_is_name(p, "is"))
            x = parse_test(p, x);
        else if (parser_is(p, "(")) {
            struct expression *call = parser_expression(p, EXPRESSION_CALL);
            if (!call || parser_add_part(p, call, x) ||
                !(call->call = parse_arguments(p)))
                return NULL;
            x = call;
        } else
            return x;
    }
}

/* One of the targets. */
static struct expression *parse_one_target(struct parser *p, bool attributes)
{
    if (p->at->type != LEXEME_NAME && !parser_is(p, "(") &&
        !parser_is(p, "[")) {
        parser_unexpected(p, "a name to assign to");
        return NULL;
    }
    if (parser_is(p, "(") || parser_is(p, "[")) {
        bool round = parser_is(p, "(");
        p->at++;
        if (sandbox_enter(p->sandbox))
            return NULL;
        struct expression *x = parse_target(p, false);
        sandbox_leave(p->sandbox);
        return x && !parser_expect(p, round ? ")" : "]") ? x : NULL;
    }
    struct expression *x = parse_primary(p);
    if (!x)
        return NULL;
    if (x->kind != EXPRESSION_NAME) {
        sandbox_fail(p->sandbox, "can't assign to a constant");
        return NULL;
    }
    bool part_of_it = attributes && parser_skip(p, ".");
    if (!part_of_it && p->fors > 0 && text_is(x->name, "loop")) {
        sandbox_fail(p->sandbox, "can't assign to loop within a loop");
        return NULL;
    }
    if (!part_of_it)
        return x;
    struct expression *part = parser_expression(p, EXPRESSION_ATTRIBUTE);
    if (!part || parser_add_part(p, part, x) || parser_name(p, &part->name))
        return NULL;
    return part;
}

struct expression *parse_target(struct parser *p, bool attributes)
{
    struct expression *x = parse_one_target(p, attributes);
    if (!x || !parser_is(p, ","))
        return x;
    struct expression *tuple = parser_expression(p, EXPRESSION_TUPLE);
    if (!tuple || parser_add_part(p, tuple, x))
        return NULL;
    while (parser_skip(p, ",")) {
        if (parser_is(p, ")") || p->at->type == LEXEME_BLOCK_END)
            break;
        x = parse_one_target(p, attributes);
        if (!x || parser_add_part(p, tuple, x))
            return NULL;
    }
    return tuple;
}

static int add_parameter(struct parser *p, struct macro_syntax *m)
{
    const struct text **names =
        sandbox_grow(p->sandbox, m->names, &m->names_capacity, m->n + 1,
                     sizeof *names);
    struct expression **defaults =
        sandbox_grow(p->sandbox, m->defaults, &m->defaults_capacity, m->n + 1,
                     sizeof *defaults);
    if (!names || !defaults)
        return -1;
    m->names = names;
    m->defaults = defaults;
    if (m->n == CALL_PARAMETERS * 8)
        return sandbox_fail(p->sandbox, "a macro has too many parameters");
    if (parser_name(p, &names[m->n]))
        return -1;
    defaults[m->n] = NULL;
    if (parser_skip(p, "=")) {
        if (!(defaults[m->n] = parse_expression(p, true)))
            return -1;
    } else if (m->n && defaults[m->n - 1])
        return sandbox_fail(
            p->sandbox, "non-default argument follows default argument");
    m->n++;
    return 0;
}

int parse_parameters(struct parser *p, struct macro_syntax *m)
{
    if (parser_expect(p, "("))
        return -1;
    while (!parser_is(p, ")"))
        if ((m->n && parser_expect(p, ",")) || add_parameter(p, m))
            return -1;
    p->at++;
    return 0;
}

int parse_caller(struct parser *p, const struct macro_syntax *m)
{
    for (size_t i = 0; m->caller && i < m->n; i++)
        if (text_is(m->names[i], "caller") && !m->defaults[i])
            return sandbox_fail(p->sandbox, "the special \"caller\" argument "
                                            "must be omitted or be given a "
                                            "default");
    return 0;
}
