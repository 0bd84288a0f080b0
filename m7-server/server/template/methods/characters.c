/* Characters: see characters.h. */
#include "characters.h"

#include "character_tables.h"
#include "iterate.h"
#include "unicode.h"

#include <string.h>
#include <utf8proc.h>

static bool in_ranges(const struct character_range *ranges, size_t n,
                      uint32_t code)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            n = middle;
        else
            return true;
    }
    return false;
}

static utf8proc_category_t category(uint32_t code)
{
    return utf8proc_category((utf8proc_int32_t)code);
}

bool character_is_space(uint32_t code)
{
    return unicode_is_space(code) || (code >= 0x1c && code <= 0x1f);
}

bool character_ends_line(uint32_t code)
{
    return (code >= '\n' && code <= '\r') || (code >= 0x1c && code <= 0x1e) ||
           code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool character_is_letter(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

bool character_is_decimal(uint32_t code)
{
    return category(code) == UTF8PROC_CATEGORY_ND;
}

int character_decimal(uint32_t code)
{
    int value = 0;
    if (code < 128)
        return code >= '0' && code <= '9' ? (int)code - '0' : -1;
    if (!character_is_decimal(code))
        return -1;
    if (code >= 0x1d7ce && code <= 0x1d7ff) /* five rows without a gap */
        return (int)(code - 0x1d7ce) % 10;
    while (value < 9 && character_is_decimal(code - (uint32_t)value - 1))
        value++;
    return value;
}

bool character_is_digit(uint32_t code)
{
    return character_is_decimal(code) ||
           in_ranges(odd_digits, n_odd_digits, code);
}

bool character_is_numeric(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return (c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO) ||
           in_ranges(odd_numbers, n_odd_numbers, code);
}

bool character_is_lower(uint32_t code)
{
    return category(code) == UTF8PROC_CATEGORY_LL ||
           in_ranges(odd_lowercase, n_odd_lowercase, code);
}

bool character_is_upper(uint32_t code)
{
    return category(code) == UTF8PROC_CATEGORY_LU ||
           in_ranges(odd_uppercase, n_odd_uppercase, code);
}

bool character_is_title(uint32_t code)
{
    return category(code) == UTF8PROC_CATEGORY_LT;
}

static const struct special_case *find_special(uint32_t code)
{
    for (size_t i = 0; code > 0x7f && i < n_special_cases; i++)
        if (special_cases[i].code == code)
            return &special_cases[i];
    return NULL;
}

static void add_points(const uint32_t *points, struct bytes *out)
{
    for (int i = 0; i < 3 && points[i]; i++)
        utf8_add(out, points[i]);
}

void write_upper(const char *text, size_t size, struct bytes *out)
{
    for (size_t i = 0, length; i < size; i += length) {
        uint32_t code = utf8_decode(text + i, &length);
        const struct special_case *special = find_special(code);
        if (special)
            add_points(special->upper, out);
        else
            utf8_add(out,
                     (uint32_t)utf8proc_toupper((utf8proc_int32_t)code));
    }
}

void write_title(uint32_t code, struct bytes *out)
{
    const struct special_case *special = find_special(code);
    if (special)
        add_points(special->title, out);
    else
        utf8_add(out, (uint32_t)utf8proc_totitle((utf8proc_int32_t)code));
}

bool character_is_cased(uint32_t code)
{
    return character_is_lower(code) || character_is_upper(code) ||
           character_is_title(code);
}

/* What stands inside words without being a letter. */
static bool is_ignorable(uint32_t code)
{
    utf8proc_category_t c = category(code);
    return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME ||
           c == UTF8PROC_CATEGORY_CF || c == UTF8PROC_CATEGORY_LM ||
           c == UTF8PROC_CATEGORY_SK || code == '\'' || code == '.' ||
           code == ':' || code == 0xb7 || code == 0x2019;
}

/* Whether the letter before `at`, or behind it, is cased: the Unicode
 * Standard, table 3-17, "Final_Sigma". */
static bool cased_before(const char *text, size_t at)
{
    size_t length;
    while (at > 0) {
        do
            at--;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
        uint32_t code = utf8_decode(text + at, &length);
        if (!is_ignorable(code))
            return character_is_cased(code);
    }
    return false;
}

static bool cased_behind(const char *text, size_t size, size_t at)
{
    for (size_t length; at < size; at += length) {
        uint32_t code = utf8_decode(text + at, &length);
        if (!is_ignorable(code))
            return character_is_cased(code);
    }
    return false;
}

void write_lower_at(const char *text, size_t size, size_t at, size_t length,
                    struct bytes *out)
{
    bool sigma = length == 2 && memcmp(text + at, "\xce\xa3", 2) == 0;
    if (sigma && cased_before(text, at) && !cased_behind(text, size, at + 2))
        bytes_add(out, "\xcf\x82", 2);
    else
        unicode_lowercase(text + at, length, out);
}

void write_lower(const char *text, size_t size, struct bytes *out)
{
    for (size_t i = 0, length; i < size; i += length) {
        length = utf8_ascii(text + i, size - i);
        if (length == 0)
            utf8_decode(text + i, &length);
        write_lower_at(text, size, i, length, out);
    }
}

static bool in_set(const char *character, size_t length, uint32_t code,
                   const struct text *set)
{
    struct text one = {character, length, 1};
    return set ? text_find(set, &one, 0) != SIZE_MAX
               : character_is_space(code);
}

size_t span_start(const char *text, size_t size, const struct text *set)
{
    size_t at = 0, length;
    for (; at < size; at += length) {
        uint32_t code = utf8_decode(text + at, &length);
        if (!in_set(text + at, length, code, set))
            break;
    }
    return at;
}

size_t span_end(const char *text, size_t size, const struct text *set)
{
    size_t end = size, length;
    while (end > 0) {
        size_t at = end - 1;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
            at--;
        uint32_t code = utf8_decode(text + at, &length);
        if (!in_set(text + at, length, code, set))
            break;
        end = at;
    }
    return size - end;
}
