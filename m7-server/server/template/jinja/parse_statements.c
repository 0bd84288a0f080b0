/* Statements: see parser.h. */
#include "parser.h"

#include "built_ins.h"

#include <string.h>

/* What a statement's body may end with. */
struct ends {
    const char *names[4]; /* the rest NULL */
};

static int parse_body(struct parser *p, const struct ends *ends,
                      struct statement **out);

static struct statement *new_statement(struct parser *p,
                                       enum statement_kind kind)
{
    struct statement *x = sandbox_alloc(p->sandbox, 1, sizeof *x);
    if (x)
        *x = (struct statement){.kind = kind, .line = p->at->line};
    return x;
}

static int expect_type(struct parser *p, enum lexeme_type type,
                       const char *what)
{
    if (p->at->type != type)
        return parser_unexpected(p, what);
    p->at++;
    return 0;
}

static int expect_block_end(struct parser *p)
{
    return expect_type(p, LEXEME_BLOCK_END, "'%}'");
}

/* "%}" and everything up to "{% end", which stays. */
static int parse_inside(struct parser *p, const struct ends *ends,
                        struct statement **out)
{
    parser_skip(p, ":");
    return expect_block_end(p) || parse_body(p, ends, out) ? -1 : 0;
}

/* The same where there is but one end, which is taken, too. */
static int parse_until(struct parser *p, const char *end,
                       struct statement **out)
{
    const struct ends ends = {{end}};
    if (parse_inside(p, &ends, out))
        return -1;
    p->at++;
    return 0;
}

/* A body with names of its own: an unknown filter in it is refused at once. */
static int parse_inner(struct parser *p, const char *end,
                       struct statement **out)
{
    bool soft = p->soft;
    p->soft = false;
    int result = parse_until(p, end, out);
    p->soft = soft;
    return result;
}

static int parse_if(struct parser *p, struct statement *x)
{
    const struct ends ends = {{"elif", "else", "endif"}};
    bool soft = p->soft;
    if (!(x->value = parse_tuple(p, false)))
        return -1;
    p->soft = true;
    if (parse_inside(p, &ends, &x->body))
        return -1;
    if (parser_is_name(p, "elif")) {
        struct statement *other = new_statement(p, STATEMENT_IF);
        p->at++;
        x->otherwise = other;
        if (!other || sandbox_enter(p->sandbox) || parse_if(p, other))
            return -1;
        sandbox_leave(p->sandbox);
    } else if (parser_skip_name(p, "else")) {
        if (parse_until(p, "endif", &x->otherwise))
            return -1;
    } else
        p->at++;
    p->soft = soft;
    return 0;
}

static int parse_loop_body(struct parser *p, struct statement *x)
{
    const struct ends ends = {{"else", "endfor"}};
    bool soft = p->soft;
    p->soft = false;
    p->loops++;
    if (parse_inside(p, &ends, &x->body))
        return -1;
    p->loops--;
    if (!parser_skip_name(p, "else"))
        p->at++;
    else if (parse_until(p, "endfor", &x->otherwise))
        return -1;
    p->soft = soft;
    p->fors--;
    return 0;
}

static int parse_for(struct parser *p, struct statement *x)
{
    p->fors++;
    if (!(x->target = parse_target(p, false)))
        return -1;
    if (!parser_skip_name(p, "in"))
        return parser_unexpected(p, "'in'");
    if (!(x->value = parse_tuple(p, false)))
        return -1;
    if (parser_skip_name(p, "if") &&
        !(x->condition = parse_expression(p, true)))
        return -1;
    x->recursive = parser_skip_name(p, "recursive");
    return parse_loop_body(p, x);
}

static struct expression *captured(struct parser *p)
{
    return parser_expression(p, EXPRESSION_CAPTURED);
}

static int parse_set(struct parser *p, struct statement *x)
{
    if (!(x->target = parse_target(p, true)))
        return -1;
    if (parser_skip(p, "="))
        return (x->value = parse_tuple(p, true)) ? 0 : -1;
    x->kind = STATEMENT_SET_BLOCK;
    x->value = captured(p);
    if (x->value && parser_skip(p, "|"))
        x->value = parse_filter_chain(p, x->value);
    return x->value ? parse_inner(p, "endset", &x->body) : -1;
}

