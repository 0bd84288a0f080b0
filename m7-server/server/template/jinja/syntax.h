/* A parsed template: a tree of statements and expressions.
 *
 * It is made once and only read afterwards, by as many renderings as there
 * are. */
#ifndef SYNTAX_H
#define SYNTAX_H

#include "call.h"
#include "value.h"

enum expression_kind {
    EXPRESSION_CONSTANT,
    EXPRESSION_NAME,
    EXPRESSION_LIST,
    EXPRESSION_TUPLE,
    EXPRESSION_DICT,      /* parts: key, value, key, value */
    EXPRESSION_ATTRIBUTE, /* parts: of what */
    EXPRESSION_ITEM,      /* parts: of what, key */
    EXPRESSION_SLICE,     /* parts: start, stop, step; NULL: not said */
    EXPRESSION_CALL,      /* parts: what is called */
    EXPRESSION_FILTER,    /* parts: what is filtered */
    EXPRESSION_TEST,
    EXPRESSION_NOT,
    EXPRESSION_NEGATE,
    EXPRESSION_PLUS,
    EXPRESSION_AND,
    EXPRESSION_OR,
    EXPRESSION_CONDITION, /* parts: condition, then, else or NULL */
    EXPRESSION_COMPARE,   /* parts: first, others; operators between them */
    EXPRESSION_OPERATE,   /* parts: left, right */
    EXPRESSION_CONCAT,
    EXPRESSION_CAPTURED, /* the text of a block that is filtered */
    N_EXPRESSION_KINDS
};

enum comparison {
    COMPARISON_LESS, /* these four as in enum value_order */
    COMPARISON_LESS_EQUAL,
    COMPARISON_GREATER,
    COMPARISON_GREATER_EQUAL,
    COMPARISON_EQUAL,
    COMPARISON_UNEQUAL,
    COMPARISON_IN,
    COMPARISON_NOT_IN
};

struct expression {
    enum expression_kind kind;
    int line;
    struct value constant;
    const struct text *name;     /* of a name, an attribute, a filter */
    struct expression **parts;   /* (n,) */
    size_t n, capacity;
    const int *operators;        /* of EXPRESSION_OPERATE, _COMPARE */
    struct call_syntax *call;    /* of a call, a filter, a test; or NULL */
    const struct built_in *built_in; /* of a filter or a test; NULL: there is
                                        none of that name */
};

struct keyword_syntax {
    const struct text *name;
    struct expression *value;
};

/* What stands in the parentheses of a call. */
struct call_syntax {
    struct expression **items; /* (n,) */
    size_t n, capacity;
    struct keyword_syntax *keywords; /* (n_keywords,) */
    size_t n_keywords, keywords_capacity;
    struct expression *more_items, *more_keywords; /* *x and **x, or NULL */
};

enum statement_kind {
    STATEMENT_TEXT,
    STATEMENT_PRINT,
    STATEMENT_IF,
    STATEMENT_FOR,
    STATEMENT_SET,
    STATEMENT_SET_BLOCK,
    STATEMENT_MACRO,
    STATEMENT_CALL,
    STATEMENT_FILTER,
    STATEMENT_WITH,
    STATEMENT_BLOCK,
    STATEMENT_GENERATION,
    STATEMENT_BREAK,
    STATEMENT_CONTINUE,
    N_STATEMENT_KINDS
};

/* The parameters of a macro, or of what a call block hands over; a block has
 * none. */
struct macro_syntax {
    struct macro_syntax *outer; /* the macro that this one stands in */
    const struct text *name;    /* NULL: a call block's */
    const struct text **names;  /* (n,) */
    struct expression **defaults; /* (n,); NULL: there is none */
    size_t n, names_capacity, defaults_capacity;
    bool caller, varargs, kwargs; /* its body speaks of them */
};

struct statement {
    enum statement_kind kind;
    int line;
    struct statement *next;

    struct value text;
    struct expression *target;    /* of `set` and `for`; of `with` a tuple */
    struct expression *value;     /* what is printed, set, asked, gone
                                     through, called; of `with` a tuple */
    struct expression *condition; /* of `for ... if` */
    bool recursive; /* of `for` */
    bool scoped;    /* of `block`: it sees the names around it */
    struct statement *body, *otherwise;
    struct macro_syntax *macro;
};

#endif
