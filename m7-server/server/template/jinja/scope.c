/* Names and their values, and how values are written: see rendering.h. */
#include "rendering.h"

#include "built_ins.h"
#include "methods.h"
#include "written.h"

int scope_begin(struct rendering *r, struct scope *outer)
{
    struct scope *inner = sandbox_alloc(r->sandbox, 1, sizeof *inner);
    if (!inner)
        return -1;
    *inner = (struct scope){.outer = outer};
    r->scope = inner;
    return 0;
}

void scope_end(struct rendering *r, struct scope *before)
{
    r->scope = before;
}

static struct scope_name *find_variable(struct scope *scope,
                                        const struct text *name)
{
    for (size_t i = 0; i < scope->n; i++)
        if (text_equals(scope->names[i].name, name))
            return &scope->names[i];
    return NULL;
}

int scope_set(struct rendering *r, const struct text *name,
              struct value value)
{
    struct scope *scope = r->scope;
    struct scope_name *found = find_variable(scope, name);
    if (found) {
        found->value = value;
        return 0;
    }
    struct scope_name *names =
        sandbox_grow(r->sandbox, scope->names, &scope->capacity, scope->n + 1,
                     sizeof *names);
    if (!names)
        return -1;
    scope->names = names;
    scope->names[scope->n++] = (struct scope_name){name, value};
    return 0;
}

int scope_get(struct rendering *r, const struct text *name,
              struct value *out)
{
    size_t looked = 0;
    for (struct scope *s = r->scope; s; s = s->outer) {
        const struct scope_name *found = find_variable(s, name);
        looked += s->n;
        if (found) {
            *out = found->value;
            return sandbox_work(r->sandbox, looked * 16);
        }
    }
    const struct value *variable =
        dict_find(r->context, name->data, name->size);
    if (variable) {
        *out = *variable;
        return 0;
    }
    const struct built_in *global = find_global(name);
    if (global)
        return value_function(r->sandbox, global, value_none(), out);
    return value_undefined(r->sandbox, name, out);
}

/* a, b = values: as many as there are names. */
static int assign_parts(struct rendering *r, const struct expression *target,
                        struct value value)
{
    struct value list;
    if (value.type == VALUE_UNDEFINED || !value_iterable(value))
        return value.type == VALUE_UNDEFINED
                   ? sandbox_fail(r->sandbox,
                                  "not enough values to unpack (expected %zu, "
                                  "got 0)", target->n)
                   : sandbox_fail(r->sandbox,
                                  "cannot unpack non-iterable %s object",
                                  value_type_name(value));
    if (value_collect(r->sandbox, value, VALUE_LIST, &list))
        return -1;
    if (list.as.list->size != target->n)
        return sandbox_fail(r->sandbox,
                            "%s values to unpack (expected %zu, got %zu)",
                            list.as.list->size < target->n ? "not enough"
                                                           : "too many",
                            target->n, list.as.list->size);
    for (size_t i = 0; i < target->n; i++)
        if (assign(r, target->parts[i], list.as.list->items[i]))
            return -1;
    return 0;
}

int assign(struct rendering *r, const struct expression *target,
           struct value value)
{
    struct value namespace;
    if (target->kind == EXPRESSION_NAME)
        return scope_set(r, target->name, value);
    if (target->kind == EXPRESSION_TUPLE)
        return assign_parts(r, target, value);
    if (evaluate_node(r, target->parts[0], &namespace))
        return -1;
    return namespace_set(r->sandbox, namespace, target->name, value);
}

int emit_text(struct rendering *r, const char *data, size_t size)
{
    if (sandbox_charge(r->sandbox, size) || sandbox_work(r->sandbox, size))
        return -1;
    bytes_add(r->out, data, size);
    return r->out->failed ? fail_memory(r->sandbox->error, "a template's text")
                          : 0;
}

int emit_value(struct rendering *r, struct value v)
{
    struct value text;
    if (v.type == VALUE_UNDEFINED)
        return 0;
    if (value_to_string(r->sandbox, v, &text))
        return -1;
    return emit_text(r, text.as.text->data, text.as.text->size);
}
