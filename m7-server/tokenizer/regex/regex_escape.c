/* Escapes and literal characters outside of sets, as Oniguruma reads them. */
#include "regex_property.h"
#include "regex_reader.h"

#include <ctype.h>
#include <string.h>

/* A set outside of brackets.  Its letters stay as they are in (?i), where
 * PCRE2 would have \p{Lu} match small letters. */
static void add_property(struct reader *r, const char *items, bool negated)
{
    if (r->ignore_case)
        bytes_add_string(r->out, "(?-i:");
    if (property_is_single(items)) {
        char letter = (char)(items[1] ^ (negated ? 'a' ^ 'A' : 0));
        bytes_add_string(r->out, "\\");
        bytes_add(r->out, &letter, 1);
        bytes_add_string(r->out, items + 2);
    } else {
        bytes_add_string(r->out, negated ? "[^" : "[");
        bytes_add_string(r->out, items);
        bytes_add_string(r->out, "]");
    }
    if (r->ignore_case)
        bytes_add_string(r->out, ")");
}

/* What some escapes are to PCRE2, in which others of Oniguruma's are not to
 * be had at all.  \R takes a carriage return with its line feed for good. */
struct escape {
    const char *letters, *text;
};

static const struct escape anchors[] = {
    {"A", "\\A"},
    {"Z", "\\Z"},
    {"z", "\\z"},
    {"G", "\\G"},
    {"b", property_word_boundary},
    {"B", property_no_word_boundary},
    {NULL, NULL},
};

static const struct escape matches[] = {
    {"R", "(?>\\x{D}\\x{A}|[\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}])"},
    {"N", "[^\\x{A}]"},
    {"O", "(?s:.)"},
    {NULL, NULL},
};

static const struct escape sets[] = {
    {"dD", "\\p{Nd}"},
    {"sS", "\\s"},
    {"wW", property_word_alone},
    {"hH", property_hexadecimal},
    {NULL, NULL},
};

static const struct escape unsupported[] = {
    {"k123456789", "a reference back to a group"},
    {"g", "a call of a group"},
    {"K", "\\K, which moves the start of a match,"},
    {"XyY", "a text segment: \\X, \\y or \\Y"},
    {NULL, NULL},
};

static const char *find_escape(const struct escape *table, char letter)
{
    for (; letter && table->letters; table++)
        if (strchr(table->letters, letter))
            return table->text;
    return NULL;
}

/* Several letters can be equal to one character when case is ignored: ss to
 * U+00DF, st to U+FB06, ff, fi and fl to the ligatures. */
static bool may_join(uint32_t first, uint32_t second)
{
    static const char *const pairs[] = {"ss", "st", "ff", "fi", "fl"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((first | 32) == (uint32_t)pairs[i][0] &&
            (second | 32) == (uint32_t)pairs[i][1])
            return true;
    return false;
}

int reader_add_literal(struct reader *r, size_t at, uint32_t code)
{
    if (reader_name(r, at, code, code))
        return -1;
    if (r->ignore_case && may_join(r->last_letter, code))
        return reader_refuse(r, at,
                             "two letters that a ligature may stand for, "
                             "where case is ignored,");
    r->last_letter = r->ignore_case ? code : 0;
    reader_add_code(r->out, code);
    return 0;
}

/* An escape for one character of a set: \p{L}, \W and the like. */
static int read_escaped_set(struct reader *r, const char *items)
{
    bool negated = isupper((unsigned char)r->pattern[r->at++]);
    if (!items && read_property(r, &negated, &items))
        return -1;
    r->last_letter = 0;
    add_property(r, items, negated);
    return 0;
}

/* An escape for one character, literally. */
static int read_escaped_literal(struct reader *r, size_t at)
{
    uint32_t code = 0;
    if (reader_escaped_code(r, at, &code))
        return -1;
    return reader_add_literal(r, at, code);
}

int read_escape(struct reader *r, enum piece_kind *kind)
{
    size_t at = r->at - 1;
    char letter = r->at < r->size ? r->pattern[r->at] : 0;
    const char *set = find_escape(sets, letter);
    const char *anchor = find_escape(anchors, letter);
    const char *match = find_escape(matches, letter);
    if (find_escape(unsupported, letter))
        return reader_refuse(r, at, find_escape(unsupported, letter));
    if (set || letter == 'p' || letter == 'P')
        return read_escaped_set(r, set);
    if (!anchor && !match)
        return read_escaped_literal(r, at);
    r->at++;
    r->last_letter = 0;
    *kind = anchor ? PIECE_ASSERT : PIECE_MATCH;
    bytes_add_string(r->out, anchor ? anchor : match);
    return 0;
}
