/* Lexemes: see lexer.h. */
#include "lexer.h"

#include "characters.h"
#include "unicode.h"

#include <ctype.h>
#include <string.h>

enum lexer_limits {
    LEXER_BRACKETS = 200 /* open at once */
};

struct lexer {
    struct sandbox *sandbox;
    const char *start, *at, *end;
    const char *counted; /* up to here the lines are counted */
    int line;
    char brackets[LEXER_BRACKETS]; /* what closes the open ones */
    size_t n_brackets;
    struct lexemes *out;
};

static void count_lines(struct lexer *l, const char *to)
{
    for (; l->counted < to; l->counted++)
        l->line += *l->counted == '\n';
}

static int add_lexeme(struct lexer *l, enum lexeme_type type,
                      struct value value)
{
    struct lexemes *out = l->out;
    struct lexeme *items = sandbox_grow(l->sandbox, out->items,
                                        &out->capacity, out->n + 1,
                                        sizeof *items);
    if (!items)
        return -1;
    out->items = items;
    out->items[out->n++] = (struct lexeme){type, l->line, value};
    return 0;
}

static int add_text_lexeme(struct lexer *l, enum lexeme_type type,
                           const char *from, const char *to)
{
    struct value text;
    count_lines(l, from);
    if (value_constant(l->sandbox, from, (size_t)(to - from), &text))
        return -1;
    return add_lexeme(l, type, text);
}

static bool begins_with(const struct lexer *l, const char *at,
                        const char *with)
{
    size_t size = strlen(with);
    return (size_t)(l->end - at) >= size && memcmp(at, with, size) == 0;
}

static const char *skip_space(const struct lexer *l, const char *at)
{
    return at + span_start(at, (size_t)(l->end - at), NULL);
}

/* Data in front of a tag: its mark "-" takes all white space away; of a block
 * or a comment without a mark, the blanks at the line's start go. */
static const char *strip_data(const struct lexer *l, const char *from,
                              const char *to, char mark, bool variable)
{
    if (mark == '-')
        return to - span_end(from, (size_t)(to - from), NULL);
    if (mark == '+' || variable)
        return to;
    const char *line = to;
    while (line > from && line[-1] != '\n')
        line--;
    bool starts = line > from || from == l->start || from[-1] == '\n';
    bool blank = span_start(line, (size_t)(to - line), NULL) ==
                 (size_t)(to - line);
    return starts && blank ? line : to;
}

/* Behind the end of a block or a comment, which begins with its mark or not;
 * NULL when it does not end here. */
static const char *tag_end(const struct lexer *l, const char *at,
                           const char *end, bool trims)
{
    size_t size = strlen(end);
    if (*at == '-' && begins_with(l, at + 1, end))
        return skip_space(l, at + 1 + size);
    if (*at == '+' && trims && begins_with(l, at + 1, end))
        return at + 1 + size;
    if (!begins_with(l, at, end))
        return NULL;
    at += size;
    return trims && at < l->end && *at == '\n' ? at + 1 : at;
}

static int skip_comment(struct lexer *l)
{
    for (const char *at = l->at; at < l->end; at++) {
        const char *behind = tag_end(l, at, "#}", true);
        if (behind) {
            l->at = behind;
            return 0;
        }
    }
    if (l->at == l->end)
        return 0; /* jinja2 has nothing to say of an empty one */
    return sandbox_fail(l->sandbox, "Missing end of comment tag");
}

static char delimiter_at(const struct lexer *l, const char *at)
{
    return at < l->end && (*at == '-' || *at == '+') ? *at : 0;
}

/* Behind "{% word %}" at `at`, where it stands there; else NULL. */
static const char *word_tag(const struct lexer *l, const char *at,
                            const char *word, bool trims)
{
    if (!begins_with(l, at, "{%"))
        return NULL;
    at += 2 + (delimiter_at(l, at + 2) != 0);
    at = skip_space(l, at);
    if (!begins_with(l, at, word))
        return NULL;
    at = skip_space(l, at + strlen(word));
    return at < l->end ? tag_end(l, at, "%}", trims) : NULL;
}

/* Everything up to "{% endraw %}" is data. */
static int lex_raw(struct lexer *l, const char *from)
{
    for (const char *at = from; at < l->end; at++) {
        const char *behind = word_tag(l, at, "endraw", true);
        if (!behind)
            continue;
        l->at = behind;
        const char *to =
            strip_data(l, from, at, delimiter_at(l, at + 2), false);
        return to > from ? add_text_lexeme(l, LEXEME_DATA, from, to) : 0;
    }
    l->at = from;
    if (from == l->end)
        return 0; /* nor here */
    return sandbox_fail(l->sandbox, "Missing end of raw directive");
}

