/* What the tables of marks say to those who write prompts: see markup.h. */
#include "markup.h"

#include "markups.h"

#include <string.h>

/* The marks of messages, which no row has for itself. */
static const char *const message_marks[] = {
    "<|start|>", "<|channel|>", "<|message|>", "<|constrain|>",
    "<|end|>",   "<|call|>",    "<|return|>",  NULL};

/* Where the last such mark in the text begins; `size`: nowhere. */
static size_t last_mark(const char *text, size_t size, const char *mark)
{
    size_t n = strlen(mark);
    for (size_t i = size; i-- > 0;)
        if (size - i >= n && memcmp(text + i, mark, n) == 0)
            return i;
    return size;
}

/* Only space may stand between the mark and the prompt's end: a message that
 * has such a mark in it has opened nothing. */
size_t thinking_opened_at(const struct thinking *t, const char *prompt,
                          size_t size)
{
    size_t open = last_mark(prompt, size, t->open);
    size_t at = open < size ? open + strlen(t->open) : 0;
    while (at < size && mark_is_space(prompt[at]))
        at++;
    return at == size ? open : size;
}

bool thinking_is_open(const struct thinking *t, const char *prompt,
                      size_t size)
{
    return t && thinking_opened_at(t, prompt, size) < size;
}

const char *thinking_empty(const struct thinking *t)
{
    return t->empty;
}

const char *thinking_open(const struct thinking *t)
{
    return t->open;
}

const char *thinking_close(const struct thinking *t)
{
    return t->close;
}

const char *thinking_begins(const struct thinking *t)
{
    return t->begins ? t->begins : t->open;
}

const char *const *thinking_answers(const struct thinking *t)
{
    return t->answers;
}

const char *thinking_resume(const struct thinking *t)
{
    return t->resume ? t->resume : "";
}

void markup_prefix(const struct markup *m, const char *name, struct bytes *out)
{
    bytes_add_string(out, m->prefix);
    bytes_add_string(out, name);
    bytes_add_string(out, m->prefix_end);
}

const char *markup_opening(const struct markup *m, size_t i)
{
    for (const struct opening *o = m->openings; o->mark; o++)
        if (!o->bare && i-- == 0)
            return o->mark;
    return NULL;
}

/* A piece of a text that may be part of a mark. */
struct mark_piece {
    const char *text; /* (size,) */
    size_t size;
};

static bool holds(const char *mark, struct mark_piece piece)
{
    size_t n = mark ? strlen(mark) : 0;
    for (size_t i = 0; i + piece.size <= n; i++)
        if (memcmp(mark + i, piece.text, piece.size) == 0)
            return true;
    return false;
}

static bool list_holds(mark_list marks, struct mark_piece piece)
{
    for (size_t i = 0; marks && marks[i]; i++)
        if (holds(marks[i], piece))
            return true;
    return false;
}

static bool elements_hold(const struct element_form *f,
                          struct mark_piece piece)
{
    return f &&
           (holds(f->function, piece) || holds(f->parameter, piece) ||
            holds(f->equals, piece) || holds(f->value, piece) ||
            holds(f->call_end, piece) || list_holds(f->value_ends, piece));
}

static bool markup_holds(const struct markup *m, struct mark_piece piece)
{
    bool quotes = m->openings->read == read_gemma &&
                  (holds("<|\"|>", piece) || holds("<escape>", piece));
    for (const struct opening *o = m->openings; o->mark; o++)
        if (holds(o->mark, piece) || list_holds(o->separators, piece) ||
            list_holds(o->closers, piece) || elements_hold(o->elements, piece))
            return true;
    return quotes || (m->start && list_holds(message_marks, piece));
}

bool markup_has_mark(const struct markup *m, const struct thinking *t,
                     const char *text, size_t size)
{
    struct mark_piece piece = {text, size};
    if (t && (holds(t->open, piece) || holds(t->close, piece) ||
              holds(t->answer, piece) || holds(t->answer_end, piece) ||
              (t->start && list_holds(message_marks, piece))))
        return true;
    return m && markup_holds(m, piece);
}
