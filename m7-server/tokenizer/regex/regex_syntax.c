/* From Oniguruma's expressions to PCRE2's: see regex_syntax.h.  Groups and
 * repeats; escapes stand in regex_escape.c, sets in regex_class.c. */
#include "regex_syntax.h"

#include "regex_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_alternatives(struct reader *r);

/* What follows `opening`, up to the ) that closes it. */
static int read_group(struct reader *r, const char *opening)
{
    bool ignore_case = r->ignore_case, dot_all = r->dot_all;
    size_t at = r->at;
    if (++r->depth > 100)
        return reader_refuse(r, at, "this depth of groups in groups");
    bytes_add_string(r->out, opening);
    if (read_alternatives(r))
        return -1;
    if (!reader_takes(r, ")"))
        return reader_malformed(r, at, "a group without its )");
    bytes_add_string(r->out, ")");
    r->ignore_case = ignore_case;
    r->dot_all = dot_all;
    r->depth--;
    return 0;
}

/* Options: (?im-im) for the rest of the group around them, alternatives and
 * all, or (?im-im: for one of their own.  (?m) is what PCRE2 calls (?s). */
static int read_options(struct reader *r, size_t at)
{
    bool ignore_case = r->ignore_case, dot_all = r->dot_all;
    for (bool on = true; !reader_sees(r, ")") && !reader_sees(r, ":");) {
        if (reader_takes(r, "-"))
            on = false;
        else if (reader_takes(r, "i"))
            r->ignore_case = on;
        else if (reader_takes(r, "m"))
            r->dot_all = on;
        else
            return reader_refuse(r, at, "this kind of group, or option,");
    }
    const char *opening = r->ignore_case ? "(?i:" : "(?-i:";
    r->last_letter = 0;
    if (reader_takes(r, ":")) {
        if (read_group(r, opening))
            return -1;
        r->ignore_case = ignore_case;
        r->dot_all = dot_all;
        r->last_letter = 0;
        return 0;
    }
    r->at++;
    bytes_add_string(r->out, opening);
    int status = read_alternatives(r);
    bytes_add_string(r->out, ")");
    return status;
}

/* (?<name> or (?'name': the name does not matter without references. */
static int read_named_group(struct reader *r, size_t at, const char *end)
{
    while (r->at < r->size && !reader_sees(r, end))
        r->at++;
    if (!reader_takes(r, end))
        return reader_malformed(r, at, "a group's name without its end");
    return read_group(r, "(?:");
}

/* The opening parenthesis is read. */
static int read_parenthesis(struct reader *r, enum piece_kind *kind)
{
    static const char *const assertions[] = {"?=", "?!", "?<=", "?<!"};
    size_t at = r->at - 1;
    for (size_t i = 0; i < sizeof assertions / sizeof *assertions; i++)
        if (reader_takes(r, assertions[i])) {
            char opening[8];
            snprintf(opening, sizeof opening, "(%s", assertions[i]);
            *kind = PIECE_ASSERT;
            r->last_letter = 0;
            return read_group(r, opening);
        }
    if (reader_takes(r, "?:"))
        return read_group(r, "(?:");
    if (reader_takes(r, "?>"))
        return read_group(r, "(?>");
    if (reader_takes(r, "?<"))
        return read_named_group(r, at, ">");
    if (reader_takes(r, "?'"))
        return read_named_group(r, at, "'");
    if (reader_sees(r, "?~"))
        return reader_refuse(r, at, "an absent group (?~");
    if (reader_sees(r, "?("))
        return reader_refuse(r, at, "a condition (?(");
    if (reader_sees(r, "?{") || reader_sees(r, "*"))
        return reader_refuse(r, at, "a callout");
    if (reader_takes(r, "?"))
        return read_options(r, at);
    return read_group(r, "(?:");
}

/* (?#...), wherever they stand. */
static int skip_comments(struct reader *r)
{
    size_t at = r->at;
    while (reader_takes(r, "(?#")) {
        while (r->at < r->size && r->pattern[r->at] != ')')
            r->at += 1 + (size_t)(r->pattern[r->at] == '\\');
        if (r->at >= r->size)
            return reader_malformed(r, at, "a comment without its )");
        r->at++;
    }
    return 0;
}

struct repeat {
    int least, most; /* most is -1 for any number */
    bool lazy, possessive;
};

/* A number at *at, stepping over it; -1 for none.  It need not be right when
 * it is larger than any that is allowed. */
static int read_count(const struct reader *r, size_t *at)
{
    int value = -1;
    for (; *at < r->size && isdigit((unsigned char)r->pattern[*at]); ++*at)
        if (value < 100000)
            value = (value < 0 ? 0 : value * 10) + (r->pattern[*at] - '0');
    return value;
}

/* {n}, {n,}, {,m}, {n,m}; {m,n} with m > n is a possessive {n,m}.  Anything
 * else in braces is no repeat but text. */
static bool read_interval(struct reader *r, struct repeat *repeat)
{
    size_t at = r->at + 1;
    int least = read_count(r, &at), most = least;
    bool comma = at < r->size && r->pattern[at] == ',';
    if (comma) {
        at++;
        most = read_count(r, &at);
    }
    if (at == r->size || r->pattern[at] != '}' || (least < 0 && most < 0))
        return false;
    r->at = at + 1;
    *repeat = (struct repeat){least < 0 ? 0 : least, most, false, false};
    if (most >= 0 && most < repeat->least)
        *repeat = (struct repeat){most, repeat->least, false, true};
    else
        repeat->lazy = comma && reader_takes(r, "?");
    return true;
}

