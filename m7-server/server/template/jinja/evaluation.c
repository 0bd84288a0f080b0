/* Expressions become values: see rendering.h. */
#include "rendering.h"

#include "arithmetic.h"
#include "compare.h"
#include "format.h"
#include "methods.h"
#include "written.h"

#include <stdio.h>
#include <string.h>

typedef int evaluate_function(struct rendering *r, const struct expression *x,
                              struct value *out);

static int evaluate_constant(struct rendering *r, const struct expression *x,
                             struct value *out)
{
    (void)r;
    *out = x->constant;
    return 0;
}

static int evaluate_name(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    return scope_get(r, x->name, out);
}

static int evaluate_list(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    enum value_type type =
        x->kind == EXPRESSION_LIST ? VALUE_LIST : VALUE_TUPLE;
    if (value_new_list(r->sandbox, type, x->n, out))
        return -1;
    for (size_t i = 0; i < x->n; i++)
        if (evaluate_node(r, x->parts[i], &out->as.list->items[i]))
            return -1;
    out->as.list->size = x->n;
    return 0;
}

static int evaluate_dict(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    if (dict_new(r->sandbox, out))
        return -1;
    for (size_t i = 0; i < x->n; i += 2) {
        struct value key, value;
        if (evaluate_node(r, x->parts[i], &key) ||
            evaluate_node(r, x->parts[i + 1], &value) ||
            dict_set(r->sandbox, out->as.dict, key, value))
            return -1;
    }
    return 0;
}

static int evaluate_attribute(struct rendering *r, const struct expression *x,
                              struct value *out)
{
    struct value of;
    if (evaluate_node(r, x->parts[0], &of))
        return -1;
    return value_get_attribute(r->sandbox, of, x->name, out);
}

static int evaluate_item(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    struct value of, key;
    if (evaluate_node(r, x->parts[0], &of) ||
        evaluate_node(r, x->parts[1], &key))
        return -1;
    return value_get_item(r->sandbox, of, key, out);
}

static int evaluate_slice(struct rendering *r, const struct expression *x,
                          struct value *out)
{
    if (value_new_list(r->sandbox, VALUE_SLICE, 3, out))
        return -1;
    struct value *parts = out->as.list->items;
    out->as.list->size = 3;
    for (int i = 0; i < 3; i++) {
        parts[i] = value_none();
        if (x->parts[i] && evaluate_node(r, x->parts[i], &parts[i]))
            return -1;
    }
    return 0;
}

static int evaluate_not(struct rendering *r, const struct expression *x,
                        struct value *out)
{
    struct value v;
    if (evaluate_node(r, x->parts[0], &v))
        return -1;
    *out = value_bool(!value_truth(v));
    return 0;
}

static int evaluate_sign(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    struct value v;
    if (evaluate_node(r, x->parts[0], &v))
        return -1;
    return x->kind == EXPRESSION_NEGATE ? value_negate(r->sandbox, v, out)
                                        : value_plus(r->sandbox, v, out);
}

/* `and` and `or` give the operand that decided. */
static int evaluate_either(struct rendering *r, const struct expression *x,
                           struct value *out)
{
    if (evaluate_node(r, x->parts[0], out))
        return -1;
    if (value_truth(*out) == (x->kind == EXPRESSION_OR))
        return 0;
    return evaluate_node(r, x->parts[1], out);
}

static int evaluate_condition(struct rendering *r, const struct expression *x,
                              struct value *out)
{
    struct value v;
    if (evaluate_node(r, x->parts[0], &v))
        return -1;
    if (value_truth(v))
        return evaluate_node(r, x->parts[1], out);
    if (x->parts[2])
        return evaluate_node(r, x->parts[2], out);
    return value_undefined_hint(r->sandbox,
                                "the inline if-expression evaluated to false "
                                "and no else section was defined.", out);
}

