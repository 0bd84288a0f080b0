/* Statements are carried out: see rendering.h. */
#include "rendering.h"

#include "written.h"

#include <string.h>

typedef int execute_function(struct rendering *r, const struct statement *x);

static int execute_text(struct rendering *r, const struct statement *x)
{
    return emit_text(r, x->text.as.text->data, x->text.as.text->size);
}

static int execute_print(struct rendering *r, const struct statement *x)
{
    struct value v;
    if (evaluate_node(r, x->value, &v))
        return -1;
    return emit_value(r, v);
}

static int execute_if(struct rendering *r, const struct statement *x)
{
    struct value v;
    if (evaluate_node(r, x->value, &v))
        return -1;
    return execute(r, value_truth(v) ? x->body : x->otherwise);
}

static int execute_set(struct rendering *r, const struct statement *x)
{
    struct value v;
    if (evaluate_node(r, x->value, &v))
        return -1;
    return assign(r, x->target, v);
}

/* A body in a scope of its own, inside `outer`. */
static int execute_inside(struct rendering *r, struct scope *outer,
                          const struct statement *x, struct value *captured)
{
    struct scope *before = r->scope;
    if (scope_begin(r, outer))
        return -1;
    int result = captured ? execute_captured(r, x, captured) : execute(r, x);
    scope_end(r, before);
    return result;
}

/* A body's text, through the filters, unless it was left by a jump. */
static int filtered(struct rendering *r, const struct statement *x,
                    struct value *out)
{
    struct value before = r->captured, text;
    *out = value_none();
    if (execute_inside(r, r->scope, x->body, &text))
        return -1;
    r->captured = text;
    if (r->jump == JUMP_NONE && evaluate_node(r, x->value, out))
        return -1;
    r->captured = before;
    return 0;
}

static int execute_set_block(struct rendering *r, const struct statement *x)
{
    struct value v;
    if (filtered(r, x, &v))
        return -1;
    return r->jump == JUMP_NONE ? assign(r, x->target, v) : 0;
}

/* What a tag gives becomes part of the text as it is: so it must be text. */
static int emit_joined(struct rendering *r, struct value v)
{
    if (v.type == VALUE_STRING)
        return emit_value(r, v);
    return sandbox_fail(r->sandbox, "expected str instance, %s found",
                        value_type_name(v));
}

static int execute_filter(struct rendering *r, const struct statement *x)
{
    struct value v;
    if (filtered(r, x, &v))
        return -1;
    return r->jump == JUMP_NONE ? emit_joined(r, v) : 0;
}

static int execute_macro(struct rendering *r, const struct statement *x)
{
    struct value macro;
    if (new_macro(r, x, &macro))
        return -1;
    return scope_set(r, x->macro->name, macro);
}

static int execute_call(struct rendering *r, const struct statement *x)
{
    static const struct text caller = {"caller", 6, 6};
    struct keyword extra = {.name = &caller};
    struct value v;
    if (new_macro(r, x, &extra.value) ||
        evaluate_call_with(r, x->value, &extra, &v))
        return -1;
    return emit_joined(r, v);
}

/* The values are those of the names around. */
static int execute_with(struct rendering *r, const struct statement *x)
{
    struct scope *before = r->scope;
    struct value values;
    if (evaluate_node(r, x->value, &values) || scope_begin(r, before))
        return -1;
    for (size_t i = 0; i < x->target->n; i++)
        if (assign(r, x->target->parts[i], values.as.list->items[i]))
            return -1;
    int result = execute(r, x->body);
    scope_end(r, before);
    return result;
}

/* A block sees the names of the template's top, not those around it; if it is
 * scoped, it sees these, and so do the blocks in it. */
static int execute_block(struct rendering *r, const struct statement *x)
{
    struct scope *top = r->top;
    if (x->scoped)
        r->top = r->scope;
    int result = execute_inside(r, r->top, x->body, NULL);
    r->top = top;
    return result;
}

static int execute_generation(struct rendering *r, const struct statement *x)
{
    return execute_inside(r, r->scope, x->body, NULL);
}

static int execute_jump(struct rendering *r, const struct statement *x)
{
    r->jump = x->kind == STATEMENT_BREAK ? JUMP_BREAK : JUMP_CONTINUE;
    return 0;
}

int execute(struct rendering *r, const struct statement *x)
{
    static execute_function *const functions[N_STATEMENT_KINDS] = {
        [STATEMENT_TEXT] = execute_text,
        [STATEMENT_PRINT] = execute_print,
        [STATEMENT_IF] = execute_if,
        [STATEMENT_FOR] = execute_for,
        [STATEMENT_SET] = execute_set,
        [STATEMENT_SET_BLOCK] = execute_set_block,
        [STATEMENT_MACRO] = execute_macro,
        [STATEMENT_CALL] = execute_call,
        [STATEMENT_FILTER] = execute_filter,
        [STATEMENT_WITH] = execute_with,
        [STATEMENT_BLOCK] = execute_block,
        [STATEMENT_GENERATION] = execute_generation,
        [STATEMENT_BREAK] = execute_jump,
        [STATEMENT_CONTINUE] = execute_jump,
    };
    if (sandbox_enter(r->sandbox))
        return -1;
    for (; x && r->jump == JUMP_NONE; x = x->next)
        if (sandbox_work(r->sandbox, 0) || functions[x->kind](r, x)) {
            if (!r->line)
                r->line = x->line;
            return -1;
        }
    sandbox_leave(r->sandbox);
    return 0;
}

int execute_captured(struct rendering *r, const struct statement *x,
                     struct value *out)
{
    struct bytes written = {0}, *before = r->out;
    r->out = &written;
    int result = execute(r, x);
    r->out = before;
    if (result) {
        bytes_free(&written);
        return -1;
    }
    return value_take_bytes(r->sandbox, &written, out);
}