static struct macro_syntax *new_macro_syntax(struct parser *p)
{
    struct macro_syntax *m = sandbox_alloc(p->sandbox, 1, sizeof *m);
    if (m)
        *m = (struct macro_syntax){.outer = p->macro};
    return m;
}

/* The body of a macro, where loops around it do not count. */
static int parse_macro_body(struct parser *p, struct statement *x,
                            const char *end)
{
    int loops = p->loops;
    p->loops = 0;
    p->macro = x->macro;
    if (parse_inner(p, end, &x->body) || parse_caller(p, x->macro))
        return -1;
    p->macro = x->macro->outer;
    p->loops = loops;
    return 0;
}

static int parse_macro(struct parser *p, struct statement *x)
{
    if (!(x->macro = new_macro_syntax(p)) || parser_name(p, &x->macro->name) ||
        parse_parameters(p, x->macro))
        return -1;
    return parse_macro_body(p, x, "endmacro");
}

static int parse_call_block(struct parser *p, struct statement *x)
{
    if (!(x->macro = new_macro_syntax(p)) ||
        (parser_is(p, "(") && parse_parameters(p, x->macro)) ||
        !(x->value = parse_expression(p, true)))
        return -1;
    if (x->value->kind != EXPRESSION_CALL)
        return sandbox_fail(p->sandbox, "expected call");
    return parse_macro_body(p, x, "endcall");
}

static int parse_generation(struct parser *p, struct statement *x)
{
    if (!(x->macro = new_macro_syntax(p)))
        return -1;
    return parse_macro_body(p, x, "endgeneration");
}

static int parse_filter_block(struct parser *p, struct statement *x)
{
    x->value = captured(p);
    if (!x->value || !(x->value = parse_filter_chain(p, x->value)))
        return -1;
    return parse_inner(p, "endfilter", &x->body);
}

static int parse_with(struct parser *p, struct statement *x)
{
    x->target = parser_expression(p, EXPRESSION_TUPLE);
    x->value = parser_expression(p, EXPRESSION_TUPLE);
    int fors = p->fors;
    if (!x->target || !x->value)
        return -1;
    p->fors = 0;
    while (p->at->type != LEXEME_BLOCK_END) {
        if (x->target->n && parser_expect(p, ","))
            return -1;
        struct expression *target = parse_target(p, false);
        if (!target || parser_add_part(p, x->target, target) ||
            parser_expect(p, "="))
            return -1;
        struct expression *value = parse_expression(p, true);
        if (!value || parser_add_part(p, x->value, value))
            return -1;
    }
    p->fors = fors;
    return parse_inner(p, "endwith", &x->body);
}

static int remember_block(struct parser *p, const struct text *name)
{
    if (dict_find(p->blocks, name->data, name->size))
        return sandbox_fail(p->sandbox, "block '%.*s' defined twice",
                            (int)name->size, name->data);
    return dict_set(p->sandbox, p->blocks, value_of_text(name), value_none());
}

/* A function for jinja2, as a macro is: loops around it do not count. */
static int parse_block(struct parser *p, struct statement *x)
{
    int loops = p->loops;
    if (!(x->macro = new_macro_syntax(p)) || parser_name(p, &x->macro->name) ||
        remember_block(p, x->macro->name))
        return -1;
    x->scoped = parser_skip_name(p, "scoped");
    if (parser_is_name(p, "required"))
        return sandbox_fail(p->sandbox, "a required block needs a template "
                                        "that extends this one");
    p->loops = 0;
    if (parse_inner(p, "endblock", &x->body))
        return -1;
    p->loops = loops;
    if (p->at->type == LEXEME_NAME &&
        text_equals(p->at->value.as.text, x->macro->name))
        p->at++;
    return 0;
}

static int parse_jump(struct parser *p, struct statement *x)
{
    (void)x;
    if (p->loops)
        return 0;
    return sandbox_fail(p->sandbox, "break or continue outside of a loop");
}

