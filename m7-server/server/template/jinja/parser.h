/* The parser: lexemes become statements and expressions.  parse_*.c only. */
#ifndef PARSER_H
#define PARSER_H

#include "dict.h"
#include "lexer.h"
#include "syntax.h"

struct parser {
    struct sandbox *sandbox;
    const struct lexeme *at; /* the next one */
    struct value_dict *words; /* all names, attributes and strings */
    struct value_dict *blocks; /* the names of blocks so far */
    struct macro_syntax *macro; /* the innermost around, or NULL */
    int loops;  /* around, within that macro: `break` needs one */
    int fors;   /* around, in which nothing else may be called `loop` */
    bool soft;  /* in a branch: an unknown filter may never be reached */
};

/* Of the next lexeme: whether it is this operator, this name. */
bool parser_is(const struct parser *p, const char *operator);
bool parser_is_name(const struct parser *p, const char *name);

/* Step over it: whether it was there; or an error that it was not. */
bool parser_skip(struct parser *p, const char *operator);
bool parser_skip_name(struct parser *p, const char *name);
int parser_expect(struct parser *p, const char *operator);

/* An error about the next lexeme. */
int parser_unexpected(struct parser *p, const char *expected);

/* Any name, which is remembered as one of the template's words. */
int parser_name(struct parser *p, const struct text **name);
int parser_word(struct parser *p, const struct text *word);

/* New nodes, or NULL after an error. */
struct expression *parser_expression(struct parser *p,
                                     enum expression_kind kind);
int parser_add_part(struct parser *p, struct expression *x,
                    struct expression *part);

/* An expression, with "x if y" or without it; NULL after an error. */
struct expression *parse_expression(struct parser *p, bool conditional);

/* One or several with commas between them, which are a tuple. */
struct expression *parse_tuple(struct parser *p, bool conditional);

/* A name, a literal or something in brackets. */
struct expression *parse_primary(struct parser *p);

/* What may stand behind it: .name [key] (arguments). */
struct expression *parse_postfix(struct parser *p, struct expression *x);

/* |filter, is test. */
struct expression *parse_filters(struct parser *p, struct expression *x);
struct expression *parse_filter_chain(struct parser *p, struct expression *x);
struct call_syntax *parse_arguments(struct parser *p);

/* What a value goes to: a name, names, or name.attribute where that is
 * allowed.  A comma behind the last of several is an error, as in jinja2, but
 * before a bracket or the end of the tag. */
struct expression *parse_target(struct parser *p, bool attributes);

/* (a, b=1): what a macro takes. */
int parse_parameters(struct parser *p, struct macro_syntax *m);

/* Behind the body: what it calls may be a parameter, if that has a default. */
int parse_caller(struct parser *p, const struct macro_syntax *m);

/* All statements up to the end of the template. */
int parse_template(struct parser *p, struct statement **out);

#endif
