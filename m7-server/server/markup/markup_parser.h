/* The parser's inside, which the readers of all markups share.
 *
 * Text that is not yet certain is held, and a step function looks at it: it
 * either takes some of it, perhaps tells an event, perhaps sets the next
 * step, and is called again (STEP_ON); or it needs more text (STEP_WAIT).  A
 * step sees whole characters only.  Before a call's name is told nothing of
 * its text is let go, so that what only looked like a call can still become
 * content, byte for byte.
 *
 * Knows no family's marks. */
#ifndef MARKUP_PARSER_H
#define MARKUP_PARSER_H

#include "call_literal.h"
#include "json_scan.h"
#include "markup.h"

enum parse_step {
    STEP_WAIT, /* more text is needed */
    STEP_ON    /* the step has changed something: look again */
};

typedef enum parse_step step_function(struct markup_parser *p);

/* A list of marks ends with NULL. */
typedef const char *const *mark_list;

/* How a family writes arguments as elements: <parameter=x>value</parameter>.
 * Between `parameter` and `equals` stands the name. */
struct element_form {
    const char *function;     /* before the call's name, or NULL */
    const char *function_end; /* after it, or NULL: the name's own end */
    const char *parameter, *equals;
    const char *value;    /* between the name and the value, or NULL */
    bool lines;           /* a value stands between line ends of its own */
    mark_list value_ends; /* the first of which are its own, and the others
                             belong to what comes next: it was forgotten */
    size_t n_own_ends;
    const char *call_end;
};

/* What a call may begin with, and how it goes on. */
struct opening {
    const char *mark;
    step_function *read;  /* what follows the mark */
    mark_list separators; /* what may stand before the arguments, or NULL */
    mark_list closers;    /* what may follow a call and means nothing */
    const struct element_form *elements; /* or NULL */
    bool bare; /* the mark may begin any text, so it counts only where content
                  begins, and for tools that there are */
};

struct markup {
    const char *name;
    const struct opening *openings;  /* the last has no mark */
    step_function *start;            /* or NULL: where content begins */
    const char *prefix, *prefix_end; /* around the name: markup_prefix */
    bool short_ids;                  /* 9 letters and digits */
};

struct thinking {
    const char *name;
    const char *open, *close;
    const char *answer, *answer_end; /* around what is said, or NULL */
    const char *empty;               /* or NULL */
    step_function *start;            /* or NULL */
    const char *resume; /* between thinking and what is said; or NULL */
    const char *begins; /* what all thoughts begin with; NULL: `open` */
    mark_list answers;  /* what an answer can begin with in place of `empty`,
                           where behind that no call could come; or NULL */
};

enum json_key {
    KEY_NAME,
    KEY_ARGUMENTS,
    KEY_FUNCTION,
    KEY_OTHER
};

/* A call that is being read. */
struct markup_call {
    const struct opening *opening;
    struct bytes name, id;
    struct bytes key;               /* of the argument */
    step_function *after_arguments; /* of step_arguments */
    bool open;                      /* it was told: MARKUP_CALL */
    bool complete;                  /* so are its arguments, as a whole */
    size_t n_arguments;
    bool is_list; /* JSON: in [...] */
    size_t depth; /* JSON: objects that are open around the name */
    enum json_key json_key;
    size_t early, early_end; /* JSON: arguments before the name, or 0, 0 */
    bool separated;  /* a separator was last: what follows is a new word */
    bool is_id;      /* that word is an id */
    size_t wrappers; /* Python: print(...) around it */
    unsigned types;  /* of the argument's value */
};

