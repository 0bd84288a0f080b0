/* A rendering on its way: names, what was written, how statements and
 * expressions call each other.  For evaluation.c, execute.c and their like. */
#ifndef RENDERING_H
#define RENDERING_H

#include "buffer.h"
#include "call.h"
#include "dict.h"
#include "iterate.h"
#include "syntax.h"

struct scope_name {
    const struct text *name;
    struct value value;
};

/* The names that a body sets; those around it are seen through it. */
struct scope {
    struct scope *outer;
    struct scope_name *names; /* (n,) */
    size_t n, capacity;
};

enum jump {
    JUMP_NONE,
    JUMP_BREAK,
    JUMP_CONTINUE
};

struct rendering {
    struct sandbox *sandbox;
    const struct value_dict *context; /* the template's variables */
    struct scope *scope;
    struct scope *top; /* what blocks see: the template's names, and within a
                          scoped block those around it, too */
    struct bytes *out;
    struct value captured; /* the text of the block that is filtered */
    enum jump jump;
    int line; /* of the error; 0: none yet */
};

/* A macro, or the body of a call block, with the names around it. */
struct macro {
    struct object object;
    struct rendering *rendering;
    const struct macro_syntax *syntax;
    const struct statement *body;
    struct scope *scope, *top;
};

/* The variable `loop`. */
struct loop {
    struct object object;
    struct rendering *rendering;
    const struct statement *statement;
    struct scope *scope, *top; /* around the loop */
    struct value source;       /* what is gone through */
    struct iterator *iterator; /* of it */
    size_t index, depth;       /* from 0 */
    struct value before, now, ahead; /* VALUE_ABSENT: none; `ahead` was
                                        looked at before its time */
    struct value changed;
    bool known; /* its length is */
    size_t length;
};

/* Begin and end a scope inside another. */
int scope_begin(struct rendering *r, struct scope *outer);
void scope_end(struct rendering *r, struct scope *before);
int scope_set(struct rendering *r, const struct text *name,
              struct value value);
int scope_get(struct rendering *r, const struct text *name,
              struct value *out);

int evaluate_node(struct rendering *r, const struct expression *x,
                  struct value *out);

/* The call x, with one more argument: what a call block hands over. */
int evaluate_call_with(struct rendering *r, const struct expression *x,
                       const struct keyword *extra, struct value *out);

/* Give a value to a target: a name, several, or a namespace's attribute. */
int assign(struct rendering *r, const struct expression *target,
           struct value value);

/* Statements, one after the other; they stop at a jump. */
int execute(struct rendering *r, const struct statement *x);

/* The same, with what is written as a string. */
int execute_captured(struct rendering *r, const struct statement *x,
                     struct value *out);
int execute_for(struct rendering *r, const struct statement *x);

int emit_text(struct rendering *r, const char *data, size_t size);
int emit_value(struct rendering *r, struct value v);

/* Call anything that can be called. */
int call_value(struct rendering *r, struct value callee,
               const struct arguments *a, struct value *out);
int call_macro(struct macro *m, const struct arguments *a, struct value *out);
int new_macro(struct rendering *r, const struct statement *x,
              struct value *out);

/* Let a template, whose statements these are, have the variable `self`. */
int set_self(struct rendering *r, const struct statement *body);

bool value_is_macro(struct value v);
bool value_is_loop(struct value v);

/* loop(...) of a recursive loop. */
int call_loop(struct loop *l, const struct arguments *a, struct value *out);
extern const struct object_kind loop_kind;

#endif
