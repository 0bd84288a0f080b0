/* Methods of strings that look at characters: their cases and kinds; see
 * methods.h. */
#include "methods.h"

#include "characters.h"
#include "unicode.h"
#include "written.h"

/* The text in another form, marked as the first was. */
static int formed(struct sandbox *s, const struct call *c,
                  void (*write)(const char *, size_t, struct bytes *),
                  struct value *out)
{
    const struct text *t = c->self.as.text;
    struct bytes written = {0};
    size_t slow = t->size > t->length ? 16 : 2;
    if (sandbox_work(s, t->size * slow) || sandbox_room(s, t->size * 3))
        return -1;
    write(t->data, t->size, &written);
    int result = value_take_bytes(s, &written, out);
    out->safe = c->self.safe;
    return result;
}

static int text_upper(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return formed(s, c, write_upper, out);
}

static int text_lower(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return formed(s, c, write_lower, out);
}

static void write_capitalized(const char *text, size_t size,
                              struct bytes *out)
{
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code = utf8_decode(text + i, &length);
        if (i == 0)
            write_title(code, out);
        else
            write_lower_at(text, size, i, length, out);
    }
}

static int text_capitalize(struct sandbox *s, const struct call *c,
                           struct value *out)
{
    return formed(s, c, write_capitalized, out);
}

static void write_titles(const char *text, size_t size, struct bytes *out)
{
    bool inside = false;
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code = utf8_decode(text + i, &length);
        if (inside)
            write_lower_at(text, size, i, length, out);
        else
            write_title(code, out);
        inside = character_is_cased(code);
    }
}

static int text_title(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return formed(s, c, write_titles, out);
}

static void write_swapped(const char *text, size_t size, struct bytes *out)
{
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code = utf8_decode(text + i, &length);
        if (character_is_upper(code))
            write_lower_at(text, size, i, length, out);
        else if (character_is_lower(code))
            write_upper(text + i, length, out);
        else
            bytes_add(out, text + i, length);
    }
}

static int text_swapcase(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    return formed(s, c, write_swapped, out);
}

/* Whether all characters are of a kind, and there is one. */
static int all_are(struct sandbox *s, const struct call *c,
                   bool (*is)(uint32_t), struct value *out)
{
    const struct text *t = c->self.as.text;
    bool all = t->size > 0;
    for (size_t i = 0, length; i < t->size && all; i += length)
        all = is(utf8_decode(t->data + i, &length));
    *out = value_bool(all);
    return sandbox_work(s, t->size);
}

static bool is_alphanumeric(uint32_t code)
{
    return character_is_letter(code) || character_is_decimal(code) ||
           character_is_digit(code) || character_is_numeric(code);
}

static int text_isalnum(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_are(s, c, is_alphanumeric, out);
}

static int text_isalpha(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_are(s, c, character_is_letter, out);
}

static int text_isdecimal(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    return all_are(s, c, character_is_decimal, out);
}

static int text_isdigit(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_are(s, c, character_is_digit, out);
}

static int text_isnumeric(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    return all_are(s, c, character_is_numeric, out);
}

static int text_isspace(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_are(s, c, character_is_space, out);
}

static int text_isascii(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    const struct text *t = c->self.as.text;
    *out = value_bool(t->size == t->length);
    return sandbox_work(s, 0);
}

static int text_isprintable(struct sandbox *s, const struct call *c,
                            struct value *out)
{
    if (all_are(s, c, is_printable, out))
        return -1;
    if (c->self.as.text->size == 0)
        *out = value_bool(true);
    return 0;
}

/* Cased characters, all of the one case. */
static int all_cased(struct sandbox *s, const struct call *c, bool upper,
                     struct value *out)
{
    const struct text *t = c->self.as.text;
    bool some = false, other = false;
    for (size_t i = 0, length; i < t->size; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        bool is = upper ? character_is_upper(code) : character_is_lower(code);
        some = some || is;
        other = other || (character_is_cased(code) && !is);
    }
    *out = value_bool(some && !other);
    return sandbox_work(s, t->size);
}

static int text_islower(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_cased(s, c, false, out);
}

static int text_isupper(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    return all_cased(s, c, true, out);
}

/* Capital letters begin words, small ones go on with them. */
static int text_istitle(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    const struct text *t = c->self.as.text;
    bool some = false, wrong = false, inside = false;
    for (size_t i = 0, length; i < t->size; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        bool capital = character_is_upper(code) || character_is_title(code);
        wrong = wrong || (capital && inside) ||
                (character_is_lower(code) && !inside);
        some = some || capital;
        inside = character_is_cased(code);
    }
    *out = value_bool(some && !wrong);
    return sandbox_work(s, t->size);
}

struct methods methods_of_characters(void)
{
    static const struct built_in rows[] = {
        {"upper", "", text_upper},
        {"lower", "", text_lower},
        {"capitalize", "", text_capitalize},
        {"title", "", text_title},
        {"swapcase", "", text_swapcase},
        {"isalnum", "", text_isalnum},
        {"isalpha", "", text_isalpha},
        {"isascii", "", text_isascii},
        {"isdecimal", "", text_isdecimal},
        {"isdigit", "", text_isdigit},
        {"islower", "", text_islower},
        {"isnumeric", "", text_isnumeric},
        {"isprintable", "", text_isprintable},
        {"isspace", "", text_isspace},
        {"istitle", "", text_istitle},
        {"isupper", "", text_isupper},
    };
    return (struct methods){rows, sizeof rows / sizeof *rows};
}