struct markup_parser {
    struct markup_options options;
    step_function *step;
    step_function *outside; /* where it goes on after a call */
    struct bytes rest;      /* the beginning of an unfinished character */
    struct bytes held;      /* text that was not told */
    size_t at;              /* how far it was read */
    size_t mark_end;        /* held: where the call's opening mark ends */
    size_t rejected;        /* held: so much was a call that was none */
    bool ended;             /* no more text comes */
    bool thinking, thought; /* inside thinking now; something of it was told */
    bool said;              /* content was told */
    bool after_mark;        /* space that follows means nothing */
    char last[2];           /* of the text before what is held; 0: none */
    bool in_answer;         /* Granite: <response> was seen */
    bool over;              /* there were as many calls as there may be */
    bool cut;               /* the text ended inside a call without a name */
    struct markup_call call;
    size_t n_calls;
    struct json_scan scan;
    bool scanning;
    size_t value; /* held: where the scanned value begins */
    struct call_literal literal;
    struct bytes out; /* a piece of arguments being made */
};

enum mark_match {
    MATCH_NO,
    MATCH_YES,
    MATCH_MAYBE /* so far; more text decides */
};

/* Does the held text at `at` begin with this mark? */
enum mark_match match_at(const struct markup_parser *p, size_t at,
                         const char *mark);

/* If it does at p->at, go past it. */
enum mark_match take_mark(struct markup_parser *p, const char *mark);

/* The same with the first of several that fits, whose place goes to *which
 * unless that is NULL. */
enum mark_match take_any_mark(struct markup_parser *p, mark_list marks,
                              size_t *which);

/* Go past space.  False when there is no text after it yet. */
bool take_space(struct markup_parser *p);
bool mark_is_space(char c);

/* Is there more text; and the next byte of it. */
bool parser_has_more(const struct markup_parser *p);
char parser_next(const struct markup_parser *p);

/* Go past a JSON value, which is then held from p->value to p->at. */
enum mark_match take_json_value(struct markup_parser *p);

/* Let go of what was read. */
void parser_let_go(struct markup_parser *p);

/* Tell the first `size` bytes that are held as thinking or content. */
void tell_text(struct markup_parser *p, size_t size);

/* What was read is no call after all: its opening mark is text, and what
 * follows is looked at again. */
enum parse_step parser_reject(struct markup_parser *p);

/* Go on with another step. */
enum parse_step parser_go_on(struct markup_parser *p, step_function *step);

/* The call's name is known, in p->call.name: tell that it begins.  False when
 * it was rejected, because it may not be one. */
bool call_begin(struct markup_parser *p);

/* A piece of its arguments; what was read is not let go. */
void tell_arguments(struct markup_parser *p, const char *text, size_t size);

/* It ends: the events say how.  A call without arguments has "{}". */
void call_end(struct markup_parser *p, enum markup_event_type type);

/* Steps that all share: text outside of calls; what follows a call; JSON that
 * is a call's arguments, and then what p->call.opening has after it; arguments
 * that are none. */
enum parse_step step_outside(struct markup_parser *p);
enum parse_step step_closers(struct markup_parser *p);
enum parse_step step_arguments(struct markup_parser *p);
enum parse_step step_bad(struct markup_parser *p);

/* Where the first of these marks begins, from `from` on, or where one may
 * begin at the end of the text; held.size when none does. */
size_t find_marks(const struct markup_parser *p, size_t from, mark_list marks,
                  enum mark_match *found);

/* The readers of openings. */
enum parse_step read_json(struct markup_parser *p);
enum parse_step read_bare_json(struct markup_parser *p);
enum parse_step read_named(struct markup_parser *p);
enum parse_step read_mistral(struct markup_parser *p);
enum parse_step read_elements(struct markup_parser *p);
enum parse_step read_python(struct markup_parser *p);
enum parse_step read_bare_python(struct markup_parser *p);
enum parse_step read_python_tag(struct markup_parser *p);
enum parse_step read_gemma(struct markup_parser *p);
enum parse_step read_bare_list(struct markup_parser *p);
enum parse_step read_named_line(struct markup_parser *p);
enum parse_step start_named_line(struct markup_parser *p);
enum parse_step start_harmony(struct markup_parser *p);

#endif
