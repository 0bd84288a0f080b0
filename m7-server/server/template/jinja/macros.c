/* Macros, and calling them: see rendering.h. */
#include "rendering.h"

#include "written.h"

/* Whether a parameter behind the first `from` has this name. */
static bool is_parameter(const struct macro_syntax *m, size_t from,
                         const struct text *name)
{
    for (size_t i = from; i < m->n; i++)
        if (text_equals(m->names[i], name))
            return true;
    return false;
}

static int parameter_names(struct sandbox *s, const struct macro_syntax *m,
                            struct value *out)
{
    if (value_new_list(s, VALUE_TUPLE, m->n, out))
        return -1;
    for (size_t i = 0; i < m->n; i++)
        if (value_append(s, *out, value_of_text(m->names[i])))
            return -1;
    return 1;
}

static int macro_attribute(struct sandbox *s, struct object *o,
                           const struct text *name, struct value *out)
{
    static const struct text caller = {"caller", 6, 6};
    const struct macro_syntax *m = ((const struct macro *)o)->syntax;
    if (text_is(name, "arguments"))
        return parameter_names(s, m, out);
    if (text_is(name, "name"))
        *out = m->name ? value_of_text(m->name) : value_none();
    else if (text_is(name, "catch_kwargs"))
        *out = value_bool(m->kwargs);
    else if (text_is(name, "catch_varargs"))
        *out = value_bool(m->varargs);
    else if (text_is(name, "caller"))
        *out = value_bool(m->caller);
    else if (text_is(name, "explicit_caller"))
        *out = value_bool(is_parameter(m, 0, &caller));
    else
        return 0;
    return 1;
}

static int macro_write(struct sandbox *s, struct object *o, struct bytes *out)
{
    const struct macro *m = (const struct macro *)o;
    bytes_add_string(out, "<Macro ");
    if (!m->syntax->name)
        bytes_add_string(out, "anonymous");
    else if (value_repr(s, value_of_text(m->syntax->name), out))
        return -1;
    bytes_add_string(out, ">");
    return 0;
}

static const struct object_kind macro_kind = {"Macro", macro_attribute,
                                              macro_write};

int new_macro(struct rendering *r, const struct statement *x,
              struct value *out)
{
    struct macro *m = sandbox_alloc(r->sandbox, 1, sizeof *m);
    if (!m)
        return -1;
    *m = (struct macro){{&macro_kind}, r, x->macro, x->body, r->scope,
                        r->top};
    *out = (struct value){.type = VALUE_OBJECT, .as.object = &m->object};
    return 0;
}

bool value_is_macro(struct value v)
{
    return v.type == VALUE_OBJECT && v.as.object->kind == &macro_kind;
}

static const struct keyword *find_keyword(const struct arguments *a,
                                          const struct text *name)
{
    for (size_t i = 0; i < a->n_keywords; i++)
        if (text_equals(a->keywords[i].name, name))
            return &a->keywords[i];
    return NULL;
}

static int set_parameter(struct macro *m, size_t i, const struct arguments *a)
{
    struct rendering *r = m->rendering;
    const struct text *name = m->syntax->names[i];
    const struct keyword *k = find_keyword(a, name);
    struct value v;
    if (i < a->n)
        v = a->items[i];
    else if (k)
        v = k->value;
    else if (m->syntax->defaults[i]) {
        if (evaluate_node(r, m->syntax->defaults[i], &v))
            return -1;
    } else {
        struct bytes hint = {0};
        bytes_add_string(&hint, "parameter ");
        struct value text;
        if (value_repr(r->sandbox, value_of_text(name), &hint)) {
            bytes_free(&hint);
            return -1;
        }
        bytes_add(&hint, " was not provided", 18);
        if (value_take_bytes(r->sandbox, &hint, &text) ||
            value_undefined_hint(r->sandbox, text.as.text->data, &v))
            return -1;
    }
    return scope_set(r, name, v);
}

/* `varargs` and `kwargs`: what no parameter took. */
static int set_what_is_left(struct macro *m, const struct arguments *a)
{
    static const struct text varargs = {"varargs", 7, 7},
                             kwargs = {"kwargs", 6, 6},
                             caller = {"caller", 6, 6};
    struct rendering *r = m->rendering;
    struct sandbox *s = r->sandbox;
    struct value rest, named;
    if (value_new_list(s, VALUE_TUPLE, 0, &rest) || dict_new(s, &named))
        return -1;
    for (size_t i = m->syntax->n; i < a->n; i++)
        if (value_append(s, rest, a->items[i]))
            return -1;
    for (size_t i = 0; i < a->n_keywords; i++) {
        const struct keyword *k = &a->keywords[i];
        bool taken = is_parameter(m->syntax, a->n, k->name) ||
                     (m->syntax->caller && text_equals(k->name, &caller));
        if (!taken && dict_set(s, named.as.dict, value_of_text(k->name),
                               k->value))
            return -1;
    }
    if (!m->syntax->varargs && rest.as.list->size)
        return sandbox_fail(s, "macro takes not more than %zu argument(s)",
                            m->syntax->n);
    if (!m->syntax->kwargs && named.as.dict->size) {
        const struct text *k = named.as.dict->entries[0].key.as.text;
        return sandbox_fail(s, "macro takes no keyword argument '%.*s'",
                            (int)k->size, k->data);
    }
    if (m->syntax->varargs && scope_set(r, &varargs, rest))
        return -1;
    return m->syntax->kwargs ? scope_set(r, &kwargs, named) : 0;
}

static int set_caller(struct macro *m, const struct arguments *a)
{
    static const struct text caller = {"caller", 6, 6};
    const struct keyword *k = find_keyword(a, &caller);
    struct value v;
    if (!m->syntax->caller || is_parameter(m->syntax, 0, &caller))
        return 0;
    if (k)
        v = k->value;
    else if (value_undefined_hint(m->rendering->sandbox, "No caller defined",
                                  &v))
        return -1;
    return scope_set(m->rendering, &caller, v);
}

int call_macro(struct macro *m, const struct arguments *a, struct value *out)
{
    struct rendering *r = m->rendering;
    struct scope *before = r->scope, *top = r->top;
    r->top = m->top;
    if (sandbox_enter(r->sandbox) || scope_begin(r, m->scope) ||
        set_caller(m, a))
        return -1;
    for (size_t i = 0; i < m->syntax->n; i++)
        if (set_parameter(m, i, a))
            return -1;
    if (set_what_is_left(m, a) || execute_captured(r, m->body, out))
        return -1;
    scope_end(r, before);
    r->top = top;
    sandbox_leave(r->sandbox);
    return 0;
}

int call_value(struct rendering *r, struct value callee,
               const struct arguments *a, struct value *out)
{
    if (callee.type == VALUE_FUNCTION)
        return built_in_call(r->sandbox, callee.as.function->built_in,
                             callee.as.function->self, a, out);
    if (value_is_macro(callee))
        return call_macro((struct macro *)callee.as.object, a, out);
    if (value_is_loop(callee))
        return call_loop((struct loop *)callee.as.object, a, out);
    if (callee.type == VALUE_UNDEFINED)
        return value_fail_undefined(r->sandbox, callee);
    return sandbox_fail(r->sandbox, "'%s' object is not callable",
                        value_type_name(callee));
}
