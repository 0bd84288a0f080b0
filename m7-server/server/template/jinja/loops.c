/* Loops, and the variable `loop`: see rendering.h. */
#include "rendering.h"

#include "compare.h"
#include "written.h"

#include <string.h>

/* Look at the next value: 1, or 0 at the end. */
static int peek(struct sandbox *s, struct loop *l)
{
    struct value next;
    if (l->ahead.type != VALUE_ABSENT)
        return 1;
    int more = iterator_next(s, l->iterator, &next);
    if (more > 0)
        l->ahead = next;
    return more;
}

/* What is left is gathered, where the length is not known otherwise. */
static int find_length(struct sandbox *s, struct loop *l)
{
    struct value rest;
    if (l->known)
        return 0;
    if (!value_has_length(l->source, &l->length)) {
        struct value left = {.type = VALUE_ITERATOR,
                             .as.iterator = l->iterator};
        if (value_collect(s, left, VALUE_LIST, &rest) ||
            iterate(s, rest, &l->iterator))
            return -1;
        l->length = rest.as.list->size + l->index + 1 +
                    (l->ahead.type != VALUE_ABSENT);
    }
    l->known = true;
    return 0;
}

static int from_length(struct sandbox *s, struct loop *l,
                       const struct text *name, struct value *out)
{
    size_t less = text_is(name, "revindex0")  ? l->index + 1
                  : text_is(name, "revindex") ? l->index
                                              : 0;
    if (find_length(s, l))
        return -1;
    *out = value_int((int64_t)l->length - (int64_t)less);
    return 1;
}

static int neighbour(struct sandbox *s, struct loop *l, bool next,
                     struct value *out)
{
    int there = next ? peek(s, l) : l->index > 0;
    if (there < 0)
        return -1;
    if (there)
        *out = next ? l->ahead : l->before;
    else if (value_undefined_hint(s,
                                  next ? "there is no next item"
                                       : "there is no previous item",
                                  out))
        return -1;
    return 1;
}

static int loop_cycle(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    const struct loop *l = (const struct loop *)c->self.as.object;
    if (c->raw->n == 0)
        return sandbox_fail(s, "no items for cycling given");
    *out = c->raw->items[l->index % c->raw->n];
    return 0;
}

static int loop_changed(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct loop *l = (struct loop *)c->self.as.object;
    struct value values;
    bool same = false;
    if (value_new_list(s, VALUE_TUPLE, c->raw->n, &values))
        return -1;
    for (size_t i = 0; i < c->raw->n; i++)
        values.as.list->items[values.as.list->size++] = c->raw->items[i];
    if (l->changed.type != VALUE_ABSENT &&
        value_equal(s, l->changed, values, &same))
        return -1;
    l->changed = values;
    *out = value_bool(!same);
    return 0;
}

static int loop_method(struct sandbox *s, struct loop *l,
                       const struct text *name, struct value *out)
{
    static const struct built_in methods[] = {{"cycle", "* /", loop_cycle},
                                              {"changed", "* /",
                                               loop_changed}};
    const struct built_in *method =
        built_in_find(methods, 2, name->data, name->size);
    struct value self = {.type = VALUE_OBJECT, .as.object = &l->object};
    if (!method)
        return 0;
    return value_function(s, method, self, out) ? -1 : 1;
}

static int loop_attribute(struct sandbox *s, struct object *o,
                          const struct text *name, struct value *out)
{
    struct loop *l = (struct loop *)o;
    if (text_is(name, "index0") || text_is(name, "index")) {
        *out = value_size(l->index + text_is(name, "index"));
        return 1;
    }
    if (text_is(name, "depth0") || text_is(name, "depth")) {
        *out = value_size(l->depth + text_is(name, "depth"));
        return 1;
    }
    if (text_is(name, "first")) {
        *out = value_bool(l->index == 0);
        return 1;
    }
    if (text_is(name, "last")) {
        int more = peek(s, l);
        *out = value_bool(more == 0);
        return more < 0 ? -1 : 1;
    }
    if (text_is(name, "length") || text_is(name, "revindex") ||
        text_is(name, "revindex0"))
        return from_length(s, l, name, out);
    if (text_is(name, "previtem") || text_is(name, "nextitem"))
        return neighbour(s, l, text_is(name, "nextitem"), out);
    return loop_method(s, l, name, out);
}

static int loop_write(struct sandbox *s, struct object *o, struct bytes *out)
{
    struct loop *l = (struct loop *)o;
    if (find_length(s, l))
        return -1;
    bytes_add_string(out, "<LoopContext ");
    write_int((int64_t)l->index + 1, out);
    bytes_add_string(out, "/");
    write_int((int64_t)l->length, out);
    bytes_add_string(out, ">");
    return 0;
}

