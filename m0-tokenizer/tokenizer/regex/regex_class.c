/* Sets in brackets, as Oniguruma reads them: sets in sets, && for what is in
 * both, POSIX names.  PCRE2 has no sets in sets, but an expression that looks
 * ahead can say the same of one character:
 *
 *     [a-z&&[^aeiou]]     (?:(?=[a-z])[^aeiou])
 *     [a[^b]]             (?:[a]|[^b])
 */
#include "regex_property.h"
#include "regex_reader.h"

#include <ctype.h>
#include <string.h>

/* A union: items that go between one pair of brackets, and expressions for
 * one character that do not, each with a | in front. */
struct members {
    struct bytes items, others;
};

static void members_free(struct members *m)
{
    bytes_free(&m->items);
    bytes_free(&m->others);
}

static void add_members(struct bytes *out, const struct bytes *from)
{
    bytes_add(out, from->data, from->size);
    out->failed |= from->failed;
}

static int add_set(struct reader *r, struct members *m, size_t at,
                   const char *items, bool negated)
{
    if (r->ignore_case && (negated || !property_is_caseless(items)))
        return reader_refuse(r, at,
                             "a set of letters in a set that ignores case");
    if (negated && property_is_single(items)) {
        char turned[2] = {items[0], (char)(items[1] ^ ('a' ^ 'A'))};
        bytes_add(&m->items, turned, sizeof turned);
        bytes_add_string(&m->items, items + 2);
    } else if (negated) {
        bytes_add_string(&m->others, "|[^");
        bytes_add_string(&m->others, items);
        bytes_add_string(&m->others, "]");
    } else {
        bytes_add_string(&m->items, items);
    }
    return 0;
}

/* No character: a member that is a set. */
#define NO_CODE UINT32_MAX

/* The set that \letter is inside of a set, in small letters or, negated, in
 * capitals; NULL when it is none. */
static const char *letter_set(char letter)
{
    switch (tolower((unsigned char)letter)) {
    case 'w':
        return property_word;
    case 'd':
        return "\\p{Nd}";
    case 's':
        return "\\s";
    case 'h':
        return property_hexadecimal;
    default:
        return NULL;
    }
}

/* An escape in a set.  One that stands for a set is added; of any other the
 * character goes to *code. */
static int read_set_escape(struct reader *r, struct members *m, uint32_t *code)
{
    size_t at = r->at++;
    char letter = r->at < r->size ? r->pattern[r->at] : 0;
    bool negated = isupper((unsigned char)letter);
    const char *items = letter_set(letter);
    if (reader_takes(r, "b")) {
        *code = '\b';
        return 0;
    }
    if (!items && letter != 'p' && letter != 'P')
        return reader_escaped_code(r, at, code);
    r->at++;
    if (!items && read_property(r, &negated, &items))
        return -1;
    return add_set(r, m, at, items, negated);
}

/* How long [:name:] is at r->at, 0 when it is not one. */
static size_t posix_length(const struct reader *r)
{
    size_t at = r->at + 2;
    if (!reader_sees(r, "[:"))
        return 0;
    at += at < r->size && r->pattern[at] == '^';
    while (at < r->size && isalpha((unsigned char)r->pattern[at]))
        at++;
    if (r->size - at < 2 || memcmp(r->pattern + at, ":]", 2) != 0)
        return 0;
    return at + 2 - r->at;
}

static int read_posix(struct reader *r, struct members *m, size_t length)
{
    size_t at = r->at;
    bool negated = r->pattern[at + 2] == '^';
    size_t head = 2 + (size_t)negated;
    const char *items = posix_find(r->pattern + at + head, length - head - 2);
    r->at += length;
    if (!items)
        return reader_refuse(r, at, "this set in [: and :]");
    r->alphabetic |= property_is_alphabetic(items);
    return add_set(r, m, at, items, negated);
}

static int read_class_into(struct reader *r, struct bytes *out, bool *plain);

static int read_nested(struct reader *r, struct members *m)
{
    bool plain = false;
    struct bytes set = {0};
    size_t at = r->at++;
    if (++r->depth > 100)
        return reader_refuse(r, at, "this depth of sets in sets");
    int status = read_class_into(r, &set, &plain);
    r->depth--;
    if (status == 0 && r->ignore_case && !plain)
        status = reader_refuse(r, at, "this set in a set that ignores case");
    if (!plain)
        bytes_add_string(&m->others, "|");
    add_members(plain ? &m->items : &m->others, &set);
    bytes_free(&set);
    return status;
}

/* One member.  A set is added, and *code is NO_CODE; a character is not added
 * but given back in *code, since it may begin a range. */
