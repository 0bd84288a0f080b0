/* Text outside of calls: what the model thinks and what it says, and the marks
 * that lead from one to the other and into calls.  See markup_parser.h. */
#include "markup_parser.h"

#include "mark_quoted.h"

#include <string.h>

enum mark_kind {
    MARK_CALL,
    MARK_THINK,   /* thinking begins */
    MARK_THOUGHT, /* it ends */
    MARK_ANSWER,  /* around what is said */
    MARK_ANSWER_END
};

struct markup_mark {
    enum mark_kind kind;
    const char *text;
    const struct opening *opening; /* of MARK_CALL */
};

/* Is there nothing but space before `at`? */
static bool is_first(const struct markup_parser *p, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!mark_is_space(p->held.data[i]))
            return false;
    return true;
}

/* The n-th byte before `at`, also of what was told; 0: there is none. */
static char byte_before(const struct markup_parser *p, size_t at, size_t n)
{
    return at >= n ? p->held.data[at - n] : p->last[2 + at - n];
}

/* Thinking stands before what is said, and there alone its mark counts.  A
 * model may write it once more where the prompt had it already.  Where it is
 * off a thought may begin anywhere, and is not said; but in what was read as a
 * call a mark is a part of a value, also if it was no call. */
static bool may_think(const struct markup_parser *p, size_t at)
{
    if (!p->thought && !p->said && is_first(p, at))
        return true;
    return p->options.thinking_off && !p->thinking && at >= p->rejected &&
           !mark_is_quoted(byte_before(p, at, 2), byte_before(p, at, 1));
}

static enum mark_match think_mark(const struct markup_parser *p, size_t at,
                                  struct markup_mark *mark)
{
    const struct thinking *t = p->options.thinking;
    bool unsaid = !p->thinking && !p->said && is_first(p, at);
    const struct markup_mark marks[] = {
        {MARK_THINK, may_think(p, at) ? t->open : NULL, NULL},
        {MARK_THOUGHT, p->thinking ? t->close : NULL, NULL},
        {MARK_ANSWER, unsaid ? t->answer : NULL, NULL},
        {MARK_ANSWER_END, p->in_answer ? t->answer_end : NULL, NULL},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!marks[i].text)
            continue;
        enum mark_match m = match_at(p, at, marks[i].text);
        *mark = marks[i];
        if (m != MATCH_NO)
            return m;
    }
    return MATCH_NO;
}

/* Does the text before `at`, which is space, begin a line? */
static bool begins_line(const struct markup_parser *p, size_t at)
{
    while (at > 0 && mark_is_space(p->held.data[at - 1]))
        if (p->held.data[--at] == '\n')
            return true;
    return at == 0 && (p->after_mark || !p->thought);
}

/* May a call begin here with this opening?  In thoughts, which may speak of
 * calls, at the beginning of a line.  Some models forget to end them. */
static bool opens(const struct markup_parser *p, const struct opening *o,
                  size_t at)
{
    if (p->thinking)
        return !o->bare && begins_line(p, at);
    return !o->bare || ((p->after_mark || !p->said) && is_first(p, at));
}

static enum mark_match call_mark(const struct markup_parser *p, size_t at,
                                 struct markup_mark *mark)
{
    const struct opening *o = p->options.markup->openings;
    for (; o && o->mark; o++) {
        enum mark_match m = match_at(p, at, o->mark);
        *mark = (struct markup_mark){MARK_CALL, o->mark, o};
        if (m != MATCH_NO && opens(p, o, at))
            return m;
    }
    return MATCH_NO;
}

static enum mark_match mark_at(const struct markup_parser *p, size_t at,
                               struct markup_mark *mark)
{
    enum mark_match m = MATCH_NO;
    if (p->options.thinking)
        m = think_mark(p, at, mark);
    if (m == MATCH_NO && p->options.markup)
        m = call_mark(p, at, mark);
    return m;
}

/* What a mark changes, now that it was read. */
static enum parse_step pass_mark(struct markup_parser *p,
                                 const struct markup_mark *mark)
{
    if (mark->kind == MARK_CALL) {
        p->mark_end = p->at;
        p->call.opening = mark->opening;
        return parser_go_on(p, mark->opening->read);
    }
    if (mark->kind == MARK_THINK || mark->kind == MARK_THOUGHT)
        p->thinking = mark->kind == MARK_THINK;
    else
        p->in_answer = mark->kind == MARK_ANSWER;
    p->after_mark = true;
    p->last[0] = p->last[1] = '\0';
    parser_let_go(p);
    return STEP_ON;
}

/* Does space before this mark belong to what is said?  A late thought stands
 * between words, which must not become one. */
static bool keeps_space(const struct markup_parser *p, enum mark_kind kind,
                        size_t text)
{
    return kind == MARK_THINK && (p->said || text > 0);
}

/* Space is told with the text after it: before a mark it means nothing. */
enum parse_step step_outside(struct markup_parser *p)
{
    struct markup_mark mark;
    enum mark_match m = MATCH_NO;
    size_t at, text;
    for (at = 0; at < p->held.size; at++) {
        if (mark_is_space(p->held.data[at]))
            continue;
        m = mark_at(p, at, &mark);
        if (m != MATCH_NO)
            break;
    }
    for (text = at; text > 0 && mark_is_space(p->held.data[text - 1]); text--)
        ;
    if (m == MATCH_NO ? p->ended
                      : m == MATCH_YES && keeps_space(p, mark.kind, text))
        text = at;
    tell_text(p, text);
    if (m != MATCH_YES)
        return STEP_WAIT;
    p->at = at - text + strlen(mark.text);
    return pass_mark(p, &mark);
}