static int parse_print(struct parser *p, struct statement *x)
{
    x->value = parser_expression(p, EXPRESSION_CONCAT);
    while (x->value && p->at->type != LEXEME_BLOCK_END) {
        if (x->value->n && parser_expect(p, ","))
            return -1;
        struct expression *one = parse_expression(p, true);
        if (!one || parser_add_part(p, x->value, one))
            return -1;
    }
    return x->value ? 0 : -1;
}

/* What a tag's first word begins. */
struct statement_row {
    const char *name;
    enum statement_kind kind;
    int (*parse)(struct parser *p, struct statement *x);
};

static const struct statement_row rows[] = {
    {"if", STATEMENT_IF, parse_if},
    {"for", STATEMENT_FOR, parse_for},
    {"set", STATEMENT_SET, parse_set},
    {"macro", STATEMENT_MACRO, parse_macro},
    {"call", STATEMENT_CALL, parse_call_block},
    {"filter", STATEMENT_FILTER, parse_filter_block},
    {"with", STATEMENT_WITH, parse_with},
    {"block", STATEMENT_BLOCK, parse_block},
    {"generation", STATEMENT_GENERATION, parse_generation},
    {"break", STATEMENT_BREAK, parse_jump},
    {"continue", STATEMENT_CONTINUE, parse_jump},
    {"print", STATEMENT_PRINT, parse_print},
};

static int unknown_tag(struct parser *p)
{
    static const char *const refused[] = {"import", "from", "include",
                                          "extends"};
    const struct text *name = p->at->value.as.text;
    if (p->at->type != LEXEME_NAME)
        return parser_unexpected(p, "a tag's name");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (text_is(name, refused[i]))
            return sandbox_fail(p->sandbox,
                                "the tag '%s' is not available: a template "
                                "cannot reach others", refused[i]);
    if (text_is(name, "autoescape"))
        return sandbox_fail(p->sandbox, "the tag 'autoescape' is not "
                                        "available: a prompt is no HTML");
    return sandbox_fail(p->sandbox, "Encountered unknown tag '%.*s'",
                        (int)name->size, name->data);
}

static struct statement *parse_tag(struct parser *p)
{
    const struct statement_row *row = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parser_is_name(p, rows[i].name))
            row = &rows[i];
    if (!row) {
        unknown_tag(p);
        return NULL;
    }
    struct statement *x = new_statement(p, row->kind);
    p->at++;
    if (!x || sandbox_enter(p->sandbox) || row->parse(p, x) ||
        expect_block_end(p))
        return NULL;
    sandbox_leave(p->sandbox);
    return x;
}

static struct statement *parse_text(struct parser *p)
{
    struct statement *x = new_statement(p, STATEMENT_TEXT);
    if (x)
        x->text = p->at->value;
    p->at++;
    return x;
}

static struct statement *parse_variable(struct parser *p)
{
    struct statement *x = new_statement(p, STATEMENT_PRINT);
    p->at++;
    if (!x || !(x->value = parse_tuple(p, true)) ||
        expect_type(p, LEXEME_VARIABLE_END, "'}}'"))
        return NULL;
    return x;
}

static bool at_one_of(const struct parser *p, const struct ends *ends)
{
    for (int i = 0; ends && i < 4 && ends->names[i]; i++)
        if (parser_is_name(p, ends->names[i]))
            return true;
    return false;
}

static int no_end(struct parser *p, const struct ends *ends)
{
    int last = 0;
    if (!ends)
        return 0;
    while (last < 3 && ends->names[last + 1])
        last++;
    return sandbox_fail(p->sandbox,
                        "Unexpected end of template: '%s' is missing",
                        ends->names[last]);
}

static int parse_body(struct parser *p, const struct ends *ends,
                      struct statement **out)
{
    struct statement **last = out;
    *out = NULL;
    while (p->at->type != LEXEME_END) {
        struct statement *x;
        bool tag = p->at->type == LEXEME_BLOCK_BEGIN;
        p->at += tag;
        if (tag && at_one_of(p, ends))
            return 0;
        x = tag                              ? parse_tag(p)
            : p->at->type == LEXEME_DATA     ? parse_text(p)
                                             : parse_variable(p);
        if (!x)
            return -1;
        *last = x;
        last = &x->next;
    }
    return no_end(p, ends);
}

int parse_template(struct parser *p, struct statement **out)
{
    return parse_body(p, NULL, out);
}