/* One of the operators, the longer ones first; its size, or 0. */
static size_t operator_size(const struct lexer *l)
{
    static const char *const twos[] = {"//", "**", "==", "!=", ">=", "<="};
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (begins_with(l, l->at, twos[i]))
            return 2;
    return *l->at && strchr("+-/*%~[](){}><=.:|,;", *l->at) ? 1 : 0;
}

static int balance(struct lexer *l, char c)
{
    const char *open = strchr("([{", c), *close = strchr(")]}", c);
    if (open) {
        if (l->n_brackets == LEXER_BRACKETS)
            return sandbox_fail(l->sandbox, "too many open brackets");
        l->brackets[l->n_brackets++] = ")]}"[open - "([{"];
    }
    if (close && !l->n_brackets)
        return sandbox_fail(l->sandbox, "unexpected '%c'", c);
    if (close && l->brackets[--l->n_brackets] != c)
        return sandbox_fail(l->sandbox, "unexpected '%c', expected '%c'", c,
                            l->brackets[l->n_brackets]);
    return 0;
}

static const char *name_end(const struct lexer *l)
{
    const char *at = l->at;
    for (size_t length; at < l->end; at += length) {
        uint32_t code = utf8_decode(at, &length);
        bool word = code < 128 ? isalnum((int)code) || code == '_'
                               : unicode_is_word(code);
        if (!word)
            break;
    }
    return at;
}

/* One lexeme of those inside a tag. */
static int lex_inside(struct lexer *l)
{
    struct value constant;
    const char *from = l->at, *behind;
    count_lines(l, from);
    int found = lex_constant(l->sandbox, &l->at, l->end, &constant);
    if (found)
        return found < 0 ? -1 : add_lexeme(l, LEXEME_CONSTANT, constant);
    if ((behind = name_end(l)) > from) {
        l->at = behind;
        return add_text_lexeme(l, LEXEME_NAME, from, behind);
    }
    size_t size = operator_size(l);
    if (!size) {
        size_t length;
        utf8_decode(from, &length);
        return sandbox_fail(l->sandbox, "unexpected char '%.*s'", (int)length,
                            from);
    }
    l->at += size;
    if (size == 1 && strchr("()[]{}", *from) && balance(l, *from))
        return -1;
    return add_text_lexeme(l, LEXEME_OPERATOR, from, l->at);
}

/* From behind "{{" or "{%" to behind the end. */
static int lex_tag(struct lexer *l, bool variable)
{
    const char *end = variable ? "}}" : "%}";
    enum lexeme_type type = variable ? LEXEME_VARIABLE_END : LEXEME_BLOCK_END;
    l->n_brackets = 0;
    for (;;) {
        if (l->at >= l->end)
            return 0; /* the parser misses the end */
        const char *behind =
            l->n_brackets ? NULL : tag_end(l, l->at, end, !variable);
        if (behind) {
            int result = add_text_lexeme(l, type, l->at, l->at);
            l->at = behind;
            return result;
        }
        const char *next = skip_space(l, l->at);
        if (next > l->at)
            l->at = next;
        else if (lex_inside(l))
            return -1;
    }
}

/* Data up to the next tag, and the tag. */
static int lex_piece(struct lexer *l)
{
    const char *from = l->at, *at = from;
    while (at < l->end && !begins_with(l, at, "{%") &&
           !begins_with(l, at, "{{") && !begins_with(l, at, "{#"))
        at++;
    bool variable = at < l->end && at[1] == '{';
    char mark = at < l->end ? delimiter_at(l, at + 2) : '+';
    const char *to = strip_data(l, from, at, mark, variable);
    if (to > from && add_text_lexeme(l, LEXEME_DATA, from, to))
        return -1;
    if (at == l->end) {
        l->at = at;
        return 0;
    }
    count_lines(l, at);
    const char *raw = word_tag(l, at, "raw", false);
    if (raw)
        return lex_raw(l, raw);
    l->at = at + 2 + (mark != 0);
    if (at[1] == '#')
        return skip_comment(l);
    if (add_text_lexeme(
            l, variable ? LEXEME_VARIABLE_BEGIN : LEXEME_BLOCK_BEGIN, at, at))
        return -1;
    return lex_tag(l, variable);
}

int lex(struct sandbox *s, const char *text, size_t size, struct lexemes *out,
        int *line)
{
    struct lexer l = {.sandbox = s, .start = text, .at = text,
                      .end = text + size, .counted = text, .line = 1,
                      .out = out};
    *out = (struct lexemes){0};
    int result = sandbox_work(s, size);
    while (!result && l.at < l.end)
        result = lex_piece(&l);
    count_lines(&l, l.at < l.end ? l.at : l.end);
    if (!result)
        result = add_text_lexeme(&l, LEXEME_END, l.end, l.end);
    *line = l.line;
    return result;
}