const struct object_kind loop_kind = {"LoopContext", loop_attribute,
                                      loop_write};

bool value_is_loop(struct value v)
{
    return v.type == VALUE_OBJECT && v.as.object->kind == &loop_kind;
}

/* for ... if: the values whose condition holds, asked when their turn comes.
 */
struct condition {
    struct rendering *rendering;
    const struct statement *statement;
    struct scope *scope;
    struct iterator *from;
};

static int next_that_holds(struct sandbox *s, struct iterator *i,
                           struct value *out)
{
    struct condition *c = i->context;
    struct rendering *r = c->rendering;
    struct scope *before = r->scope;
    int more;
    while ((more = iterator_next(s, c->from, out)) > 0) {
        struct value holds;
        if (scope_begin(r, c->scope) ||
            assign(r, c->statement->target, *out) ||
            evaluate_node(r, c->statement->condition, &holds))
            return -1;
        scope_end(r, before);
        if (value_truth(holds))
            break;
    }
    return more;
}

static int with_condition(struct rendering *r, const struct statement *x,
                          struct scope *scope, struct value *source)
{
    struct condition *c = sandbox_alloc(r->sandbox, 1, sizeof *c);
    if (!c)
        return -1;
    *c = (struct condition){r, x, scope, NULL};
    if (iterate(r->sandbox, *source, &c->from))
        return -1;
    return value_iterator(r->sandbox, next_that_holds, value_none(), c,
                          source);
}

static int new_loop(struct rendering *r, const struct statement *x,
                    struct scope *scope, struct value source,
                    struct loop **out)
{
    struct loop *l = sandbox_alloc(r->sandbox, 1, sizeof *l);
    if (!l || (x->condition && with_condition(r, x, scope, &source)))
        return -1;
    *l = (struct loop){.object = {&loop_kind}, .rendering = r,
                       .statement = x, .scope = scope, .top = r->top,
                       .source = source};
    *out = l;
    return iterate(r->sandbox, source, &l->iterator);
}

/* One turn, with the names that it sets for itself; *whole counts those that
 * went to their end: as in jinja2, `else` asks for them. */
static int take_turn(struct rendering *r, struct loop *l, size_t *whole)
{
    static const struct text name = {"loop", 4, 4};
    struct value self = {.type = VALUE_OBJECT, .as.object = &l->object};
    if (scope_begin(r, l->scope) || scope_set(r, &name, self) ||
        assign(r, l->statement->target, l->now) ||
        execute(r, l->statement->body))
        return -1;
    *whole += r->jump == JUMP_NONE;
    if (r->jump == JUMP_CONTINUE)
        r->jump = JUMP_NONE;
    return 0;
}

static int run_loop(struct rendering *r, struct loop *l)
{
    struct scope *before = r->scope, *top = r->top;
    int more;
    r->top = l->top;
    size_t turns = 0, whole = 0;
    while ((more = peek(r->sandbox, l)) > 0) {
        l->before = l->now;
        l->now = l->ahead;
        l->ahead.type = VALUE_ABSENT;
        l->index = turns++;
        if (take_turn(r, l, &whole))
            return -1;
        if (r->jump == JUMP_BREAK)
            break;
    }
    if (more < 0)
        return -1;
    r->jump = JUMP_NONE;
    int result = 0;
    if (whole == 0 && l->statement->otherwise)
        result = scope_begin(r, l->scope) ||
                         execute(r, l->statement->otherwise)
                     ? -1
                     : 0;
    scope_end(r, before);
    r->top = top;
    return result;
}

int execute_for(struct rendering *r, const struct statement *x)
{
    struct loop *l;
    struct value source;
    if (evaluate_node(r, x->value, &source) ||
        new_loop(r, x, r->scope, source, &l))
        return -1;
    return run_loop(r, l);
}

int call_loop(struct loop *l, const struct arguments *a, struct value *out)
{
    struct rendering *r = l->rendering;
    struct loop *inner;
    struct bytes written = {0}, *before = r->out;
    if (!l->statement->recursive)
        return sandbox_fail(r->sandbox, "The loop must have the 'recursive' "
                                        "marker to be called recursively.");
    if (a->n != 1 || a->n_keywords)
        return sandbox_fail(r->sandbox, "loop() takes one argument");
    if (sandbox_enter(r->sandbox) ||
        new_loop(r, l->statement, l->scope, a->items[0], &inner))
        return -1;
    inner->depth = l->depth + 1;
    inner->top = l->top;
    r->out = &written;
    int result = run_loop(r, inner);
    r->out = before;
    if (result) {
        bytes_free(&written);
        return -1;
    }
    sandbox_leave(r->sandbox);
    return value_take_bytes(r->sandbox, &written, out);
}