static int compare(struct rendering *r, int which, struct value a,
                   struct value b, bool *result)
{
    struct sandbox *s = r->sandbox;
    if (which <= COMPARISON_GREATER_EQUAL)
        return value_ordered(s, (enum value_order)which, a, b, result);
    bool in = which == COMPARISON_IN || which == COMPARISON_NOT_IN;
    if (in ? value_contains(s, b, a, result) : value_equal(s, a, b, result))
        return -1;
    if (which == COMPARISON_NOT_IN || which == COMPARISON_UNEQUAL)
        *result = !*result;
    return 0;
}

/* a < b < c: each pair, until one is not so. */
static int evaluate_compare(struct rendering *r, const struct expression *x,
                            struct value *out)
{
    struct value left, right;
    bool result = true;
    if (evaluate_node(r, x->parts[0], &left))
        return -1;
    for (size_t i = 1; i < x->n && result; i++) {
        if (evaluate_node(r, x->parts[i], &right) ||
            compare(r, x->operators[i - 1], left, right, &result))
            return -1;
        left = right;
    }
    *out = value_bool(result);
    return 0;
}

static int evaluate_operate(struct rendering *r, const struct expression *x,
                            struct value *out)
{
    struct value left, right;
    if (evaluate_node(r, x->parts[0], &left) ||
        evaluate_node(r, x->parts[1], &right))
        return -1;
    if (*x->operators == ARITHMETIC_REMAINDER && left.type == VALUE_STRING)
        return format_percent(r->sandbox, left, right, out);
    return value_operate(r->sandbox, (enum value_operation) * x->operators,
                         left, right, out);
}

static int evaluate_concat(struct rendering *r, const struct expression *x,
                           struct value *out)
{
    struct bytes joined = {0};
    for (size_t i = 0; i < x->n; i++) {
        struct value v;
        if (evaluate_node(r, x->parts[i], &v) ||
            value_str(r->sandbox, v, &joined)) {
            bytes_free(&joined);
            return -1;
        }
    }
    return value_take_bytes(r->sandbox, &joined, out);
}

static int evaluate_captured(struct rendering *r, const struct expression *x,
                             struct value *out)
{
    (void)x;
    *out = r->captured;
    return 0;
}

/* The arguments of a call while they are gathered. */
struct gathered {
    struct value items;
    struct keyword *keywords;
    size_t n_keywords, capacity;
};

static int add_keyword(struct rendering *r, struct gathered *g,
                       const struct text *name, struct value value)
{
    for (size_t i = 0; i < g->n_keywords; i++)
        if (text_equals(g->keywords[i].name, name))
            return sandbox_fail(
                r->sandbox, "got multiple values for keyword argument '%.*s'",
                (int)name->size, name->data);
    struct keyword *keywords =
        sandbox_grow(r->sandbox, g->keywords, &g->capacity, g->n_keywords + 1,
                     sizeof *keywords);
    if (!keywords)
        return -1;
    g->keywords = keywords;
    g->keywords[g->n_keywords++] = (struct keyword){name, value};
    return 0;
}

/* *x and **x. */
static int gather_more(struct rendering *r, const struct call_syntax *c,
                       struct gathered *g)
{
    struct value more;
    if (c->more_items) {
        struct value list;
        if (evaluate_node(r, c->more_items, &more) ||
            value_collect(r->sandbox, more, VALUE_LIST, &list) ||
            value_operate(r->sandbox, ARITHMETIC_ADD, g->items, list,
                          &g->items))
            return -1;
    }
    if (!c->more_keywords)
        return 0;
    if (evaluate_node(r, c->more_keywords, &more))
        return -1;
    if (more.type != VALUE_DICT)
        return sandbox_fail(r->sandbox,
                            "argument after ** must be a mapping, not %s",
                            value_type_name(more));
    for (size_t i = 0; i < more.as.dict->size; i++) {
        const struct value_entry *entry = &more.as.dict->entries[i];
        if (entry->key.type != VALUE_STRING)
            return sandbox_fail(r->sandbox, "keywords must be strings");
        if (add_keyword(r, g, entry->key.as.text, entry->value))
            return -1;
    }
    return 0;
}

