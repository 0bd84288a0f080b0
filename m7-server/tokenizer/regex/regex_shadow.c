/* The shadow of a text: see regex_shadow.h. */
#include "regex_shadow.h"

#include "unicode.h"

/* Where the next unstable character is at or after `at`, or `size`. */
static size_t next_unstable(const char *text, size_t size, size_t at)
{
    size_t length;
    for (; at < size; at += length) {
        length = utf8_ascii(text + at, size - at);
        if (length == 0 &&
            unicode_in(SET_UNSTABLE, utf8_decode(text + at, &length)))
            return at;
    }
    return size;
}

void shadow_make(const struct unicode_ranges *stand_ins, const char *text,
                 size_t size, struct bytes *shadow)
{
    size_t done = 0, at, length;
    while ((at = next_unstable(text, size, done)) < size) {
        uint32_t code = utf8_decode(text + at, &length);
        const struct unicode_range *range = unicode_find(stand_ins, code);
        bytes_add(shadow, text + done, at - done);
        utf8_add(shadow, range ? range->other : code);
        done = at + length;
    }
    if (done > 0)
        bytes_add(shadow, text + done, size - done);
}

bool shadow_keeps(const struct unicode_ranges *stand_ins, uint32_t first,
                  uint32_t last)
{
    for (size_t i = 0; i < stand_ins->count; i++) {
        const struct unicode_range *range = &stand_ins->ranges[i];
        bool other = range->other >= first && range->other <= last;
        bool whole = first <= range->first && range->last <= last;
        bool none = last < range->first || range->last < first;
        if (other ? !whole : !none)
            return false;
    }
    return true;
}