/* A repeat, if there is one. */
static bool read_repeat(struct reader *r, struct repeat *repeat)
{
    *repeat = (struct repeat){0, -1, false, false};
    if (reader_sees(r, "{"))
        return read_interval(r, repeat);
    if (reader_takes(r, "+"))
        repeat->least = 1;
    else if (reader_takes(r, "?"))
        repeat->most = 1;
    else if (!reader_takes(r, "*"))
        return false;
    repeat->lazy = reader_takes(r, "?");
    repeat->possessive = !repeat->lazy && reader_takes(r, "+");
    return true;
}

static void add_repeat(struct bytes *out, const struct repeat *repeat)
{
    char text[64];
    if (repeat->least == 0 && repeat->most == 1)
        snprintf(text, sizeof text, "?");
    else if (repeat->most < 0 && repeat->least <= 1)
        snprintf(text, sizeof text, "%s", repeat->least ? "+" : "*");
    else if (repeat->most < 0)
        snprintf(text, sizeof text, "{%d,}", repeat->least);
    else
        snprintf(text, sizeof text, "{%d,%d}", repeat->least, repeat->most);
    bytes_add_string(out, text);
    if (repeat->lazy)
        bytes_add_string(out, "?");
    if (repeat->possessive)
        bytes_add_string(out, "+");
}

/* Put what was written from byte `from` on into a group. */
static void enclose(struct bytes *out, size_t from)
{
    bytes_add_string(out, "(?:)");
    if (out->failed)
        return;
    memmove(out->data + from + 3, out->data + from, out->size - 4 - from);
    memcpy(out->data + from, "(?:", 3);
    out->data[out->size - 1] = ')';
}

/* The repeats of the piece that was written from byte `from` on.  One behind
 * another repeats the whole again: {1,3}+ is not possessive. */
static int read_repeats(struct reader *r, size_t from, enum piece_kind kind)
{
    struct repeat repeat;
    for (bool again = false;; again = true) {
        if (skip_comments(r))
            return -1;
        size_t at = r->at;
        bool lazy = again && repeat.lazy;
        if (!read_repeat(r, &repeat))
            return 0;
        if (kind == PIECE_NONE)
            return reader_malformed(r, at, "a repeat of nothing");
        if (kind == PIECE_ASSERT || lazy)
            return reader_refuse(r, at,
                                 lazy ? "a repeat of a reluctant repeat"
                                      : "a repeat of an assertion");
        if (repeat.least > 65535 || repeat.most > 65535)
            return reader_refuse(r, at, "a repeat of more than 65535");
        if (again)
            enclose(r->out, from);
        add_repeat(r->out, &repeat);
        r->last_letter = 0;
    }
}

static int read_atom(struct reader *r, enum piece_kind *kind)
{
    size_t at = r->at;
    *kind = PIECE_MATCH;
    if (reader_takes(r, "\\"))
        return read_escape(r, kind);
    if (reader_takes(r, "("))
        return read_parenthesis(r, kind);
    if (!reader_sees(r, "[") && !reader_sees(r, ".") && !reader_sees(r, "^") &&
        !reader_sees(r, "$"))
        return reader_add_literal(r, at, reader_next(r));
    r->last_letter = 0;
    if (reader_takes(r, "["))
        return read_class(r);
    if (reader_takes(r, "."))
        bytes_add_string(r->out, r->dot_all ? "(?s:.)" : ".");
    else
        *kind = PIECE_ASSERT;
    if (reader_takes(r, "^"))
        bytes_add_string(r->out, "^");
    if (reader_takes(r, "$"))
        bytes_add_string(r->out, "$");
    return 0;
}

/* Alternatives up to a ) or the end, which is not read. */
static int read_alternatives(struct reader *r)
{
    enum piece_kind kind = PIECE_NONE;
    if (read_repeats(r, r->out->size, kind))
        return -1;
    while (r->at < r->size && !reader_sees(r, ")")) {
        size_t from = r->out->size;
        if (reader_takes(r, "|")) {
            kind = PIECE_NONE;
            r->last_letter = 0;
            bytes_add_string(r->out, "|");
        } else if (read_atom(r, &kind)) {
            return -1;
        }
        if (read_repeats(r, from, kind))
            return -1;
    }
    return 0;
}

static int read_pattern(struct reader *r)
{
    if (read_alternatives(r))
        return -1;
    if (r->at < r->size)
        return reader_malformed(r, r->at, "a ) without its (");
    return r->out->failed ? fail_memory(r->e, "a regular expression") : 0;
}

int regex_translate(const char *pattern, size_t size, struct bytes *out,
                    const struct unicode_ranges **stand_ins, struct error *e)
{
    struct reader r = {.pattern = pattern, .size = size, .out = out, .e = e};
    int status = read_pattern(&r);
    *stand_ins =
        r.alphabetic ? &unicode_stand_ins_alphabetic : &unicode_stand_ins;
    if (status == 0)
        status = reader_check_named(&r, *stand_ins);
    free(r.named);
    return status;
}