static int gather_arguments(struct rendering *r, const struct call_syntax *c,
                            struct arguments *out)
{
    struct gathered g = {0};
    if (!c)
        return 0;
    if (value_new_list(r->sandbox, VALUE_LIST, c->n, &g.items))
        return -1;
    for (size_t i = 0; i < c->n; i++)
        if (evaluate_node(r, c->items[i], &g.items.as.list->items[i]))
            return -1;
    g.items.as.list->size = c->n;
    for (size_t i = 0; i < c->n_keywords; i++) {
        struct value v;
        if (evaluate_node(r, c->keywords[i].value, &v) ||
            add_keyword(r, &g, c->keywords[i].name, v))
            return -1;
    }
    if (gather_more(r, c, &g))
        return -1;
    *out = (struct arguments){g.items.as.list->items, g.items.as.list->size,
                              g.keywords, g.n_keywords};
    return 0;
}

/* A filter's or a test's value is its first argument. */
static int evaluate_built_in(struct rendering *r, const struct expression *x,
                             struct value *out)
{
    struct arguments a = {0};
    struct value v;
    if (evaluate_node(r, x->parts[0], &v) || gather_arguments(r, x->call, &a))
        return -1;
    if (!x->built_in)
        return sandbox_fail(
            r->sandbox, "No %s named '%.*s' found.",
            x->kind == EXPRESSION_FILTER ? "filter" : "test",
            (int)x->name->size, x->name->data);
    return built_in_call(r->sandbox, x->built_in, v, &a, out);
}

static int evaluate_call(struct rendering *r, const struct expression *x,
                         struct value *out)
{
    struct arguments a = {0};
    struct value callee;
    if (evaluate_node(r, x->parts[0], &callee) ||
        gather_arguments(r, x->call, &a))
        return -1;
    return call_value(r, callee, &a, out);
}

int evaluate_call_with(struct rendering *r, const struct expression *x,
                       const struct keyword *extra, struct value *out)
{
    static const struct call_syntax none = {0};
    struct arguments a = {0};
    struct value callee;
    if (evaluate_node(r, x->parts[0], &callee) ||
        gather_arguments(r, x->call ? x->call : &none, &a))
        return -1;
    struct keyword *keywords =
        sandbox_alloc(r->sandbox, a.n_keywords + 1, sizeof *keywords);
    if (!keywords)
        return -1;
    for (size_t i = 0; i < a.n_keywords; i++)
        keywords[i] = a.keywords[i];
    keywords[a.n_keywords++] = *extra;
    a.keywords = keywords;
    return call_value(r, callee, &a, out);
}

int evaluate_node(struct rendering *r, const struct expression *x,
                  struct value *out)
{
    static evaluate_function *const functions[N_EXPRESSION_KINDS] = {
        [EXPRESSION_CONSTANT] = evaluate_constant,
        [EXPRESSION_NAME] = evaluate_name,
        [EXPRESSION_LIST] = evaluate_list,
        [EXPRESSION_TUPLE] = evaluate_list,
        [EXPRESSION_DICT] = evaluate_dict,
        [EXPRESSION_ATTRIBUTE] = evaluate_attribute,
        [EXPRESSION_ITEM] = evaluate_item,
        [EXPRESSION_SLICE] = evaluate_slice,
        [EXPRESSION_CALL] = evaluate_call,
        [EXPRESSION_FILTER] = evaluate_built_in,
        [EXPRESSION_TEST] = evaluate_built_in,
        [EXPRESSION_NOT] = evaluate_not,
        [EXPRESSION_NEGATE] = evaluate_sign,
        [EXPRESSION_PLUS] = evaluate_sign,
        [EXPRESSION_AND] = evaluate_either,
        [EXPRESSION_OR] = evaluate_either,
        [EXPRESSION_CONDITION] = evaluate_condition,
        [EXPRESSION_COMPARE] = evaluate_compare,
        [EXPRESSION_OPERATE] = evaluate_operate,
        [EXPRESSION_CONCAT] = evaluate_concat,
        [EXPRESSION_CAPTURED] = evaluate_captured,
    };
    if (sandbox_work(r->sandbox, 0) || sandbox_enter(r->sandbox) ||
        functions[x->kind](r, x, out)) {
        if (!r->line)
            r->line = x->line;
        return -1;
    }
    sandbox_leave(r->sandbox);
    return 0;
}