static int read_member(struct reader *r, struct members *m, uint32_t *code)
{
    size_t length = posix_length(r);
    *code = NO_CODE;
    if (length > 0)
        return read_posix(r, m, length);
    if (reader_sees(r, "["))
        return read_nested(r, m);
    if (reader_sees(r, "\\"))
        return read_set_escape(r, m, code);
    *code = reader_next(r);
    return 0;
}

static int add_code_range(struct reader *r, struct members *m, size_t at,
                          uint32_t first, uint32_t last)
{
    if (last < first)
        return reader_malformed(r, at, "a range that ends before it begins");
    if (reader_name(r, at, first, last))
        return -1;
    reader_add_code(&m->items, first);
    if (last > first) {
        bytes_add_string(&m->items, "-");
        reader_add_code(&m->items, last);
    }
    return 0;
}

/* Whether the members of a union end here. */
static bool at_end(const struct reader *r)
{
    return reader_sees(r, "]") || reader_sees(r, "&&");
}

/* The rest of a range, or a hyphen at the end of the set. */
static int read_range(struct reader *r, struct members *m, size_t at,
                      uint32_t first)
{
    uint32_t last = first;
    size_t hyphen = r->at;
    if (reader_takes(r, "-") && at_end(r))
        r->at = hyphen;
    else if (r->at > hyphen && r->at < r->size && read_member(r, m, &last))
        return -1;
    if (first == NO_CODE && r->at == hyphen)
        return 0;
    if (first == NO_CODE || last == NO_CODE)
        return reader_refuse(r, hyphen, "a range with a set at its end");
    return add_code_range(r, m, at, first, last);
}

/* Members up to a ] or &&, which is not read.  A ] at the very beginning of a
 * set, `first`, is a member. */
static int read_members(struct reader *r, struct members *m, bool first)
{
    for (; r->at < r->size; first = false) {
        size_t at = r->at;
        bool nested = reader_sees(r, "[") && posix_length(r) == 0;
        uint32_t code;
        if (at_end(r) && (!first || reader_sees(r, "&&")))
            return 0;
        if (read_member(r, m, &code) ||
            (!nested && read_range(r, m, at, code)))
            return -1;
    }
    return reader_malformed(r, r->at, "a set without its ]");
}

/* An expression for one character of the union. */
static void add_union(struct bytes *out, const struct members *m)
{
    bytes_add_string(out, "(?:");
    if (m->items.size > 0) {
        bytes_add_string(out, "[");
        add_members(out, &m->items);
        bytes_add_string(out, "]");
        add_members(out, &m->others);
    } else {
        bytes_add(out, m->others.data + 1, m->others.size - 1);
    }
    bytes_add_string(out, ")");
}

/* Read unions and the && between them, to the ].  All but the last one become
 * a look ahead each in `ahead`. */
static int read_intersection(struct reader *r, struct members *m,
                             struct bytes *ahead)
{
    for (bool first = true;; first = false) {
        size_t at = r->at;
        if (read_members(r, m, first))
            return -1;
        if (m->items.failed || m->others.failed)
            return fail_memory(r->e, "a regular expression");
        if (m->items.size + m->others.size == 0)
            return reader_refuse(r, at, "an empty side of &&");
        if (reader_takes(r, "]"))
            return 0;
        if (r->ignore_case)
            return reader_refuse(r, r->at, "&& where case is ignored");
        r->at += strlen("&&");
        bytes_add_string(ahead, "(?=");
        add_union(ahead, m);
        bytes_add_string(ahead, ")");
        members_free(m);
    }
}

/* A set that is one union is the items alone, *plain, for the caller to put
 * in brackets; any other is an expression. */
static void close_class(struct bytes *out, bool negated, bool *plain,
                        const struct members *m, const struct bytes *ahead)
{
    bool simple = ahead->size + m->others.size == 0;
    *plain = simple && !negated;
    if (*plain) {
        add_members(out, &m->items);
    } else if (simple) {
        bytes_add_string(out, "[^");
        add_members(out, &m->items);
        bytes_add_string(out, "]");
    } else {
        bytes_add_string(out, negated ? "(?:(?!" : "(?:");
        add_members(out, ahead);
        add_union(out, m);
        bytes_add_string(out, negated ? ")(?s:.))" : ")");
    }
}

static int read_class_into(struct reader *r, struct bytes *out, bool *plain)
{
    struct members m = {0};
    struct bytes ahead = {0};
    bool negated = reader_takes(r, "^");
    int status = read_intersection(r, &m, &ahead);
    if (status == 0)
        close_class(out, negated, plain, &m, &ahead);
    members_free(&m);
    bytes_free(&ahead);
    return status;
}

int read_class(struct reader *r)
{
    bool plain = false;
    struct bytes set = {0};
    int status = read_class_into(r, &set, &plain);
    bytes_add_string(r->out, plain ? "[" : "");
    add_members(r->out, &set);
    bytes_add_string(r->out, plain ? "]" : "");
    bytes_free(&set);
    return status;
}
