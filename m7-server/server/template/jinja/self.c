/* The variable `self`, whose attributes are the template's blocks: see
 * rendering.h. */
#include "rendering.h"

struct self {
    struct object object;
    struct rendering *rendering;
    const struct statement *body; /* of the template */
};

/* The block of that name; *looked counts what was looked at. */
static const struct statement *find_block(const struct statement *x,
                                          const struct text *name,
                                          size_t *looked)
{
    for (; x; x = x->next) {
        ++*looked;
        if (x->kind == STATEMENT_BLOCK && text_equals(x->macro->name, name))
            return x;
        const struct statement *inside = find_block(x->body, name, looked);
        if (!inside)
            inside = find_block(x->otherwise, name, looked);
        if (inside)
            return inside;
    }
    return NULL;
}

/* A block is called as a macro is that has no parameters and sees what the
 * template sets outside of all others. */
static int self_attribute(struct sandbox *s, struct object *o,
                          const struct text *name, struct value *out)
{
    const struct self *self = (const struct self *)o;
    struct rendering *r = self->rendering;
    size_t looked = 0;
    const struct statement *block = find_block(self->body, name, &looked);
    if (sandbox_work(s, looked * SANDBOX_STEP_BYTES))
        return -1;
    if (!block)
        return 0;
    struct scope *before = r->scope;
    r->scope = r->top;
    int result = new_macro(r, block, out);
    r->scope = before;
    return result ? -1 : 1;
}

static int self_write(struct sandbox *s, struct object *o, struct bytes *out)
{
    (void)s, (void)o;
    bytes_add_string(out, "<TemplateReference None>");
    return 0;
}

static const struct object_kind self_kind = {"TemplateReference",
                                             self_attribute, self_write};

int set_self(struct rendering *r, const struct statement *body)
{
    static const struct text name = {"self", 4, 4};
    struct self *self = sandbox_alloc(r->sandbox, 1, sizeof *self);
    if (!self)
        return -1;
    *self = (struct self){{&self_kind}, r, body};
    struct value v = {.type = VALUE_OBJECT, .as.object = &self->object};
    return scope_set(r, &name, v);
}
